"""What is said at a terminal, and what is asked there."""

from __future__ import annotations

import sys
import textwrap

from castlelab.rules import Rule, Verdict

WIDTH, HEIGHT = 80, 40  # of the terminal that everything fits


def wrapped_text(text: str, width: int = WIDTH) -> str:
    # The id of a rule stays in one piece.
    return textwrap.fill(" ".join(text.split()), width, break_on_hyphens=False)


def complain(message: str) -> None:
    """Tell what is wrong in one line."""
    print("castlelab:", " ".join(message.split()), file=sys.stderr)


def explained(verdict: Verdict) -> str:
    """Every breach on its own lines, with what would mend it and its rule."""
    return "\n".join(wrapped_text(f"- {breach}") for breach in verdict.breaches)


def rule_in_full(rule: Rule) -> str:
    lines = [f"{rule.title}  [{rule.id}]", rule.section, "", wrapped_text(rule.text)]
    if rule.ruling:
        lines += ["", wrapped_text(f"Our ruling: {rule.ruling}")]
    return "\n".join(lines)


def ask(prompt: str) -> str | None:
    """A line from the terminal, or None when there will be no more."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None
