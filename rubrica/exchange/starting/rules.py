"""What can be wrong with, or is to be said of, the files a new study is made over."""

from __future__ import annotations

from rubrica.errors import Rule

NO_DATA = Rule(
    code="X070",
    title="Data that are named are there",
    says="{got} is not there, or cannot be read",
    why="There is nothing to make a study of.",
    mend="Correct the name; a folder stands for everything in and below it.",
)
NOTHING_LIKE_IT = Rule(
    code="X071",
    title="A study is made over files of its kind",
    says="nothing holds {expected} (files looked at: {count})",
    why="The study would have no items.",
    mend="Give other files, or another kind: --like m3bench, vtt or incar.",
)
FILE_LEFT_OUT = Rule(
    code="X072",
    title="A file without items is left out",
    says="this file is left out: {reason}",
    why="Only items are copied into the study's folder.",
    mend="Nothing to mend, unless there should be items in it.",
    level="note",
)
NO_SYSTEM = Rule(
    code="X073",
    title="An output names its system",
    says="lines that do not say whose outputs they are: {count}, taken for those of {system!r}",
    why="Without a name outputs of several systems could not be told apart.",
    mend="Nothing to mend if that is right; otherwise add `exp` to each line.",
    level="note",
)
MEDIA_MISSING = Rule(
    code="X074",
    title="Pictures that items show are among the data",
    says="pictures that are not among the data: {count} of {total}, the first is {first}",
    why="Raters cannot judge what they cannot see. Importing and reporting do without.",
    mend="Put them into {folder} under these names, or make the study again with their folder too; "
    "`rubrica serve --with-holes` opens it without them.",
    level="warning",
)
RATED_ALREADY = Rule(
    code="X075",
    title="Ratings in the data are imported",
    says="ratings in these files, which are no part of the items: {count}",
    why="Raters must not see them; results need them.",
    mend="Run: {command}",
    level="note",
)
TWICE_THERE = Rule(
    code="X076",
    title="An item that stands in several files is one item",
    says="items that stand in an earlier file too and are taken once: {count}",
    why="Raters would judge the same thing twice.",
    mend="Nothing to mend.",
    level="note",
)
NO_SAMPLE = Rule(
    code="X077",
    title="An output belongs to a sample",
    says="outputs without a sample, shown without category and topic: {count}",
    why="Raters understand pictures better with them.",
    mend="Add the file of samples (id, category, topic, annotation) to --data.",
    level="note",
)
UNKNOWN_KIND = Rule(
    code="X078",
    title="A study is made like a bundled one",
    says="there is no bundled study {got!r}",
    why="Nothing was made.",
    mend="Use one of: {expected}.",
)
NAMELESS = Rule(
    code="X079",
    title="Conversations have ids",
    says="conversations without `conversation_id`, known by their files instead: {count}",
    why="Ratings in workbooks are matched by the id; without it they cannot be.",
    mend="Add the ids, if workbooks are to be imported.",
    level="note",
)
NO_INPUT = Rule(
    code="X080",
    title="An output names its input",
    says="this output has neither `id` nor `index`",
    why="Outputs of several systems for the same pictures could not be put side by side.",
    mend="Add the sample's id, or its line counted from 0.",
)
