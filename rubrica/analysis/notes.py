"""What a statistic cannot say, or says only under a condition.

These are rules with a code and details, so that any language can say them.

A note never changes a number. Undefined results carry one; so do results that hold in a narrower
sense than a reader may think.
"""

from __future__ import annotations

from typing import Any

from rubrica.errors import Level, Problem, Rule


def note(rule: Rule, **details: Any) -> Problem:
    return Problem(rule, details=details)


def _rule(code: str, title: str, says: str, why: str, mend: str, level: Level = "note") -> Rule:
    return Rule(code=code, title=title, says=says, why=why, mend=mend, level=level)


NO_ANSWERS = _rule(
    "R001",
    "There are answers",
    "no answers to this question could be used",
    "Without answers there is nothing to estimate.",
    "See under what was left out why they are missing.",
)
NO_OVERLAP = _rule(
    "R002",
    "Items are answered more than once",
    "no item was answered by two raters, so agreement cannot be seen",
    "Agreement is a property of two answers to the same item.",
    "Have some items rated by two or more raters.",
)
ONE_VALUE = _rule(
    "R003",
    "Answers vary",
    "all answers that could be compared are the same: {coefficient} is undefined",
    "A coefficient that corrects for chance divides by the variation of the answers; with none it is "
    "neither 0 nor 1.",
    "Report percent agreement, and rate items that differ.",
)
FEW_CLUSTERS = _rule(
    "R004",
    "There are enough independent items for an interval",
    "too few independent items or threads for an interval: {n}, and resampling needs {needed}",
    "An interval comes from the differences between items; of a handful, resampling shows too few.",
    "Rate more items.",
)
FRAGILE = _rule(
    "R005",
    "The interval is made of defined replicates",
    "{share:.0%} of the resampled data sets had no defined value; the interval leaves them out",
    "With few or very skewed answers many resampled data sets hold one value only.",
    "Read the interval with care and give percent agreement beside it.",
    "warning",
)
UNNAMED = _rule(
    "R006",
    "Raters are named",
    "answers carry no rater's name, so {what} cannot be computed; places are not raters",
    "The first and the second place of an item can be different people on every item.",
    "Use alpha and ICC(1), which need no names, or record who rated.",
)
NOT_CROSSED = _rule(
    "R007",
    "The same raters rated the same items",
    "the raters differ from item to item; {what} needs items rated by all of them",
    "Two-way coefficients separate raters from items, which needs both crossed.",
    "Use ICC(1) and alpha, or have all raters rate a common set.",
)
SKEWED = _rule(
    "R008",
    "Answers are not almost all the same",
    "{share:.0%} of the answers are the same level; alpha can be low although raters agree on "
    "{agree:.0%} of the pairs",
    "With one level so common, agreement by chance is high and one disagreement weighs much.",
    "Read percent agreement and AC1 or AC2 beside alpha.",
)
NO_ORDER = _rule(
    "R009",
    "The question has numbers to average",
    "the answers of this question have no order, so {what} does not exist",
    "The mean of names is not a number.",
    "Compare the shares of the answers instead.",
)
CONSTANT = _rule(
    "R010",
    "Both sides vary",
    "{side} is the same for every item: a correlation is undefined",
    "A constant follows nothing and contradicts nothing.",
    "Look at the error and the confusion table instead.",
)
FEW_PAIRS = _rule(
    "R011",
    "There are enough pairs",
    "items with a score and a rating: {n}; {what} needs at least {needed}",
    "A correlation of two points is always perfect.",
    "Rate more of the items the judge scored.",
)
JUDGE_MISSING = _rule(
    "R012",
    "The judge scored every rated item",
    "{missing} of {rated} rated items have no score of this judge; they are missing, not guessed",
    "A filled-in score would move the correlation towards nothing.",
    "Find out why the judge gave no score: the failures may not be random.",
    "warning",
)
NOT_LEVELS = _rule(
    "R013",
    "The judge's scores are levels of the question",
    "the judge's scores are not levels of this question, so {what} does not apply",
    "A table of levels needs levels on both sides.",
    "Correlations and rank statistics still hold.",
)
FEW_RATERS = _rule(
    "R015",
    "There are enough raters",
    "{what} needs at least {needed} raters with {items} items each; there are {raters}",
    "With fewer its tests have no power and its winning rate is a coin toss.",
    "Have more raters rate the same items.",
)
HUMANS_DISAGREE = _rule(
    "R016",
    "Raters agree more than by chance",
    "the raters' own agreement is not shown to be above chance, so a judge that may replace them "
    "means nothing; the test is withheld",
    "The test asks whether the judge is as close to a rater as the others are. Where raters answer "
    "at random, random scores pass.",
    "Clarify the guidelines and rate again before judging the judge.",
    "warning",
)
NO_COMMON = _rule(
    "R017",
    "Systems share items",
    "{a} and {b} have no rated item in common",
    "Systems are compared on the same items only.",
    "Rate outputs of both systems for the same inputs.",
)
OTHER_RATERS = _rule(
    "R018",
    "The same raters rated both systems",
    "no rater rated both systems often enough: a difference between raters would look like one "
    "between systems",
    "The test compares item means; who gave them is not separated.",
    "Let every rater rate outputs of both systems.",
    "warning",
)
TWO_WAY = _rule(
    "R019",
    "Raters treat systems alike",
    "p and interval take both items and {raters} raters as samples (two-way variance)",
    "Raters differ in how they treat systems; leaving that out finds differences that are not there.",
    "Nothing to mend; say it in the paper.",
)
THESE_RATERS = _rule(
    "R020",
    "Raters are many enough to stand for others",
    "holds for these raters; with {raters} of them nothing is said about others",
    "Fewer than five raters do not show how raters vary.",
    "Have five or more raters rate the same items.",
)
MANY_GROUPS = _rule(
    "R021",
    "Groups are few enough to list",
    "{field} has {groups} groups; the {kept} with most answers are listed",
    "A list of thousands of groups is not read.",
    "Choose a coarser field.",
)
WAVES = _rule(
    "R022",
    "Systems were rated in the same wave",
    "{a} and {b} were rated in different waves ({waves}); raters may have changed in between",
    "Raters drift and guidelines are clarified between waves.",
    "Rate some outputs of the earlier wave again.",
    "warning",
)
ONE_OUTPUT = _rule(
    "R023",
    "A system has more than one output",
    "{n} independent item is not enough for an interval or a test",
    "The spread between items is what an interval is made of.",
    "Rate more outputs.",
)
NOT_CONNECTED = _rule(
    "R024",
    "Every option is connected to every other by wins and losses",
    "strengths are not estimable: {groups}",
    "An option that never won, or a group that never met the others, has no finite strength.",
    "Collect comparisons between the groups, or leave the option out.",
)
NEVER_ENOUGH = _rule(
    "R025",
    "Some number of items is enough",
    "no number of items is enough with {who}: their differences alone leave a standard "
    "error of {floor:.3f}, and {needed:.3f} is needed",
    "What raters disagree on about the systems does not average out over items, only over raters.",
    "Plan more raters.",
    "warning",
)
NOT_RANDOM = _rule(
    "R026",
    "The rated items are a random sample of those the judge scored",
    "holds if the rated items are a random sample of the scored ones",
    "The correction learns the judge's error on rated items and applies it to the others.",
    "Draw the items to rate at random.",
)
USELESS_JUDGE = _rule(
    "R027",
    "The judge does better than chance",
    "sensitivity {sensitivity:.2f} and specificity {specificity:.2f} add up to no more than 1: the "
    "judge says nothing about the true share",
    "The correction divides by how much better than chance the judge is.",
    "Use the raters' share.",
)
LARGE_SAMPLE = _rule(
    "R028",
    "The permutation test could be counted",
    "p is the normal limit of the sign-flip test: {n} items differ in too many sizes to count",
    "With this many items the two agree to more digits than are shown.",
    "Nothing to mend.",
)
MATRIX_CUT = _rule(
    "R029",
    "The rater matrix is small enough to read",
    "{raters} raters; the matrix shows the {kept} with most answers",
    "A matrix of thousands of cells is not read.",
    "Look at the raters' agreement with the rest instead.",
)
FEW_ANSWERS = _rule(
    "R030",
    "A rater has enough answers",
    "only {n} answers; {what} needs at least {needed}",
    "With so few, chance looks like habit.",
    "Wait for more answers.",
)
NO_COMPANY = _rule(
    "R031",
    "A rater shares items with others",
    "this rater shares no item with another one",
    "Severity, drift and agreement are seen against others on the same items.",
    "Plan an overlap between raters.",
)
JUDGE_SAYS = _rule(
    "R032",
    "The judge's score means what it is compared with",
    "{says}",
    "The declaration of this judge says so.",
    "Compare with the score that speaks of the rated output.",
    "warning",
)
NOT_CONVERGED = _rule(
    "R033",
    "The iteration settled",
    "the estimate had not settled after {steps} steps",
    "A value that still moves is not an estimate.",
    "Collect more overlapping answers.",
    "warning",
)
ONE_RATER = _rule(
    "R034",
    "There is more than one rater",
    "there is one rater only: {what} cannot be computed",
    "One person cannot disagree with others.",
    "Ask a second rater to rate some of the items.",
)
FEW_SYSTEMS = _rule(
    "R037",
    "There are enough systems",
    "only {systems} systems have both sides; {what} needs at least {needed}",
    "An order of two systems is right half the time by chance.",
    "Read the statistics per item.",
)
DIFFERENT_ITEMS = _rule(
    "R038",
    "Ranks rest on the same items",
    "systems were rated on different items; a rank mixes systems with items",
    "A system with easier items looks better.",
    "Read the comparisons, which use common items only.",
    "warning",
)
SEPARATION = _rule(
    "R039",
    "Raters' differences were estimable",
    "the raters' variance could not be separated from noise and counts as none",
    "With few ratings a variance estimate can be negative.",
    "Collect a larger pilot.",
)
FIRST_CHOICE = _rule(
    "R040",
    "First choices are analysed unless declared otherwise",
    "{changed} answers to {question} were changed after a second look or an implied level; the "
    "{choice} choice is analysed",
    "A prompt is part of the instrument: what raters chose before it is what they saw themselves.",
    "Declare `report: {{analyse: final}}` beforehand if the final choice is meant.",
)
ITEMS_RESAMPLED = _rule(
    "R041",
    "Agreement intervals speak of items",
    "intervals of agreement come from resampling items (threads where there are threads): they hold "
    "for these raters, not for others who might have rated",
    "With three raters an interval meant for other raters too would be right less often than it says.",
    "Nothing to mend; say it in the paper.",
)
NO_SPREAD = _rule(
    "R042",
    "Items differ, so that a mean can be off",
    "all {n} items have the same value: how far the mean may be off cannot be told",
    "An interval comes from the differences between items; without any it would have no width, which "
    "claims a certainty nobody has.",
    "Rate more items, or give the value alone.",
)
