"""What raters do: join, confirm guidelines, practise, next, save draft, submit, skip, revise, go to.

Lives here: the use-cases behind both the browser and the robots, over the stores' protocols. May not
import analysis, reports, verdicts or review: a rater-facing room cannot leak what it cannot reach.
"""
