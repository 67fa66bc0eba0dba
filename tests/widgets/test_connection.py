"""The watch answers what it is asked, and nothing else."""

import pytest

from castlelab.widgets.browser.connection import ConnectionWatch


@pytest.mark.parametrize(
    ("content", "answers"),
    [({"do": "alive?"}, [{"do": "alive"}]), ({"do": "die"}, []), ({}, []), ("alive?", [])],
)
def test_a_living_kernel_says_so(content, answers):
    watch, sent = ConnectionWatch("Gone."), []
    watch.send = lambda message, buffers=None: sent.append(message)
    watch._handle_custom_msg(content, [])
    assert sent == answers
