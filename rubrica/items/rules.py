"""What can be wrong with items and their files."""

from __future__ import annotations

from rubrica.errors import Rule

NO_FILES = Rule(
    code="I001",
    title="Every name under `items: from` finds a file",
    says="{pattern!r} finds no file in the study's folder",
    why="A study without its data has nothing to rate, and a batch left out would go unnoticed.",
    mend="Correct the name or pattern (it counts from the study's folder), or put the files there.",
)
OUTSIDE = Rule(
    code="I002",
    title="Data files stand inside the study's folder",
    says="{pattern!r} leads out of the study's folder",
    why="A study that reads from elsewhere cannot be moved, and could show what it should not.",
    mend="Copy the files into the study's folder, or put a link to them there, and name that.",
)
UNREADABLE = Rule(
    code="I003",
    title="Data files can be read",
    says="the file cannot be read: {reason}",
    why="Its items would be missing.",
    mend="See that the file is whole and that you may read it.",
)
NOT_TEXT = Rule(
    code="I004",
    title="Data files are UTF-8 (or UTF-16 with its mark)",
    says="this is neither UTF-8 nor marked UTF-16: {reason}",
    why="In a guessed encoding raters would read garbled letters.",
    mend="Save the file as UTF-8 (in a spreadsheet program: CSV UTF-8).",
)
NOT_JSON = Rule(
    code="I005",
    title="Every item is well-formed JSON",
    says="this is not JSON: {reason}",
    why="What cannot be read cannot be rated.",
    mend="Mend the line, or load the rest with --skip-bad; what is left out is counted.",
)
CUT_LINE = Rule(
    code="I006",
    title="The last line is whole",
    says="the file ends in the middle of its last line",
    why="The program that wrote the file was probably interrupted, and more lines may be missing.",
    mend="Write the file again, or load the rest with --skip-bad.",
)
TOO_LARGE = Rule(
    code="I007",
    title="A line, a file of one item and a workbook have a sensible size",
    says="{what} has more than {limit:,} bytes",
    why="All of it must fit in memory at once.",
    mend="Write one item a line (.jsonl), and large contents as media files of their own.",
)
NOT_OBJECT = Rule(
    code="I008",
    title="An item is an object with named fields",
    says="an item is {got}, not an object",
    why="Paths name fields; there is nothing to name in a bare value.",
    mend='Write each item as an object, such as {{"text": ...}}; '
    "for a list inside a file, give its path as `items: at`.",
)
NO_READER = Rule(
    code="I009",
    title="The file's ending tells how to read it",
    says="nothing here reads {suffix!r} files",
    why="The format must be known to be read without guessing.",
    mend="Rename the file, or name a reader with `items: reader`. There are: {known}.",
)
MISSING = Rule(
    code="I010",
    title="An item has every field that `show` names",
    says="the item has no field {path!r}",
    why="Raters would judge an item that lacks a part of what the study promises to show.",
    mend="Correct the path, add the field (null is allowed), or load the rest with --skip-bad. "
    "Where it may be missing, write a fallback: {path} || ''.",
)
UNNAMED = Rule(
    code="I011",
    title="An item's key and batch can be told",
    says="the {what} of this item cannot be told: {path!r} gives {got}",
    why="Ratings are matched with items by this name.",
    mend="Give every item a text or a number there, or leave `{what}` out of the study file.",
)
SHAPE = Rule(
    code="I012",
    title="What is shown has the form its view needs",
    says="{view} needs {expected} at {path!r}, not {got}",
    why="The page would show something else than the data holds.",
    mend="Choose another view, or a path to a value of that form.",
)
NO_PARTNER = Rule(
    code="I013",
    title="A join finds its record",
    says="{name!r} has no record for {key!r}",
    why="The item would be shown without what the join brings.",
    mend="Add the record, correct `on` and `key`, or write `required: false`.",
)
TWO_PARTNERS = Rule(
    code="I014",
    title="A key stands once in a joined file",
    says="{key!r} stands twice in what is joined as {name!r}",
    why="Which of the two belongs to the item would be a guess.",
    mend="Remove one of them, or join by a key that tells them apart.",
)
NAME_TAKEN = Rule(
    code="I015",
    title="A join brings a new name",
    says="the item has a field {name!r} of its own",
    why="The join would hide it.",
    mend="Choose another name under `as`.",
)
NOT_A_LIST = Rule(
    code="I016",
    title="`at` leads to a list of items",
    says="there is no list at {path!r}",
    why="Items are read from a list.",
    mend="Correct `items: at`, or leave it out where a file is one item.",
)
HEADER = Rule(
    code="I017",
    title="Columns have different names",
    says="the header names the column {name!r} twice",
    why="One of the two would hide the other.",
    mend="Rename one of them.",
)
CELLS = Rule(
    code="I018",
    title="A row has as many cells as the header",
    says="the row has {got} cells, the header {expected}",
    why="Values would stand under wrong names.",
    mend="Put quotes around values that hold a separator or a line break, or mend the row.",
)
QUOTES = Rule(
    code="I019",
    title="Quotes in a table are closed",
    says="the row starting here cannot be read: {reason}",
    why="An open quote swallows all that follows.",
    mend="Close the quote; inside quotes, write a quote twice.",
)
BOMB = Rule(
    code="I020",
    title="A workbook has a sensible size when unpacked",
    says="the workbook would unpack to {got}",
    why="A small file can unpack to more than a machine holds.",
    mend="Keep at most {expected}; save large data as .csv or .jsonl.",
)
WORKBOOK = Rule(
    code="I021",
    title="A workbook can be opened and has the sheet",
    says="the workbook cannot be read: {reason}",
    why="Its items would be missing.",
    mend="Save it again as .xlsx without a password; `items: at` names the sheet.",
)
NEEDS_EXTRA = Rule(
    code="I022",
    title="Parquet needs its extra",
    says="reading Parquet needs the package polars, which is not installed",
    why="It is large, and most studies do without.",
    mend="Run: pip install 'rubrica[parquet]'",
)
NO_ITEMS = Rule(
    code="I024",
    title="A study has items",
    says="the files hold no item to rate",
    why="There is nothing to do for raters.",
    mend="See that the files are the right ones, and that `only` and `at` find something.",
)
MORE = Rule(
    code="I025",
    title="Many problems of one kind are counted, not listed",
    says="{count:,} more of {code} ({example})",
    why="A list of a thousand equal lines helps nobody.",
    mend="Mend the first ones and check again.",
    level="note",
)
FINDS_NOTHING = Rule(
    code="I026",
    title="A path finds something in at least one item",
    says="{path!r} ({what}) finds nothing in any item (looked at: {count:,})",
    why="It is probably misspelt, and what it should give would be missing everywhere.",
    mend="Correct the path.",
    level="warning",
)
NO_MEDIA = Rule(
    code="I027",
    title="Every image, sound and film is there",
    says="not in the media folder: {names}",
    why="Raters would see a hole in its place.",
    mend="Put what is missing there, correct `items: media`, or open the study all the same: "
    "rubrica serve --with-holes.",
)
MEDIA_OUTSIDE = Rule(
    code="I028",
    title="Media stay inside the study's media folder",
    says="{name!r} leads out of the media folder",
    why="A page must never show a file that the study did not mean.",
    mend="Put the file into the media folder and name it from there, without `..` or a leading slash.",
)
SAME_KEY = Rule(
    code="I029",
    title="Items of one key are told apart by their place",
    says="items with a key that an earlier item had first: {count:,}",
    why="They are kept as items of their own, numbered in the order of the files.",
    mend="Nothing to mend if they are different items; otherwise give `key` more paths.",
    level="note",
)
NO_AT = Rule(
    code="I031",
    title="`at` is for readers that have places inside a file",
    says="the reader {reader!r} takes no `at`",
    why="It would have no effect.",
    mend="Leave `items: at` out.",
)
TOO_DEEP = Rule(
    code="I032",
    title="An item's data is nested to a sensible depth",
    says="the item's data is nested too deeply",
    why="It cannot be walked safely.",
    mend="Flatten it, or load the rest with --skip-bad.",
)
NO_FIELD = Rule(
    code="I033",
    title="A path of `items` leads to a field that items have",
    says="none of the {count:,} items looked at has a field {path!r}",
    why="It is misspelt, or made for other files, and raters would lack what it should show.",
    mend="Correct the path.",
)
