"""What can be wrong with what a rater asks for. One rule each, so that pages can say it kindly."""

from __future__ import annotations

from rubrica.errors import Rule

BAD_NAME = Rule(
    code="F050",
    title="An annotator id is a short plain text",
    says="{got} cannot be an annotator id",
    why="An id must look the same wherever it is read, typed or printed.",
    mend="Use 1 to {longest} letters, digits or signs, without line breaks.",
)
NOT_ADMITTED = Rule(
    code="F051",
    title="Whoever joins is expected by the study",
    says="this annotator id and code do not open this study",
    why="The study takes expected raters only, and says no more to anybody else.",
    mend="Check the id. If you have joined before, enter your resume code; "
    "if you lost it, ask the people who run the study.",
)
ID_IN_USE = Rule(
    code="F052",
    title="An annotator id in use is opened by its resume code",
    says="this annotator id is in use",
    why="Nobody can rate under another's id.",
    mend="If the id is yours, enter the resume code you were shown when you joined; "
    "otherwise choose another id.",
)
WRONG_CODE = Rule(
    code="F068",
    title="A resume code opens the annotator id it was given for",
    says="this annotator id and this resume code do not belong together",
    why="Nobody can rate under another's id.",
    mend="Check both; if the code is lost, the people who run the study can make a new one. "
    "If you have not joined before, leave the code out.",
)
NOT_YET = Rule(
    code="F053",
    title="Items are given when everything before them is done",
    says="the page that is due is {page!r}",
    why="Consent, guidelines and practice come before the first item.",
    mend="Go to the page that is due.",
)
NO_PLACE = Rule(
    code="F054",
    title="A rater reaches their own places only",
    says="there is no such place",
    why="What other raters have is nobody else's business.",
    mend="Reload the page and go on with the item it shows.",
)
NO_NUMBER = Rule(
    code="F055",
    title="A number that is gone to exists and is free",
    says="number {got} cannot be opened",
    why="There is no such item, or enough raters have it already.",
    mend="Choose another number, or press next.",
)
CHANGED_TEXT = Rule(
    code="F056",
    title="What is confirmed is what is valid now",
    says="the text has changed since the page was loaded",
    why="A confirmation counts only for what was read.",
    mend="Reload the page, read the new text and confirm that.",
)
UNKNOWN_VERSION = Rule(
    code="F057",
    title="Answers name the version of the study their page showed",
    says="the study has no version {got!r}",
    why="Answers are checked against the questions that were asked.",
    mend="Reload the page; what was typed is kept.",
)
CLOSED = Rule(
    code="F058",
    title="Ratings are made while the study is open",
    says="the study is closed",
    why="The results have been taken; later ratings would change them.",
    mend="Nothing needs to be done. Thank you for your work.",
)
STOPPED = Rule(
    code="F059",
    title="A rater who works is active",
    says="this account cannot go on rating",
    why="The account was paused or ended.",
    mend="Ask the people who run the study.",
)
SKIP_REASON = Rule(
    code="F060",
    title="A skip says why",
    says="no reason is given",
    why="Without a reason nobody can tell a broken item from a hard one.",
    mend="Choose a reason or write one, at most {longest} characters.",
)
NO_REVISING = Rule(
    code="F061",
    title="Ratings are revised where the study allows it",
    says="this study keeps every first rating",
    why="Its author wants judgments that later items did not change.",
    mend="Go on with the next item.",
)
BAD_DRAFT = Rule(
    code="F062",
    title="A draft is a small collection of answers",
    says="this draft cannot be kept",
    why="A draft holds what was typed for one item, nothing else.",
    mend="Shorten the longest text; at most {longest} characters fit together.",
)
NO_EXAMPLE = Rule(
    code="F063",
    title="A practice example is one that is due",
    says="there is no practice example {got} to answer now",
    why="Each example is answered once a round, while practice goes on.",
    mend="Reload the page and go on with the example it shows.",
)
BAD_MESSAGE = Rule(
    code="F064",
    title="A message says something",
    says="the message is empty or too long",
    why="An empty message cannot be answered.",
    mend="Write 1 to {longest} characters.",
)
BAD_RATING_ID = Rule(
    code="F065",
    title="A rating's id is made by the browser, long and random",
    says="this cannot be a rating's id",
    why="The id is what keeps a repeated submit from being counted twice.",
    mend="Send 16 to 64 letters, digits, dashes or underscores.",
)
BAD_ATTEMPT = Rule(
    code="F067",
    title="An attempt to join is named by something nobody can guess",
    says="this cannot name an attempt",
    why="The resume code follows from it, so whoever guessed it could come back as this rater.",
    mend="Send 20 to 64 random letters, digits, dashes or underscores.",
)
OTHER_SHOW = Rule(
    code="F066",
    title="A server shows the version of the study whose items are loaded",
    says="the study was changed while the server runs",
    why="Items of the new version cannot be shown as the old one declares.",
    mend="Whoever runs the server should restart it; nothing that was typed is lost.",
)
