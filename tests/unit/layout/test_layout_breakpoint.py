"""Where two requests part.

Token counts are worked by hand: for ``Words`` a run of letters, up to three digits, white space, or a mark is a token.
"""

from __future__ import annotations

from layout_support import block, choice, clock, history, plain, repeat, template, text, value, view
from prefixlint.model.lifetimes import Lifetime


def test_a_timestamp_shares_its_first_digits_with_the_next_one() -> None:
    # "Now" ":" " " | "202" "6" "-" "03" "-" "14" " " "09" ":" "26" ":" "53" | "\n" "Rules" " " "apply" " " "here" "."
    measured = view(plain(text("Now: "), clock(), text("\nRules apply here.")))
    assert measured.total == 22
    found = measured.breakpoint
    assert found is not None
    assert (found.token, found.token_guaranteed) == (4, 2)
    assert (found.expression, found.lifetime) == ("now()", Lifetime.REQUEST)


def test_framing_in_front_of_a_value_is_a_hard_boundary() -> None:
    # 1 opening, 4 head, then "violet" or "amber".
    made = template(block(value("mood", Lifetime.REQUEST), role="user"))
    found = view(made, framed=True).breakpoint
    assert found is not None
    assert (found.token, found.token_guaranteed) == (5, 5)
    assert view(made, framed=True).total == 1 + 4 + 1 + 2 + 3


def test_what_lives_longer_than_a_user_breaks_nothing() -> None:
    made = plain(text("On "), value("day", Lifetime.DAY, "date"), value("host", Lifetime.PROCESS), text(" we open."))
    measured = view(made)
    assert measured.breakpoint is None
    assert measured.prefix == measured.total


def test_an_unknown_value_breaks_and_says_so() -> None:
    found = view(plain(text("Use "), value("style", Lifetime.UNKNOWN), text(" words."))).breakpoint
    assert found is not None
    assert (found.token, found.expression, found.lifetime) == (2, "style", Lifetime.UNKNOWN)


def test_an_unknown_condition_is_configuration() -> None:
    made = plain(choice("strict", Lifetime.UNKNOWN, (text("Be strict."),), ()), text(" Answer."))
    measured = view(made)
    assert measured.breakpoint is None
    assert [item.placed.lifetime for item in measured.located[1:]] == [Lifetime.CONSTANT, Lifetime.CONSTANT]


def test_a_condition_that_varies_breaks_where_its_arms_part() -> None:
    # "Be" " " | "kind" against "short", both followed by "."
    arms = ((text("be kind today."),), (text("be short."),))
    made = plain(text("Please "), choice("mood", Lifetime.REQUEST, *arms), text(" Thanks."))
    found = view(made).breakpoint
    assert found is not None
    assert (found.token, found.token_guaranteed, found.expression) == (4, 1, "mood")


def test_a_conversation_breaks_at_its_end() -> None:
    made = template(
        block(text("You help."), role="system"),
        block(history(), role="user"),
        block(value("question", Lifetime.REQUEST, "text"), role="user"),
    )
    measured = view(made, framed=True)
    found = measured.breakpoint
    assert found is not None
    # 1 opening; system 4 + "You" " " "help" "." + 2; the conversation's head 4 and its tokens.
    conversation = next(item.placed for item in measured.located if item.placed.segment == history())
    assert conversation.start == 1 + 4 + 4 + 2 + 4
    assert found.token == conversation.end
    assert (found.expression, found.lifetime) == ("history", Lifetime.TURN)
    assert conversation.lifetime is Lifetime.SESSION


def test_a_repeat_over_a_conversation_is_appended_to() -> None:
    message = value("m.content", Lifetime.REQUEST)
    made = plain(text("Talk:\n"), repeat("messages", Lifetime.TURN, text("- "), message, text("\n"), grows=True))
    measured = view(made)
    found = measured.breakpoint
    assert found is not None
    # "Talk" ":" "\n" | "-" " " "amber" "\n": one more "- amber" line follows in the next turn.
    assert (found.token, found.lifetime) == (7, Lifetime.TURN)
    assert found.expression == "messages"
    assert all(item.placed.lifetime is Lifetime.SESSION for item in measured.located[1:])


def test_a_clock_inside_a_conversation_breaks_at_its_first_item() -> None:
    made = plain(repeat("messages", Lifetime.TURN, text("- "), clock(), grows=True))
    found = view(made).breakpoint
    assert found is not None
    assert (found.expression, found.token) == ("now()", 3)


def test_a_test_for_a_conversation_turns_but_once_a_session() -> None:
    from prefixlint.model.lifetimes import SourceKind

    begun = choice("history", Lifetime.TURN, (text("So far:\n"), history()), (), kind=SourceKind.HISTORY)
    found = view(plain(text("Rules.\n"), begun, text("\nGo on."))).breakpoint
    assert found is not None
    assert (found.expression, found.lifetime) == ("history", Lifetime.TURN)
    assert found.token > 3 + 4


def test_a_list_that_varies_breaks_at_its_first_value() -> None:
    # "Read" ":" "\n" | "-" " " | "amber"
    made = plain(
        text("Read:\n"), repeat("docs", Lifetime.REQUEST, text("- "), value("d", Lifetime.REQUEST)), text("End.")
    )
    found = view(made).breakpoint
    assert found is not None
    assert (found.expression, found.token, found.token_guaranteed) == ("docs", 5, 2)


def test_an_unknown_list_makes_its_values_unknown_and_leaves_its_text() -> None:
    made = plain(repeat("items", Lifetime.UNKNOWN, text("- "), value("i.name", Lifetime.CONSTANT)))
    measured = view(made)
    assert [item.placed.lifetime for item in measured.located] == [
        Lifetime.UNKNOWN,
        Lifetime.CONSTANT,
        Lifetime.UNKNOWN,
    ]
    assert measured.breakpoint is not None
    assert measured.breakpoint.expression == "i.name"


def test_deep_nesting_is_cut_off_and_does_not_fail() -> None:
    nested = (text("core"),)
    for number in range(200):
        nested = (choice(f"c{number}", Lifetime.UNKNOWN, nested),)
    assert view(plain(*nested, text("end"))).total == 1


def test_repeats_inside_one_another_do_not_double_the_text_without_end() -> None:
    nested = (text("item "),)
    for number in range(20):
        nested = (repeat(f"r{number}", Lifetime.REQUEST, *nested),)
    # Four repeats show their bodies twice: 16 times "item" and a space.
    assert view(plain(*nested)).next_total == 32


def test_components_stand_in_engine_order() -> None:
    made = template(
        block(text("Ask."), role="user"),
        block(text("tools"), role="system", component="tools"),
        block(text("Rules."), role="system", component="system"),
    )
    texts = [item.placed.text for item in view(made).located]
    assert texts == ["Rules.", "tools", "Ask."]
    assert [item.placed.text for item in view(made, order=("tools", "system", "messages")).located] == [
        "tools",
        "Rules.",
        "Ask.",
    ]


def test_blocks_of_a_plain_prompt_are_tokenized_as_one_text() -> None:
    joined = view(template(block(text("tele")), block(text("phone book"))))
    assert joined.total == 3
    assert [item.placed.tokens for item in joined.located] == [1, 2]
    apart = view(template(block(text("tele"), role="user"), block(text("phone book"), role="user")))
    assert apart.total == 4


def test_an_empty_template_has_no_tokens() -> None:
    measured = view(template())
    assert (measured.total, measured.breakpoint, measured.located) == (0, None, ())
