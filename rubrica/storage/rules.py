"""Everything that can be wrong with a database, and with what is brought to it."""

from __future__ import annotations

from rubrica.errors import Rule

WRONG_ADDRESS = Rule(
    code="D001",
    title="A database is named by a file or a PostgreSQL address",
    says="{got} is no database this program can open: {reason}",
    why="Ratings are kept in one SQLite file or in PostgreSQL.",
    mend="Give a file (`rubrica.db`, `sqlite:///path`) or `postgresql://user@host/name`.",
)

NO_FOLDER = Rule(
    code="D002",
    title="The folder of the database exists",
    says="the folder {folder} does not exist",
    why="The database is made in a folder that is there, so that a typing error makes no new one.",
    mend="Make the folder, or correct the path.",
)

READ_ONLY = Rule(
    code="D003",
    title="The database and its folder can be written",
    says="{got} cannot be written: {reason}",
    why="The database keeps a log and a lock beside itself; without them nothing can be saved.",
    mend="Give yourself the right to write the file and its folder, or choose another with `--db`.",
)

NOT_A_DATABASE = Rule(
    code="D004",
    title="The file is a database of this program",
    says="{got} is not a database of this program",
    why="Opening another program's file could damage it.",
    mend="Correct the path, or restore a backup if this used to be your database.",
)

CORRUPT = Rule(
    code="D005",
    title="The database is whole",
    says="the database is damaged: {reason}",
    why="Reading or writing a damaged file could lose more.",
    mend="Stop all programs that use it, keep a copy of all its files, then restore a backup.",
)

NEWER = Rule(
    code="D006",
    title="The database is not newer than the program",
    says="the database was made by a newer version of this program (its format is {got})",
    why="An older program does not know what the newer one keeps there.",
    mend="Upgrade this program, or open the database with the version that made it.",
)

LOCKED = Rule(
    code="D007",
    title="The database can be locked in time",
    says="the database is held by another program: {reason}",
    why="Only one program writes at a time; this one has waited long enough.",
    mend="Find what holds it (a backup, a database browser, a stopped server), end it and try again.",
)

FULL = Rule(
    code="D008",
    title="There is room for what is saved",
    says="the disk is full; nothing of this was saved",
    why="What does not fit is not half-saved: the database stands as it was.",
    mend="Make room on the disk. What raters typed waits in their browsers and is sent again.",
)

UNREACHABLE = Rule(
    code="D009",
    title="The database answers",
    says="the database cannot be reached: {reason}",
    why="Without it nothing can be saved; what raters typed waits in their browsers.",
    mend="Check that the server runs, and its address, name and password.",
)

OLD_SQLITE = Rule(
    code="D010",
    title="SQLite has no known fault that damages databases",
    says="SQLite {got} can damage a database when a write and two checkpoints meet in a bad moment",
    why="This program keeps writes and checkpoints apart by a lock, but other programs that open the "
    "file do not.",
    mend="Let no other program write to the file while a study runs, or use Python with SQLite 3.51.3, "
    "3.50.7, 3.44.6 or newer.",
    level="warning",
)

NO_GUARD = Rule(
    code="D011",
    title="Triggers keep ratings from being changed",
    says="the table {got} has lost a trigger that refuses changes: {missing}",
    why="Ratings and logs are only ever added to; the triggers hold that against every program.",
    mend="Find out who removed it; then restore a backup, or make the trigger anew from the migration.",
)

LOST_PLACE = Rule(
    code="D012",
    title="Every rating has its place",
    says="{got} ratings have no place that says they were made, the first of them {first}",
    why="A rating without its place could be asked for again.",
    mend="Keep a copy of the database and restore the newest backup that has no such finding.",
)

OVER_ASSIGNED = Rule(
    code="D013",
    title="No item has more raters than asked",
    says="{got} items have more places than the study asks for, the first of them {first}",
    why="More raters than planned cost money and tilt the results.",
    mend="Keep a copy of the database; the results count all of these ratings.",
)

MISCOUNTED = Rule(
    code="D014",
    title="The count of an item's raters is right",
    says="items that count their raters wrongly: {got}, the first of them {first}",
    why="Places are given by this count.",
    mend="Keep a copy of the database and restore the newest backup that has no such finding.",
)

