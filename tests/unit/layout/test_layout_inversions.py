"""What a value strands. Token counts by hand, as in ``test_layout_breakpoint``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from layout_support import SPAN, block, choice, clock, history, plain, repeat, template, text, value, view
from prefixlint.layout.inversions import inversions
from prefixlint.layout.scopes import shared_prefixes
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from prefixlint.model.templates import Template


def found(made: Template, framed: bool = False) -> list[tuple[str, Lifetime, int, int, bool]]:
    return [
        (each.expression, each.lifetime, each.stable_tokens_before, each.stranded_tokens, each.history_stranded)
        for each in inversions(view(made, framed).located)
    ]


def test_a_value_strands_all_that_lives_longer_behind_it() -> None:
    # "Now" ":" " " | 12 tokens | "\n" "Rules" "." | "amber" of a deployment | " " | "amber" of a request | "." "Bye"
    made = plain(
        text("Now: "),
        clock(),
        text("\nRules."),
        value("region", Lifetime.DEPLOYMENT),
        text(" "),
        value("question", Lifetime.REQUEST),
        text(".Bye"),
    )
    assert found(made) == [
        ("now()", Lifetime.REQUEST, 3, 3 + 1 + 1 + 2, False),
        ("region", Lifetime.DEPLOYMENT, 18, 3, False),
        ("question", Lifetime.REQUEST, 20, 2, False),
    ]


def test_values_at_the_end_invert_nothing() -> None:
    made = plain(text("Rules. "), value("user", Lifetime.USER), text(""), value("question", Lifetime.REQUEST))
    assert found(made) == []


def test_framing_alone_is_not_stranded() -> None:
    made = template(block(text("Rules."), role="system"), block(value("question", Lifetime.REQUEST), role="user"))
    assert found(made, framed=True) == []


def test_framing_counts_with_the_text_it_stands_around() -> None:
    made = template(block(value("user", Lifetime.USER), role="system"), block(text("Go."), role="user"))
    # tail 2, head 4, "Go" ".", tail 2, generation 3
    assert found(made, framed=True) == [("user", Lifetime.USER, 5, 2 + 4 + 2 + 2 + 3, False)]


def test_turn_and_request_values_strand_a_conversation_and_older_ones_do_not() -> None:
    for lifetime in (Lifetime.TURN, Lifetime.REQUEST):
        made = plain(value("x", lifetime, kind=SourceKind.ID), text("\n"), history())
        assert found(made) == [("x", lifetime, 0, 1, True)]
    for lifetime in (Lifetime.SESSION, Lifetime.USER):
        made = plain(value("x", lifetime), value("t", lifetime, "time"), history())
        assert found(made) == []


def test_a_conversation_alone_is_stranded_without_a_count() -> None:
    stamp = value("x", Lifetime.REQUEST, "time", SourceKind.CLOCK)
    assert found(plain(stamp, history())) == [("x", Lifetime.REQUEST, 0, 0, True)]
    loop = repeat("messages", Lifetime.TURN, text("- "), value("m", Lifetime.REQUEST), grows=True)
    assert found(plain(stamp, loop)) == [("x", Lifetime.REQUEST, 0, 0, True)]


def test_a_question_strands_a_conversation_of_its_own_message_only_where_it_goes_on_as_messages() -> None:
    question = value("question", Lifetime.REQUEST, kind=SourceKind.USER_INPUT)
    assert found(plain(question, text("\n"), history())) == [("question", Lifetime.REQUEST, 0, 1, False)]
    chat = template(block(question, role="system"), block(history(), role="history"))
    assert found(chat) == [("question", Lifetime.REQUEST, 0, 0, True)]


def test_a_conversation_strands_fixed_text_behind_its_end() -> None:
    conversation = len(view(plain(history())).request.units[0].ids)
    made = plain(text("Rules. "), history(), text("Answer in French."))
    assert found(made) == [("history", Lifetime.TURN, 3 + conversation, 6, False)]


def test_a_repeated_conversation_is_reported_at_its_loop() -> None:
    loop = repeat("messages", Lifetime.TURN, value("m", Lifetime.REQUEST), text("\n"), grows=True)
    (inversion,) = inversions(view(plain(loop, text("Answer."))).located)
    assert inversion.placed.segment == loop
    assert (inversion.lifetime, inversion.stranded_tokens) == (Lifetime.TURN, 2)


def test_values_that_vary_themselves_count_for_nothing_that_is_stranded() -> None:
    made = plain(
        value("style", Lifetime.UNKNOWN),
        text(" a "),
        value("user", Lifetime.USER),
        value("at", Lifetime.SESSION, "time"),
        value("other", Lifetime.UNKNOWN),
    )
    # " " "a" " ": how long a name is, nobody knows, and what a session or nobody knows does not count anyway.
    assert ("style", Lifetime.UNKNOWN, 0, 3, False) in found(made)


def test_text_inside_a_decision_is_stranded_by_the_value_beside_it_among_the_requests_that_go_that_way() -> None:
    # Two urgent requests differ from the question on: " ", "well", ".", " " and "Bye" are computed again. The decision
    # itself strands "Bye" alone, since the text inside lives no longer than it.
    arm = (text("Note "), value("question", Lifetime.REQUEST), text(" well. "))
    made = plain(choice("urgent", Lifetime.REQUEST, arm, ()), text("Bye"))
    assert found(made) == [
        ("urgent", Lifetime.REQUEST, 0, 1, False),
        ("question", Lifetime.REQUEST, 2, 5, False),
    ]


def test_a_value_in_front_of_a_decision_strands_nothing_inside_it() -> None:
    # The next request may go another way.
    urgent = choice("urgent", Lifetime.REQUEST, (text("Answer at once."),), ())
    made = plain(value("question", Lifetime.REQUEST), urgent, text("Bye"))
    assert found(made)[0] == ("question", Lifetime.REQUEST, 0, 1, False)


def test_text_of_an_inner_decision_is_not_stranded_by_a_value_of_the_outer_one() -> None:
    inner = choice("long", Lifetime.REQUEST, (text("At length."),), ())
    arm = (value("question", Lifetime.REQUEST), inner, text("Please."))
    made = plain(choice("urgent", Lifetime.REQUEST, arm, ()))
    # "Please" and "." alone.
    assert ("question", Lifetime.REQUEST, 0, 2, False) in found(made)


def test_what_stays_the_same_inside_a_decision_strands_nothing_there() -> None:
    arm = (value("style", Lifetime.DEPLOYMENT), text(" and more. "))
    made = plain(choice("urgent", Lifetime.REQUEST, arm, ()), text("Bye"))
    assert found(made) == [("urgent", Lifetime.REQUEST, 0, 1, False)]


def test_items_of_a_list_inside_a_decision_are_told_with_the_list() -> None:
    loop = repeat("docs", Lifetime.REQUEST, text("- "), value("d.text", Lifetime.REQUEST), text(" and more."))
    made = plain(choice("urgent", Lifetime.REQUEST, (loop, text("\nQuote them.")), ()))
    # "\n", "Quote", " ", "them" and "." behind the list.
    assert found(made) == [("docs", Lifetime.REQUEST, 0, 5, False)]


def test_a_shorter_life_inside_a_decision_is_its_own_inversion() -> None:
    arm = (clock(), text(" and more "))
    made = plain(choice("is_admin", Lifetime.USER, arm, ()), text("Bye"))
    assert found(made) == [
        ("is_admin", Lifetime.USER, 0, 1, False),
        ("now()", Lifetime.REQUEST, 0, 5 + 1, False),
    ]


def test_a_list_that_varies_strands_what_follows_it_once() -> None:
    made = plain(repeat("docs", Lifetime.REQUEST, text("- "), value("d.text", Lifetime.REQUEST)), text("\nBye."))
    assert found(made) == [("docs", Lifetime.REQUEST, 0, 3, False)]


def test_shared_prefixes_grow_as_the_scope_narrows() -> None:
    # "Rules" "." | day | "." | user | "." | session | "." | turn | "." | request
    made = plain(
        text("Rules."),
        value("day", Lifetime.DAY),
        text("."),
        value("user", Lifetime.USER),
        text("."),
        value("session", Lifetime.SESSION),
        text("."),
        value("turn", Lifetime.TURN),
        text("."),
        value("question", Lifetime.REQUEST),
    )
    shared = {each.lifetime: each.tokens for each in shared_prefixes(view(made).shared)}
    assert shared == {
        Lifetime.PROCESS: 2,
        Lifetime.DAY: 4,
        Lifetime.USER: 6,
        Lifetime.SESSION: 8,
        Lifetime.TURN: 10,
    }


def test_a_conversation_is_shared_within_its_session_only() -> None:
    made = plain(text("Rules. "), history(), text("Q: "), value("question", Lifetime.REQUEST))
    conversation = len(view(plain(history())).request.units[0].ids)
    shared = {each.lifetime: each.tokens for each in shared_prefixes(view(made).shared)}
    assert shared[Lifetime.USER] == 3
    assert shared[Lifetime.SESSION] == 3 + conversation
    assert shared[Lifetime.TURN] == 3 + conversation + 3


def test_the_fix_moves_a_request_value_behind_the_conversation() -> None:
    conversation = len(view(plain(history())).request.units[0].ids)
    measured = view(plain(value("x", Lifetime.REQUEST, "time"), history()))
    assert measured.prefix == 0
    assert measured.fixed().prefix == conversation


def test_fixed_text_that_comes_with_a_conversation_counts_and_is_none() -> None:
    begun = choice("history", Lifetime.TURN, (text(" Welcome back."),), (), kind=SourceKind.HISTORY)
    assert found(plain(value("x", Lifetime.REQUEST), begun)) == [("x", Lifetime.REQUEST, 0, 5, False)]


def longest(made: Template) -> dict[str, int]:
    return {each.expression: each.longest_text for each in inversions(view(made).located)}


def test_the_longest_fixed_text_behind_a_value() -> None:
    # "\n" "Rules" "." | the question | "\n" "Answer" "." "Bye" "."
    question = value("question", Lifetime.REQUEST)
    made = plain(clock(), text("\nRules."), question, text("\nAnswer.Bye."), value("end", Lifetime.REQUEST))
    assert longest(made) == {"now()": 5, "question": 5}
    made = plain(clock(), text("\nAnswer.Bye."), question, text("\nRules."))
    assert longest(made) == {"now()": 5, "question": 3}


def test_text_under_an_unknown_condition_counts_for_what_stands_there_too() -> None:
    shown = (value("x", Lifetime.REQUEST, kind=SourceKind.ID), text("\nAnswer.Bye."))
    made = plain(clock(), text("\nRules."), choice("shown", Lifetime.UNKNOWN, shown, ()))
    assert longest(made) == {"now()": 3, "x": 5}


def test_text_under_an_unknown_condition_counts_where_another_stands_in_its_place() -> None:
    # "\n" "Answer" "." "Bye" "." or "\n" "Rules" "." "Bye" ".", or a shorter one; behind it the question.
    question = value("question", Lifetime.REQUEST)
    for other, length in ((text("\nRules.Bye."), 5), (text("Bye"), 3)):
        arms = choice("listed", Lifetime.UNKNOWN, (text("\nAnswer.Bye."),), (other,))
        made = plain(clock(), text("\nRules."), question, arms, value("end", Lifetime.REQUEST))
        assert longest(made)["now()"] == length


def test_a_whole_prompt_that_is_filled_in_is_one_piece() -> None:
    # The sample of a prompt has more than 64 words; two words and a space make three tokens.
    def piece(shape: str) -> int:
        made = plain(
            value("question", Lifetime.REQUEST), text(" "), value("system_prompt", Lifetime.DEPLOYMENT, shape=shape)
        )
        return inversions(view(made).located)[0].longest_text

    assert piece("prompt") >= 64
    assert piece("name") <= 3


def test_what_one_run_adds_is_stranded_by_what_changes_in_the_run_alone() -> None:
    asked = value("question", Lifetime.REQUEST)
    there = replace(SPAN, end=replace(SPAN.end, column=SPAN.end.column + 1))
    step = replace(value("step", Lifetime.REQUEST), span=there)
    added = replace(
        value("chat", Lifetime.TURN, kind=SourceKind.HISTORY), drift=Drift("run", "chat", SPAN, within=True)
    )
    for changing in ((), (there,)):
        assert added.drift is not None
        grown = replace(added, drift=replace(added.drift, changing=changing))
        made = template(block(asked, text(" "), step, role="system"), block(grown, role="history"))
        assert [each[0] for each in found(made) if each[4]] == (["step"] if changing else [])


def test_a_task_begins_the_conversation_behind_it() -> None:
    for kind, stranded in ((SourceKind.USER_INPUT, False), (SourceKind.RETRIEVAL, True), (SourceKind.ID, True)):
        for role in ("user", "system"):
            task = block(text("Task: "), value("task", Lifetime.REQUEST, kind=kind), role=role)
            made = template(task, block(history(), role="history"))
            assert [each[4] for each in found(made)] == ([True] if stranded or role == "system" else [])


def test_a_loop_under_a_condition_is_told_beside_it_and_not_one_in_a_loop() -> None:
    # ``{% if documents %}{% for document in documents %}…{% endfor %}{% endif %}``, then "\n" "Rules" "."
    inner = repeat("documents", Lifetime.REQUEST, value("document.text", Lifetime.REQUEST))
    made = plain(choice("documents?", Lifetime.REQUEST, (inner,), ()), text("\nRules."))
    assert [(each[0], each[3]) for each in found(made)] == [("documents?", 3), ("documents", 3)]
    nested = plain(repeat("groups", Lifetime.REQUEST, inner), text("\nRules."))
    assert [(each[0], each[3]) for each in found(nested)] == [("groups", 3)]


def test_a_loop_over_what_stays_says_nothing_of_the_condition_around_it() -> None:
    inner = repeat("rules", Lifetime.CONSTANT, text("rule"))
    made = plain(choice("strict?", Lifetime.REQUEST, (inner,), ()), text("\nRules."))
    assert [each[0] for each in found(made)] == ["strict?"]


def expected(made: Template) -> dict[str, int]:
    return {each.expression: each.expected_tokens for each in inversions(view(made).located)}


def test_a_part_of_the_prompt_that_may_be_off_counts_for_a_quarter() -> None:
    # "\n" "Rules" "." in any case, "\n" "Answer" "." "Bye" "." where the option is on.
    for lifetime in (Lifetime.UNKNOWN, Lifetime.DEPLOYMENT):
        option = choice("with_examples", lifetime, (text("\nAnswer.Bye."),), ())
        assert expected(plain(clock(), text("\nRules."), option)) == {"now()": 3 + 1}
        # One that each request decides anew is there in some of them.
        option = choice("with_examples", Lifetime.REQUEST, (text("\nAnswer.Bye."),), ())
        assert expected(plain(clock(), text("\nRules."), option))["now()"] == 3


def test_what_all_arms_say_is_there_in_any_case() -> None:
    # Of five tokens, those of the shorter arm (3 of 12 characters) and a quarter of the rest.
    option = choice("short", Lifetime.UNKNOWN, (text("\nAnswer.Bye."),), (text("Bye"),))
    assert expected(plain(clock(), option)) == {"now()": round(5 * (3 / 12 + 9 / 12 / 4))}


def test_a_value_under_the_option_strands_all_that_stands_there_with_it() -> None:
    shown = (value("x", Lifetime.REQUEST, kind=SourceKind.ID), text("\nAnswer.Bye."))
    made = plain(clock(), choice("shown", Lifetime.UNKNOWN, shown, ()))
    assert expected(made) == {"now()": 1, "x": 5}


def test_what_is_configured_under_a_condition_that_varies_is_the_condition_s_matter() -> None:
    made = plain(
        text("Now: "),
        choice("asked", Lifetime.REQUEST, (text("Rules "), value("region", Lifetime.DEPLOYMENT), text(" all")), ()),
        text(".Bye"),
    )
    assert [expression for expression, *_ in found(made)] == ["asked"]


def test_a_printed_conversation_strands_messages_but_no_other_printed_one() -> None:
    printed = block(text("So far: "), history(), role="system")
    assert found(template(printed, block(history(), role="history")))[0][4]
    assert not any(stranded for *_, stranded in found(template(printed, block(history(), role="user"))))


def test_what_a_turn_has_once_strands_nothing_of_what_tools_gave_for_it() -> None:
    """A clock may be read anew for each of their rounds; a conversation beside them goes on for more than one turn."""
    asked = value("payload", Lifetime.REQUEST, kind=SourceKind.USER_INPUT)
    documents = value("documents", Lifetime.REQUEST, kind=SourceKind.RETRIEVAL)
    for expression, told in (
        ("tool_results", [False, False, True]),
        ("self.tool_calls_info.model_dump()", [False, False, True]),
        ("tool_names", [True, True, True]),
        ("messages", [True, True, True]),
    ):
        given = replace(history(), expression=expression)
        made = template(
            block(text("Found: "), documents, clock(), role="system"),
            block(text("Asked: "), asked, role="user"),
            block(given, role="history"),
        )
        stranded = {name: apart for name, *_, apart in found(made)}
        assert [stranded.get("documents", False), stranded.get("payload", False), stranded["now()"]] == told
    both = template(
        block(text("Found: "), documents, role="system"),
        block(history(), role="history"),
        block(replace(history(), expression="tool_results"), role="history"),
    )
    assert [(name, apart) for name, *_, apart in found(both)] == [("documents", True)]
