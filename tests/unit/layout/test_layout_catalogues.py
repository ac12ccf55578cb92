"""Lists of what a program is set up with: how long they are taken to be, and where they count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layout_support import choice, plain, repeat, text, value, view
from prefixlint.layout.inversions import inversions
from prefixlint.model.lifetimes import Lifetime, Origin, SourceKind
from prefixlint.model.segments import Repeat, Segment

if TYPE_CHECKING:
    from prefixlint.model.templates import Template

QUESTION = value("question", Lifetime.REQUEST)
TOOLS = value("tools", Lifetime.DEPLOYMENT, "catalogue", SourceKind.CONFIGURATION)
ORDER = text("Answer the question, and say which of the tools below you would use for it.\n")


def over(expression: str, kind: SourceKind, *body: Segment, lifetime: Lifetime = Lifetime.DEPLOYMENT) -> Repeat:
    made = repeat(expression, lifetime, *body)
    return Repeat(made.body, expression, made.span, lifetime, Origin(kind), made.confidence)


def stranded(made: Template) -> dict[str, tuple[int, int]]:
    """Stranded tokens and the longest text behind, for each value."""
    return {each.expression: (each.stranded_tokens, each.longest_text) for each in inversions(view(made).located)}


def tokens(*segments: Segment) -> int:
    return view(plain(*segments)).total


def test_a_catalogue_is_text_that_is_stranded_in_one_piece() -> None:
    length = tokens(TOOLS)
    assert stranded(plain(ORDER, QUESTION, text("\n"), TOOLS))["question"] == (length + 1, length + 1)
    assert "question" not in stranded(plain(ORDER, TOOLS, QUESTION))


def test_in_a_form_of_labels_it_counts_for_nothing() -> None:
    found = stranded(plain(text("Seen: "), QUESTION, text("\nRules: "), TOOLS))
    assert found["question"][0] == 4  # "\n" "Rules" ":" " "


def test_in_a_form_a_long_list_that_the_code_holds_counts() -> None:
    item = (text("- "), value("tool.name", Lifetime.CONSTANT, kind=SourceKind.CONFIGURATION), text("\n"))
    made = plain(QUESTION, over("TOOLS", SourceKind.CONFIGURATION, *item, lifetime=Lifetime.CONSTANT))
    # "-" " " "amber" "\n", three times
    assert stranded(made)["question"] == (12, 12)
    named = plain(QUESTION, over("tools", SourceKind.CONFIGURATION, *item))
    assert "question" not in stranded(named)


def test_a_list_over_configuration_tells_of_three_things() -> None:
    item = (text("- "), value("tool.name", Lifetime.DEPLOYMENT, kind=SourceKind.CONFIGURATION), text("\n"))
    made = plain(ORDER, QUESTION, over("tools", SourceKind.CONFIGURATION, *item))
    # "-" " " "amber" "\n", three times
    assert stranded(made)["question"] == (12, 12)


def test_a_list_over_anything_else_tells_of_one() -> None:
    item = (text("- "), value("page.title", Lifetime.SESSION), text("\n"))
    made = plain(ORDER, QUESTION, over("pages", SourceKind.SESSION, *item, lifetime=Lifetime.SESSION))
    assert stranded(made)["question"] == (3, 0)  # "-" " " and "\n"


def test_a_list_within_a_list_is_not_multiplied_again() -> None:
    inner = over("tool.fields", SourceKind.CONFIGURATION, value("field", Lifetime.DEPLOYMENT), text(" "))
    made = plain(ORDER, QUESTION, text(": "), over("tools", SourceKind.CONFIGURATION, inner, text("\n")))
    # ":" " ", and three times "amber" " \n"
    assert stranded(made)["question"][0] == 2 + 6


def test_fixed_items_are_not_repeated() -> None:
    made = plain(ORDER, QUESTION, over("rules", SourceKind.CONFIGURATION, text("- Be brief.\n")))
    assert stranded(made)["question"][0] == tokens(text("- Be brief.\n"))


def test_a_catalogue_under_an_option_counts_in_part() -> None:
    made = plain(ORDER, QUESTION, choice("tools", Lifetime.UNKNOWN, (text("Tools:\n"), TOOLS), ()))
    found = next(each for each in inversions(view(made).located) if each.expression == "question")
    assert found.expected_tokens < found.stranded_tokens / 2