FROM_THE_FUTURE = Rule(
    code="D016",
    title="The clock is not behind what is stored",
    says="{got} ratings were received later than now, the first of them as number {first}",
    why="The clock was ahead when they came, or is behind now; reservations run by it.",
    mend="Set the clock right, and let the system keep it; the ratings themselves are sound.",
    level="warning",
)

SCHEMA_CHANGED = Rule(
    code="D015",
    title="The tables are as the migrations left them",
    says="tables or columns are missing: {missing}",
    why="Something outside this program has changed the database.",
    mend="Restore a backup.",
)

UNEXPECTED = Rule(
    code="D019",
    title="The database does what it is asked",
    says="the database refused: {reason}",
    why="This is a mistake of the program or a fault of the machine; nothing was half-saved.",
    mend="Run `rubrica doctor`, and report what it says.",
)

UNKNOWN_STUDY = Rule(
    code="D020",
    title="The study is in the database",
    says="the database knows no study called {got}",
    why="A study's version and items are loaded before anything else.",
    mend="Load it first: `rubrica load STUDY`.",
)

UNKNOWN_ITEM = Rule(
    code="D021",
    title="The item is in the study",
    says="this study has no such item",
    why="The id names nothing here.",
    mend="Go back to the list of items.",
)

UNKNOWN_RATER = Rule(
    code="D022",
    title="The rater is in the study",
    says="this study has no rater with the number {got}",
    why="Places and ratings belong to a rater who has joined.",
    mend="Let the rater join first.",
)

NOT_YOUR_PLACE = Rule(
    code="D030",
    title="A rating fills its rater's own place",
    says="this place is not yours, or is not for this item",
    why="A rating is only ever recorded for the place it was asked for.",
    mend="Load the page again and go on from there.",
)

ID_TAKEN = Rule(
    code="D031",
    title="A rating's id names one rating",
    says="another rating has this id",
    why="An id that comes again with other content is no repetition, and nothing is overwritten.",
    mend="Send the rating again under a new id.",
)

ALREADY_RATED = Rule(
    code="D032",
    title="A rated place is changed by a revision only",
    says="this place has been rated already",
    why="A second rating without a word about the first could overwrite it unseen.",
    mend="Load the page again, look at the rating that stands, and change that.",
)

SUPERSEDES_NOTHING = Rule(
    code="D033",
    title="A revision names a rating of its own place",
    says="the rating that is to be replaced is not one of this place",
    why="A revision changes one's own earlier answers to the same item.",
    mend="Load the page again, look at the rating that stands, and change that.",
)

UNKNOWN_VERSION = Rule(
    code="D034",
    title="A rating names a version of the study that is kept",
    says="the database knows no version {got} of this study",
    why="What a rating means is read from the version its page showed.",
    mend="Load the page again.",
)

SAME_ITEM_TWICE = Rule(
    code="D035",
    title="An item comes once in a load",
    says="the item {got} comes twice with the same copy number",
    why="Each item is one record; copies of a key are told apart by their number.",
    mend="Number copies of a key in the order in which they stand.",
)

LIST_NAMES_NOTHING = Rule(
    code="D036",
    title="A fixed list names items of the study",
    says="the list of {rater} names {got}, which is no item that is rated",
    why="The rater would be given less than was planned, unnoticed.",
    mend="Correct the key in the list, or add the item.",
)

UNKNOWN_PERSON = Rule(
    code="D040",
    title="An account that is changed exists",
    says="there is no account with the number {got}",
    why="There is nobody to change.",
    mend="Look at the list of accounts.",
)

NO_BACKUP = Rule(
    code="D050",
    title="What is backed up or restored is there",
    says="there is no {what} at {got}",
    why="There is nothing to copy.",
    mend="Correct the path, or name the database with `--db`.",
)

THERE_ALREADY = Rule(
    code="D051",
    title="A copy overwrites nothing",
    says="{got} is there already",
    why="It could otherwise take the place of ratings that nothing else holds.",
    mend="Choose a name or an address where there is nothing yet.",
)

OLD_FORMAT = Rule(
    code="D052",
    title="A PostgreSQL database has this program's format when it is copied",
    says="the database has an older format ({got})",
    why="Its tables are copied one by one, as this program knows them.",
    mend="Back it up with the version that made it, or open it once with this one, which upgrades it.",
)
