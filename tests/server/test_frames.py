"""Messages are held against their length before anybody parses them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jupyter_server.services.kernels.connection.base import (
    deserialize_binary_message,
    deserialize_msg_from_ws_v1,
    serialize_binary_message,
    serialize_msg_to_ws_v1,
)

from castlelab.server.frames import MalformedFrame, RateLimit, check_frame

HEADER = {"msg_id": "1", "msg_type": "comm_msg", "username": "", "session": "s"}
MESSAGE: dict[str, Any] = {
    "header": HEADER,
    "parent_header": {},
    "metadata": {},
    "content": {"comm_id": "c", "data": {"do": "pick"}},
    "channel": "shell",
}


def newer(*buffers: bytes, **changed: Any) -> bytes:
    """A message in the newer format, as Jupyter's own code writes it."""
    message = {**MESSAGE, **changed}
    parts = [json.dumps(message[name]).encode() for name in list(MESSAGE)[:4]]
    return bytes(serialize_msg_to_ws_v1([*parts, *buffers], message["channel"]))


def older(*buffers: bytes) -> bytes:
    return bytes(serialize_binary_message({**MESSAGE, "buffers": list(buffers)}))


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_what_jupyter_writes_may_pass(buffers: list[bytes]) -> None:
    check_frame(newer(*buffers), newer=True)
    check_frame(older(*buffers), newer=False)
    check_frame(json.dumps(MESSAGE), newer=False)


@pytest.mark.parametrize(
    ("frame", "is_newer"),
    [
        ((10**8).to_bytes(8, "little"), True),
        ((9 * 10**18).to_bytes(8, "little"), True),
        (b"", True),
        (b"12", True),
        (bytes(8), True),
        (newer()[:60], True),  # cut off
        ("text", True),
        (newer(*[b""] * 300), True),  # more parts than a page ever sends
        (newer(header={**HEADER, "more": "x" * 100_000}), True),
        (bytes.fromhex("7fffffff"), False),
        (bytes.fromhex("ffffffff"), False),
        (bytes.fromhex("00000001"), False),
        (bytes.fromhex("00000000"), False),
        (older(*[b""] * 300), False),
        ("{", False),
        ("[]", False),
        ("{}", False),
        ('{"header": {"msg_type": []}}', False),
        ("[" * 100_000, False),
        (f'{{"header": {"9" * 5_000}}}', False),
        (json.dumps({**MESSAGE, "content": "x" * 2_000_000}), False),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_not_what_it_says_is_refused(frame: str | bytes, is_newer: bool) -> None:
    with pytest.raises(MalformedFrame, match=r"^its? "):
        check_frame(frame, newer=is_newer)


@given(st.binary(max_size=200), st.sampled_from([newer, older]))
def test_what_passes_can_be_parsed(noise: bytes, write: Any) -> None:
    """Noise over the beginning of a good message: refused, or read by Jupyter without harm."""
    frame = noise + write(b"buffer")[len(noise) :]
    is_newer = write is newer
    try:
        check_frame(frame, newer=is_newer)
    except MalformedFrame:
        return
    if is_newer:
        _, parts = deserialize_msg_from_ws_v1(frame)
        assert sum(map(len, parts)) <= len(frame)
    else:
        try:
            message = deserialize_binary_message(frame)
        except KeyError:  # some part of a message is missing: no harm, and the line is closed
            return
        assert sum(map(len, message["buffers"])) <= len(frame)


def test_who_sends_without_end_runs_out_of_it() -> None:
    allowance = RateLimit(burst=100, rate=10)
    assert [allowance.spend(40, now=0) for _ in range(4)] == [True, True, False, False]
    assert allowance.spend(40, now=2)  # 20 came back
    assert not allowance.spend(1, now=2)
    assert allowance.spend(100, now=60)
    assert not allowance.spend(101, now=600)  # more than there ever is
