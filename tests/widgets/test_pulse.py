"""The pulse answers what it is asked, and nothing else."""

import pytest

from castlelab.widgets.pulse import Pulse


@pytest.mark.parametrize(
    ("content", "answers"),
    [({"do": "alive?"}, [{"do": "alive"}]), ({"do": "die"}, []), ({}, []), ("alive?", [])],
)
def test_a_living_kernel_says_so(content, answers):
    pulse, sent = Pulse("Gone."), []
    pulse.send = lambda message, buffers=None: sent.append(message)
    pulse._handle_custom_msg(content, [])
    assert sent == answers
