from __future__ import annotations

import re

from rubrica.accounts.codes import NOBODY, hash_code, matches, new_code


def test_a_code_has_eighty_bits_in_letters_that_cannot_be_confused() -> None:
    code = new_code(lambda count: bytes(range(count)))
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}", code)
    assert new_code(lambda count: b"\xff" * count) == "ZZZZ-ZZZZ-ZZZZ-ZZZZ"
    assert new_code() != new_code()


def test_every_bit_counts() -> None:
    codes = {new_code(lambda count, n=n: (1 << n).to_bytes(count)) for n in range(80)}
    assert len(codes) == 80


def test_a_code_may_be_typed_as_people_type() -> None:
    code = "7K2M-Q0Z1-19XB-RT4F"
    kept = hash_code(code)
    for typed in (
        "7k2mq0z119xbrt4f",
        " 7K2M QOZI 1lXB RT4F ".replace("1l", "19"),
        "7K2M-QOZL-19XB-RT4F",
    ):
        assert matches(typed, kept)
    assert not matches("7K2M-Q0Z1-19XB-RT4G", kept)


def test_no_code_opens_nobody() -> None:
    for code in (None, "", "-" * 64, "0"):
        assert not matches(code, NOBODY)
        assert not matches(code, "")
