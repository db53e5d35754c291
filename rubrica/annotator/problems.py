"""What raters read when something cannot be done: a kind text per code, nothing that was seen."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "F040": "There is nobody of that name here.",
    "F050": "Please use 1 to 100 letters, digits or signs.",
    "F051": "This id and code do not open this study. Check both; "
    "if you lost the code, ask the people who run the study.",
    "F052": "This id is in use. If it is yours, enter your resume code; otherwise choose another id.",
    "F068": "This code does not fit this id. Check both; if you lost the code, "
    "ask the people who run the study. If you have not been here before, leave the code empty.",
    "F053": "Another page comes first.",
    "F054": "This is not one of your items.",
    "F055": "This item cannot be opened. It does not exist, or enough people have rated it.",
    "F056": "The text has changed since you opened this page. Please load it again.",
    "F058": "The study is closed. Thank you for your work.",
    "F059": "This account cannot go on rating. Please ask the people who run the study.",
    "F060": "Please say why this item cannot be judged.",
    "F061": "This study keeps every first rating.",
    "F065": "Please write a message of up to 4,000 characters.",
    "W001": "This server is not known by that name. Use the address you were given.",
    "W002": "This request came from another site.",
    "W004": "There is nothing here. The address may be misspelt.",
    "W005": "You are not signed in.",
    "W006": "This belongs to somebody else.",
    "W010": "That was tried too often. Please wait a minute and try again.",
}
OTHERWISE = "Something went wrong. What you saved is safe; please try again in a moment."


def message(code: str) -> str:
    return MESSAGES.get(code, OTHERWISE)
