"""Runs loops: a body is run silently to see what it repeats, then once more from the state of a later pass."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from prefixlint.frontends.python.budgets import kept_by_budget, walked_back
from prefixlint.frontends.python.conversations import conditions
from prefixlint.frontends.python.hiding import by_number, hides_old, rebuilds_old, without_old
from prefixlint.frontends.python.interest import names_called
from prefixlint.frontends.python.loop_shapes import (
    changed_by_number,
    limit_of,
    looked_for,
    newest_first,
    turned,
)
from prefixlint.frontends.python.loops import (
    is_of_system,
    loop_item,
    repeated_state,
    settled,
    settled_opaque,
    turns,
    with_drifts,
)
from prefixlint.frontends.python.nested_statements import statements_in
from prefixlint.frontends.python.older_places import changed_older, left_out_or_changed
from prefixlint.frontends.python.one_of_lists import with_one_list
from prefixlint.frontends.python.own_nodes import OwnNodes
from prefixlint.frontends.python.passes import Listing, Pass
from prefixlint.frontends.python.rewriting import changed_message, end_in_loop
from prefixlint.frontends.python.shortening import cuts_conversation
from prefixlint.frontends.python.state import State, join
from prefixlint.frontends.python.thresholds import measured, slides
from prefixlint.frontends.python.values import (
    Choose,
    Const,
    DictThing,
    ListThing,
    Many,
    Method,
    ObjectThing,
    Opaque,
    Ref,
    Str,
)
from prefixlint.knowledge.call_names import call_names
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from prefixlint.frontends.python.comprehensions import Run
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import FunctionInfo
    from prefixlint.frontends.python.older_places import Older
    from prefixlint.frontends.python.own_nodes import Definitions
    from prefixlint.frontends.python.values import Val

    Loop = ast.For | ast.AsyncFor | ast.While

_LONGEST = 24
"""Lines of a loop that is run for each item that is known, where others are not: each run takes steps."""


class LoopRuns:
    """Runs ``for`` and ``while`` statements."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._scouting = 0
        self._cutting: dict[tuple[ast.AST, bool], bool] = {}
        self._facts = interpreter.node_facts
        self.running: list[Pass] = []
        self.listing: list[Listing] = []

    @property
    def inside(self) -> bool:
        """Whether the code that is being run stands in a loop, or was called in one."""
        return self._scouting > 0 or bool(self.running)

    def forget(self) -> None:
        """Back to the start, after a run was cut off somewhere inside."""
        self._scouting = 0
        self.running.clear()
        self.listing.clear()

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Outside of all loops, for code that is run in the middle of one and does not belong to it."""
        scouting, running, listing = self._scouting, self.running, self.listing
        self._scouting, self.running, self.listing = 0, [], []
        try:
            yield
        finally:
            self._scouting, self.running, self.listing = scouting, running, listing

    def on_for(self, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
        interpreter = self._interpreter
        node = self._turned(node, frame)
        found = end_in_loop(node)
        message = None if found is None else changed_message(interpreter, node, frame)
        if found is not None and message is not None:
            # A loop over places finds the message at the last one.
            interpreter.assignments.assign(node.target, Const(-1) if _is_range(node.iter) else message, frame)
            interpreter.statements.run_block(
                [statement for statement in found[1] if not isinstance(statement, ast.Break)], frame
            )
            return
        older = self._older(node, frame)
        if older is not None and hides_old(interpreter, node, older, frame):
            return
        by_count = self._by_number(node)
        if by_count and rebuilds_old(interpreter, node, frame):
            return
        over = interpreter.expressions.iterated(interpreter.evaluate(node.iter, frame), node.iter, frame)
        known = interpreter.expressions.known_items(over, frame)
        plain = self._is_plain(node)
        written_out = known is not None and len(known) <= interpreter.bounds.unroll and plain
        over_older = older is not None and older.place is node.iter
        alike = not by_count and not over_older
        short = plain and (node.end_lineno or node.lineno) - node.lineno <= _LONGEST and alike
        runs = interpreter.expressions.runs(over, node.target, node.iter, frame) if known is None and short else None

        if known is not None and written_out and not self._counts_turns(node, known):
            self._each(node, known, frame)
        elif runs is not None:
            self._of_runs(node, runs, frame)
        else:
            item, source = loop_item(interpreter, node.target, node.iter, over, frame)
            newest = newest_first(node.iter)
            if newest is not None:
                item, source = self._until_spent(node, newest, item, source, frame)
                source = by_number(interpreter, node, newest, source, frame)

            def body() -> None:
                interpreter.assignments.assign(node.target, item, frame)
                interpreter.statements.run_block(node.body, frame)

            measuring = frame.measuring
            frame.measuring = measuring or self._measures(node, frame)
            self._run(node, body, source, frame)
            frame.measuring = measuring
            if frame.state is not None and not any(isinstance(s, ast.Break) for s in statements_in(node.body)):
                _settle(_names(node.target), source, frame.state)
            elif frame.state is not None and source.lifetime.known and not source.lifetime.varies:
                _settle(looked_for(node), source, frame.state)
        if frame.state is not None:
            interpreter.statements.run_block(node.orelse, frame)

    def _each(self, node: ast.For | ast.AsyncFor, items: Sequence[Val], frame: Frame) -> None:
        for value in items:
            if frame.state is None:
                return
            self._interpreter.assignments.assign(node.target, value, frame, passing=len(items) > 1)
            frame.state = self._pass(partial(self._interpreter.statements.run_block, node.body, frame), None, frame)

    def _of_runs(self, node: ast.For | ast.AsyncFor, runs: Iterable[Run], frame: Frame) -> None:
        for run in runs:
            if frame.state is None:
                return
            items = run.items if run.single is None else (run.single,)
            if run.choice is not None:
                self._either([partial(self._of_runs, node, arm, frame) for arm in run.arms], run.choice, frame)
            elif run.source is None:
                self._each(node, items, frame)
            else:
                self._run(node, partial(self._each, node, items, frame), run.source, frame)

    @staticmethod
    def _either(arms: Iterable[Callable[[], None]], choice: Choose, frame: Frame) -> None:
        """Runs each of several things from the same state and joins them."""
        assert frame.state is not None
        start, outer, after = frame.state, frame.branch, []
        frame.branch = choice
        for arm in arms:
            frame.state = start.fork()
            arm()
            after.append(frame.state)
        frame.branch = outer
        frame.state = after[0]
        for state in after[1:]:
            frame.state = join(frame.state, state, choice)

    def _older(self, node: ast.For | ast.AsyncFor, frame: Frame) -> Older | None:
        """What a loop does to all but the last messages of a list, told from these by their places."""
        if node not in self._facts.older:
            self._facts.older[node] = changed_older(node, _definitions(frame))
        return self._facts.older[node]

    def on_comprehension(self, node: ast.ListComp, frame: Frame) -> ListThing | None:
        """The list that a comprehension makes of a conversation whose older messages it leaves out or changes."""
        if node not in self._facts.older:
            self._facts.older[node] = left_out_or_changed(node, _definitions(frame))
        older = self._facts.older[node]
        return None if older is None else without_old(self._interpreter, older, frame)

    def _by_number(self, node: ast.For | ast.AsyncFor) -> bool:
        """Whether a loop gives messages another form when it has counted a few."""
        known = self._facts.by_number.get(node)
        if known is None:
            known = self._facts.by_number[node] = changed_by_number(node) is not None
        return known

    def _turned(self, node: ast.For | ast.AsyncFor, frame: Frame) -> ast.For | ast.AsyncFor:
        """The same loop, over a list itself from its end on where it is one over its places."""
        if node not in self._facts.turned:
            self._facts.turned[node] = turned(node)
        found = self._facts.turned[node]
        if found is None:
            return node
        # The place may be asked for behind the loop.
        interpreter = self._interpreter
        over = interpreter.evaluate(node.iter, frame)
        interpreter.assignments.assign(
            node.target, loop_item(interpreter, node.target, node.iter, over, frame)[0], frame
        )
        return found

    def _is_plain(self, node: ast.For | ast.AsyncFor) -> bool:
        """Whether all passes of a loop are run to their end and send nothing."""
        known = self._facts.plain.get(node)
        if known is None:
            known = self._facts.plain[node] = not _leaves(node) and not _sends(node)
        return known

    def _measures(self, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
        """``for turn in turns: if total <= limit: break``: whether a loop is repeated while there is too much."""
        known = self._facts.measuring.get(node)
        if known is None:
            limited = not _sends(node) and bool(limit_of(node.body, frame.module.places.source))
            known = self._facts.measuring[node] = limited
        return known

    def _until_spent(
        self, node: ast.For | ast.AsyncFor, newest: ast.expr, item: Val, source: Opaque, frame: Frame
    ) -> tuple[Val, Opaque]:
        """Item and source of a loop from the end of ``newest`` on, which may leave off when a budget is spent."""
        interpreter = self._interpreter
        over = interpreter.evaluate_quietly(newest, frame)
        whole = interpreter.expressions.as_opaque(over, newest, frame)
        kept = kept_by_budget(node, over, interpreter.thing(over, frame), whole, frame)
        if kept is None or kept.drift is None:
            return item, source
        if isinstance(item, Opaque) and _is_range(node.iter):
            # A place that depends on the messages: ``messages[i:]`` is what the budget leaves.
            drift = Drift("counted", kept.drift.expression, kept.drift.span, bound=kept.drift.bound)
            item = item.but(drift=drift)
        return item, kept.but(expression=source.expression, span=source.span)

    def on_while(self, node: ast.While, frame: Frame) -> None:
        interpreter = self._interpreter
        condition = interpreter.evaluate(node.test, frame)
        source = interpreter.expressions.as_opaque(condition, node.test, frame)
        counting, measuring, seldom = frame.counting, frame.measuring, frame.seldom
        counted = source.drift is not None and source.drift.kind == "counted"
        limit = measured(frame.module.places.source(node.test), exceeding=True)
        if limit and _sends(node):
            limit = ""
        if limit and not slides(Drift("window", "", source.span, bound=limit), conditions(frame)):
            frame.seldom = True
        frame.counting = counting or counted or bool(limit)
        frame.measuring = measuring or bool(limit)
        source = walked_back(node, source, frame) or turns(source)
        self._run(node, lambda: interpreter.statements.run_block(node.body, frame), source, frame)
        frame.counting, frame.measuring, frame.seldom = counting, measuring, seldom
        if frame.state is not None:
            interpreter.statements.run_block(node.orelse, frame)

    def _run(self, node: Loop, body: Callable[[], None], source: Opaque, frame: Frame) -> None:
        """While an outer loop is only looked over, one pass is enough: nested loops cost no more than their depth."""
        assert frame.state is not None
        start = with_one_list(frame.state, frame.function)
        returns, carried, moment = len(frame.returns), frame.carried, frame.moment
        choice = Choose((), source.expression, source.span)
        if frame.function is None and (isinstance(node, ast.While) or _sends(node)):
            # What a module makes in the passes of such a loop is made anew in each.
            frame.moment = Lifetime.REQUEST
        frame.carried = carried | start.variables.keys()
        try:
            frame.state = self._later(node, body, start, source, choice, frame)
            if self._scouting:
                return
            del frame.returns[returns:]
            widened = frame.state
            frame.state = widened.fork()
            first = node.lineno if frame.function is None else frame.function.node.lineno
            self.running.append(Pass(source.span, node, frame.module.places, start, widened, first))
            try:
                last = self._pass(body, choice, frame)
            finally:
                self.running.pop()
            frame.state = widened if last is None else _keep_repeats(widened, last)
        finally:
            frame.carried, frame.moment = carried, moment

    def _later(
        self, node: Loop, body: Callable[[], None], start: State, source: Opaque, choice: Choose, frame: Frame
    ) -> State:
        """The state at the start of a later pass."""
        frame.state = start.fork()
        messages = self._interpreter.calls.requests.messages
        requests = messages.requests
        with self._looking():
            after = self._pass(body, choice, frame)
        if after is None:
            return start.fork()
        asks = messages.requests > requests
        later = repeated_state(start, after, source, partial(_rebuilds, node), asks=asks)
        self._interpreter.lookup.aging.between_passes(start, after, later, source.span if asks else None)
        if self._scouting or not _holds_grown_list(start, later) or not self._may_cut(node, asks=asks):
            return later
        # The first pass finds no more than what stood there before the loop: too little to be cut.
        frame.state = later.fork()
        with self._looking():
            after = self._pass(body, choice, frame)
        return later if after is None else with_drifts(start, later, after)

    @contextmanager
    def _looking(self) -> Iterator[None]:
        self._scouting += 1
        try:
            with self._interpreter.silence():
                yield
        finally:
            self._scouting -= 1

    @staticmethod
    def _pass(body: Callable[[], None], choice: Choose | None, frame: Frame) -> State | None:
        """The state behind one pass, wherever it ends: by ``choice``, or by what a pass left it for."""
        exits, frame.loop_exits = frame.loop_exits, []
        try:
            body()
            state = frame.state
            for other, branch in frame.loop_exits:
                if branch is not None and (is_of_system(branch) or branch.drift is not None):
                    state = join(other, state, branch)
                else:
                    by = choice or branch
                    state = (state or other) if by is None else join(state, other, by)
            return state
        finally:
            frame.loop_exits = exits

    def _may_cut(self, node: Loop, *, asks: bool) -> bool:
        """Whether a loop that sends requests (``asks``) shortens a conversation, or calls what does."""
        known = self._cutting.get((node, asks))
        if known is None:
            nodes, cuts = OwnNodes(node), self._interpreter.lookup.aging.turns.cuts
            known = (asks or _sends(node)) and (cuts_conversation(nodes) or any(map(cuts, self._called(nodes))))
            self._cutting[node, asks] = known
        return known

    def _counts_turns(self, node: Loop, known: list[Val]) -> bool:
        """Whether a loop only counts passes in which functions are called that make or send prompts."""
        if not known or not all(isinstance(value, Const) for value in known):
            return False
        return any(self._interpreter.is_relevant(info) for info in self._called(OwnNodes(node)))

    def _called(self, nodes: OwnNodes) -> Iterator[FunctionInfo]:
        """Functions that code may call, by name."""
        for name in names_called(nodes.of(ast.Call)):
            yield from self._interpreter.functions_named(name)[:2]


def _definitions(frame: Frame) -> Definitions:
    return (frame.module if frame.function is None else frame.function).own_nodes.definitions()


def _rebuilds(node: Loop, name: str) -> bool:
    """Whether all that a loop sets a variable to is made of what it held before: ``messages = clean(messages)``."""
    values = [
        value
        for target, value in OwnNodes(node).bindings()
        if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(target))
    ]
    made = (any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(value)) for value in values)
    return bool(values) and all(made)


def _sends(node: Loop) -> bool:
    """Whether the loop's body may send requests: then each pass is another request, and its item varies."""
    sending = call_names().sending
    nodes = [n for statement in node.body for n in ast.walk(statement)]
    if any(isinstance(n, ast.Await) for n in nodes):
        return True
    return any(
        (isinstance(n.func, ast.Attribute) and n.func.attr in sending)
        or any(keyword.arg == "messages" for keyword in n.keywords)
        for n in nodes
        if isinstance(n, ast.Call)
    )


