"""Everything that can be wrong with files of ratings."""

from __future__ import annotations

from rubrica.errors import Rule

NOT_RECOGNISED = Rule(
    code="X010",
    title="A file of ratings has a layout that is known",
    says="no layout recognises this file",
    why="In a guessed layout answers would be read as something else.",
    mend="Give one of the files that are expected, as the other tool wrote it.",
)
NO_FILE = Rule(
    code="X011",
    title="A file that is named is there",
    says="{got} is not there, or holds no file of ratings",
    why="There is nothing to read.",
    mend="Correct the name.",
)
WRONG_STUDY = Rule(
    code="X012",
    title="A layout belongs to a study that has its questions",
    says="the file is in the layout {layout}, whose questions {missing} this study does not have",
    why="Their answers would have nowhere to go.",
    mend="Name the study this file was filled for; its questions have these names.",
)
NOTHING_MATCHES = Rule(
    code="X013",
    title="A file rates items of the study",
    says="nothing in the file belongs to an item of this study (ratings read: {count})",
    why="It is probably the file of another study, or its ids were changed by a spreadsheet program.",
    mend="Name the right study, or restore the ids; the first one read is {first}.",
)
NO_ITEM = Rule(
    code="X014",
    title="A rating belongs to an item of the study",
    says="the study has no item {got}",
    why="What was rated cannot be told, so the rating is left out and counted.",
    mend="Add the item to the study and import again, or leave it.",
    level="warning",
)
NO_FURTHER_ITEM = Rule(
    code="X015",
    title="A file has no more lines for an item than the study has items",
    says="the study has {there} of {got}, and the file rates one more",
    why="Which of them it belongs to cannot be told, so the rating is left out and counted.",
    mend="Add the item to the study and import again, or leave it.",
    level="warning",
)
SEVERAL_SYSTEMS = Rule(
    code="X023",
    title="A rating says whose output it is of",
    says="{got} is an input of several systems ({systems}), and the line does not say which it rates",
    why="With the wrong system it would be worse than missing, so the rating is left out and counted.",
    mend="Add `exp` to the line, or name the file after the system, as in SYSTEM.jsonl.",
    level="warning",
)
OTHER_RATER = Rule(
    code="X016",
    title="A file holds the ratings of the rater it is imported for",
    says="the file is {got}'s, not {expected}'s",
    why="Under another name these ratings could never be told apart again.",
    mend="Give `--rater {got}`, or the file of {expected}.",
)
TWO_RATERS = Rule(
    code="X017",
    title="A file has one rater",
    says="the file names {got} and {expected}",
    why="One of the two is a mistake, and whose ratings these are would be a guess.",
    mend="Correct the column, or split the file.",
)
TWICE = Rule(
    code="X018",
    title="A rater rates an item once in a file",
    says="{rater} rates {got} a second time, and differently",
    why="Which of the two counts would be a guess.",
    mend="Remove one of them; where two people rated, import their files one by one with `--rater`.",
)
NOT_RECORDED = Rule(
    code="X019",
    title="A value stands only where its question applies",
    says="{question} does not apply here, so {got} is not recorded",
    why="The study's own rule decides which questions apply; null is due here.",
    mend="Write null, or mend the rule in the study file.",
    level="warning",
)
BAD_SHAPE = Rule(
    code="X020",
    title="A line has the shape of its layout",
    says="{what} cannot be read",
    why="Its answers would be lost or taken for others.",
    mend="Write it as the layout's page in the reference shows.",
)
UNKNOWN_FIELD = Rule(
    code="X021",
    title="A field of a rating is one of the layout",
    says="the layout has no field {got}",
    why="What stands there would be lost in silence.",
    mend="Correct the name, or take the field out.",
)
NO_COLUMN = Rule(
    code="X022",
    title="A table has the columns of its layout",
    says="the column {expected} is missing",
    why="Without it the rows cannot be read.",
    mend="Restore the column's name in the first row; the order of columns does not matter.",
)
NOT_AN_ID = Rule(
    code="X024",
    title="Ids are the texts they were",
    says="the id is {got}, which a spreadsheet program made of it",
    why="The item it meant can no longer be told.",
    mend="Restore the column as text from the original file.",
)
MERGED = Rule(
    code="X025",
    title="A table has no merged cells",
    says="cells {got} are merged",
    why="All but one of the values are gone, and rows would be read askew.",
    mend="Take the merge back and fill in every cell.",
)
HALF_FILLED = Rule(
    code="X026",
    title="A rating that is begun is complete",
    says="{missing} not filled in, while other fields are",
    why="Half a rating can be a slip or an interruption; it is not taken for a whole one.",
    mend="Fill in the rest, or set all of its fields to null.",
)
SKIP_AND_LEVEL = Rule(
    code="X027",
    title="A skip has no levels, and a rating is no skip",
    says="`normal` is {normal}, but the levels are {got}",
    why="A skip counts in no mean; which of the two it is cannot be told.",
    mend="Write -1 in all three levels with `normal: false`, or levels with `normal: true`.",
)
RATER_TAKEN = Rule(
    code="X028",
    title="A rater's number means the same person on both sides",
    says="rater {got} is somebody else here",
    why="Numbers tell raters apart only within one study's database.",
    mend="Export with --with-names, so that raters are matched by their ids.",
)
BAD_TIME = Rule(
    code="X029",
    title="Times are written as the layout writes them",
    says="{got} is no time",
    why="When it was rated is part of the record.",
    mend="Write it as {expected}.",
)
ASK_RATER = Rule(
    code="X040",
    title="A file of one rater names the rater",
    says="{count} raters have ratings, but a file of this layout holds one rater's",
    why="Two raters' answers cannot stand in one line.",
    mend="Name one with --rater, or a folder with --to, which gets a file for each.",
)
ASK_FOLDER = Rule(
    code="X041",
    title="What takes several files goes into a folder",
    says="this takes {count} files",
    why="One file cannot hold them.",
    mend="Give a folder: --to {to}",
)
NO_RATER = Rule(
    code="X042",
    title="A rater that is named is there",
    says="the study has no rater {got}",
    why="There would be nothing to write.",
    mend="Use a rater's number or id as the list of raters shows it.",
)
NO_LAYOUT = Rule(
    code="X043",
    title="A study is exported in a layout that has its questions",
    says="the layout {got} does not fit this study",
    why="Its questions are not those of the study.",
    mend="Use --layout tidy, which takes any study.",
)
NOT_JSON_SOURCE = Rule(
    code="X044",
    title="A line is filled into the line it came from",
    says="this item did not come from a line of JSON",
    why="Every other byte of a line is kept, so there must be one.",
    mend="Export with --layout tidy, or load the items from .jsonl.",
)
CELL_CUT = Rule(
    code="X045",
    title="A spreadsheet's cell holds 32,767 characters",
    says="{count} cells were cut; the whole texts stand in {file}",
    why="No spreadsheet can hold more in one cell.",
    mend="Read the whole texts there, or export .jsonl, which cuts nothing.",
    level="warning",
)
NEEDS_EXTRA = Rule(
    code="X046",
    title="Parquet needs its extra",
    says="writing Parquet needs the package polars, which is not installed",
    why="It is large, and most studies do without.",
    mend="Run: pip install 'rubrica[parquet]'",
)
UNKNOWN_ENDING = Rule(
    code="X047",
    title="The end of a file's name says what it is to be",
    says="there is no writer for {got}",
    why="The end of the file's name decides how it is written.",
    mend="Give a name that ends in one of: {expected}.",
)
NAMES_IN_FILE = Rule(
    code="X048",
    title="Files that carry annotator ids are meant to",
    says="this layout carries annotator ids; a tidy export does not",
    why="Ratings are kept apart from names elsewhere.",
    mend="Nothing to mend; take care whom you give the files to.",
    level="note",
)
SKIPS_LEFT_OUT = Rule(
    code="X049",
    title="A layout without a word for skips leaves them out",
    says="{count} skipped items are left out",
    why="This layout knows only rated conversations; a level in their place would be made up.",
    mend="Export with --layout tidy, which has them with their reasons.",
    level="warning",
)
