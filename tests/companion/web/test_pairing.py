"""A code works once and not for long, and cannot be guessed by trying."""

from __future__ import annotations

import pytest

from companion.web.running.devices import Role
from companion.web.running.pairing import (
    LETTERS,
    MAX_CODES,
    TRIES,
    TRIES_ALL,
    TRIES_SECONDS,
    TYPED,
    WRONG,
    Pairing,
    digest,
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_code_works_once() -> None:
    pairing = Pairing(Clock())
    code = pairing.new_code()
    assert pairing.take(code)
    assert not pairing.take(code)


def test_a_code_is_over_after_its_time() -> None:
    clock = Clock()
    pairing = Pairing(clock)
    code = pairing.new_code()
    clock.now = 5 * 60
    assert not pairing.take(code)


def test_another_code_is_none() -> None:
    pairing = Pairing(Clock())
    pairing.new_code()
    assert not pairing.take("")
    assert not pairing.take("made up")


def test_codes_differ_and_the_oldest_go() -> None:
    pairing = Pairing(Clock())
    codes = [pairing.new_code() for _ in range(MAX_CODES + 1)]
    assert len(set(codes)) == len(codes)
    assert not pairing.take(codes[0])
    assert pairing.take(codes[1])


def test_tries_are_limited_by_address_and_forgiven_in_time() -> None:
    clock = Clock()
    pairing = Pairing(clock)
    assert all(pairing.may_try("a") for _ in range(TRIES))
    assert not pairing.may_try("a")
    assert pairing.may_try("b")
    clock.now = TRIES_SECONDS
    assert pairing.may_try("a")


def test_tries_are_limited_over_all_addresses() -> None:
    pairing = Pairing(Clock())
    assert sum(pairing.may_try(str(n)) for n in range(10 * TRIES_ALL)) == TRIES_ALL


def test_a_typed_code_is_short_and_works_once_however_it_is_written() -> None:
    pairing = Pairing(Clock())
    short = pairing.typed(pairing.new_code(Role.GUEST))
    assert len(short) == TYPED
    assert {*short} <= {*LETTERS}
    assert pairing.take(f" {short[:3].lower()} {short[3:]}") == Role.GUEST
    assert pairing.take(short) is None


def test_of_link_and_typed_code_the_first_that_is_used_ends_the_other() -> None:
    pairing = Pairing(Clock())
    code = pairing.new_code()
    short = pairing.typed(code)
    assert pairing.take(code)
    assert pairing.take(short) is None
    code = pairing.new_code()
    assert pairing.take(pairing.typed(code))
    assert pairing.take(code) is None


@pytest.mark.parametrize("written", ["link", "typed"])
@pytest.mark.parametrize(
    ("address", "after", "let_in"),
    [("phone", 0, True), ("phone", 299, True), ("phone", 300, False), ("another", 0, False), ("", 0, False)],
)
def test_a_used_code_is_good_in_its_time_for_the_address_that_used_it(
    written: str, address: str, after: float, let_in: bool
) -> None:
    clock = Clock()
    pairing = Pairing(clock)
    code = pairing.new_code(Role.GUEST)
    codes = {"link": code, "typed": pairing.typed(code)}
    assert pairing.take(codes[written], address="phone")
    pairing.typed(pairing.new_code())  # the computer shows the next one
    clock.now = after
    assert (pairing.take(codes[written], address=address) == Role.GUEST) is let_in
    assert pairing.taken_by(codes[written]) == "phone"
    assert pairing.taken_by("never") is None
    assert not pairing.out(digest(code))


def test_a_typed_code_is_over_after_its_time() -> None:
    clock = Clock()
    pairing = Pairing(clock)
    short = pairing.typed(pairing.new_code())
    clock.now = 5 * 60
    assert pairing.take(short) is None


def test_few_wrong_codes_may_be_typed_before_another_is_shown() -> None:
    pairing = Pairing(Clock())
    code = pairing.new_code()
    short = pairing.typed(code)
    assert pairing.out(digest(code))
    for _ in range(WRONG):
        assert pairing.take("000000") is None
    assert pairing.take(short) is None
    assert not pairing.out(digest(code))  # the page shows another one
    assert pairing.take(pairing.typed(pairing.new_code()))