def _settle(names: Iterable[str], source: Opaque, state: State) -> None:
    """Behind a loop that has run to its end, its variables hold the last item: as stable as what was run over.

    Where it may have been left, what they hold was looked for.
    """
    for name in names:
        if name in state.variables:
            state.variables[name] = _settled(state.variables[name], source)


def _settled(value: Val, source: Opaque) -> Val:
    if isinstance(value, Opaque):
        return settled_opaque(value, source)
    if isinstance(value, Str):
        return Str(settled(value.segments, source))
    if isinstance(value, Choose):
        return replace(value, values=tuple(_settled(arm, source) for arm in value.values))
    return replace(value, owner=_settled(value.owner, source)) if isinstance(value, Method) else value


def _names(target: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _leaves(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the loop's body breaks or returns: then it is not unrolled."""
    return any(isinstance(n, ast.Break | ast.Return) for n in ast.walk(node))


def _holds_grown_list(before: State, later: State) -> bool:
    """Whether a variable holds a list that the passes of a loop add to."""
    for name, value in before.variables.items():
        if isinstance(value, Ref) and later.variables.get(name) == value:
            thing = later.heap.get(value.id)
            changed = isinstance(thing, ListThing) and thing is not before.heap.get(value.id)
            items = thing.items if changed and isinstance(thing, ListThing) else ()
            if any(isinstance(item, Many) and item.over.grows for item in items):
                return True
    return False


def _keep_repeats(widened: State, last: State) -> State:
    """After the second pass: things that the first pass had already widened stay as they were widened."""
    variables = _with_texts(last.variables, widened.variables)
    heap = last.heap.fork()
    for key in widened.heap.changed(last.heap)[1]:
        thing, later = widened.heap.get(key), heap.get(key)
        if isinstance(thing, ListThing):
            heap[key] = thing
        elif isinstance(thing, DictThing) and isinstance(later, DictThing) and thing.rest:
            # What the last pass has put under keys again stands there already.
            heap[key] = replace(later, rest=thing.rest)
        elif isinstance(thing, ObjectThing) and isinstance(later, ObjectThing):
            heap[key] = replace(later, attributes=_with_texts(later.attributes, thing.attributes))
    return State(variables, heap)


def _with_texts(last: Mapping[str, Val], widened: Mapping[str, Val]) -> dict[str, Val]:
    """The names of ``last`` with the texts that they had in ``widened``."""
    kept = {name: value for name, value in widened.items() if isinstance(value, Str)}
    return {name: kept.get(name, value) if isinstance(value, Str) else value for name, value in last.items()}
