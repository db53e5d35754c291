"""What can be wrong with what is asked of the desk."""

from __future__ import annotations

from rubrica.errors import Rule

SIGN_IN = Rule(
    code="W110",
    title="The desk is for people with an account",
    says="you are not signed in",
    why="What stands here is not for raters or strangers.",
    mend="Sign in, or use the link that was printed when the server started (`rubrica account link`).",
)
NOT_ALLOWED = Rule(
    code="W111",
    title="People do what their role allows",
    says="this needs the role {role}",
    why="Whoever sees more than their task needs can be influenced by it, or give it away.",
    mend="Ask an owner of the study.",
)
UNREADABLE = Rule(
    code="W112",
    title="A request has the members its address expects",
    says="this request cannot be read: {reason}",
    why="What cannot be read cannot be done.",
    mend="See the API's document at /api/openapi.json.",
)
NOTHING = Rule(
    code="W113",
    title="An address leads somewhere",
    says="there is nothing here",
    why="It is misspelt, what it led to is gone, or it is not yours to see.",
    mend="Go back to the list of studies.",
)
WRONG_METHOD = Rule(
    code="W114",
    title="An address is asked in the way it understands",
    says="this address does not take {got}",
    why="Looking and changing are kept apart.",
    mend="See the API's document at /api/openapi.json.",
)
NO_QUESTION = Rule(
    code="W115",
    title="A settled answer is one the question allows",
    says="this cannot be the answer: {reason}",
    why="A settled answer stands beside the raters' own and must mean the same.",
    mend="Choose one of the question's answers.",
)
BAD_TEXT = Rule(
    code="W116",
    title="A text says something",
    says="the text is empty or too long",
    why="Raters could do nothing with it.",
    mend="Write 1 to {longest} characters.",
)
TOO_MANY = Rule(
    code="W117",
    title="Invitations are made in handy numbers",
    says="these are too many at once",
    why="A list of codes is read, printed or sent by somebody.",
    mend="Invite at most {most} at a time.",
)
RESULTS_CLOSED = Rule(
    code="W118",
    title="Results stay closed while ratings come in",
    says="the study is still open, and nobody has asked to look",
    why="Whoever sees results may stop, or go on, because of them; the report must say so.",
    mend="Close the study, or look now: the look is logged and the report states it.",
)
NO_COMPUTER = Rule(
    code="W119",
    title="Results are computed by a process of their own",
    says="the results could not be computed: {reason}",
    why="The pages of raters must stay quick.",
    mend="Run `rubrica report` on the command line to see what is wrong.",
)
NO_ACCOUNT = Rule(
    code="W120",
    title="A server that others can reach has an account",
    says="nobody has an account with a password, and the server would be reachable from other machines",
    why="Anybody on the network could try to enter, and you could not from another machine.",
    mend="Run `rubrica account add NAME --study STUDY` first (with the same `--db`, if you give one), "
    "or leave out `--host`.",
)
NO_NAMES = Rule(
    code="W121",
    title="A list of people names some",
    says="there is no name in this list",
    why="Nobody would be invited.",
    mend="Write an annotator id a line, or a table with a column called annotator_id.",
)
TOO_EARLY = Rule(
    code="W122",
    title="Judges' scores are shown when people have judged",
    says="the item's ratings are not in yet, or the study keeps the scores back until it is closed",
    why="Who knows what a judge said reads ratings with other eyes.",
    mend="Wait for the ratings, or see `report.show_verdicts` in the study file.",
)
