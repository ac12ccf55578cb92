"""Moves in lists of messages, content blocks and parts of a prompt, and of the statements that append to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prefixlint.fixes.edits import replace
from prefixlint.fixes.python_order import around, bindings, dotted
from prefixlint.knowledge.roles import role_of_class, standard_role
from prefixlint.model.findings import Edit, Fix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import libcst as cst

    from prefixlint.fixes.python_tree import PythonTree

LONGEST: Final = 400
"""Longest source of a message, block or part that moves, in characters."""

MARKER: Final = "cache_control"


def entry(node: cst.CSTNode, key: str) -> cst.DictElement | None:
    """The entry of a dict display with that key."""
    import libcst as cst

    for element in node.elements if isinstance(node, cst.Dict) else ():
        if not isinstance(element, cst.DictElement) or not isinstance(element.key, cst.SimpleString):
            continue
        if element.key.raw_value == key:
            return element
    return None


def role_of(node: cst.CSTNode) -> str:
    """The role of a message, written as a dict, a pair or a call of a class of messages; "" for anything else."""
    import libcst as cst

    found = entry(node, "role")
    first: cst.CSTNode | None = found.value if found is not None else None
    if isinstance(node, cst.Tuple) and len(node.elements) == 2:
        first = node.elements[0].value
    if isinstance(first, cst.SimpleString):
        return standard_role(first.raw_value)
    if isinstance(node, cst.Call):
        name = dotted(node.func).rpartition(".")[2]
        return role_of_class(name)
    return ""


def list_moves(tree: PythonTree, display: cst.List, element: cst.CSTNode) -> Iterator[Fix]:
    """Moves of one element of a list behind the others, in front of a question at the end first."""
    elements = list(display.elements)
    at = next((number for number, each in enumerate(elements) if each is element), None)
    if at is None or at == len(elements) - 1:
        return
    value = elements[at].value
    start, end = around(tree, value)
    if end - start > LONGEST:
        return
    roles = [role_of(each.value) for each in elements]
    if roles[at] == "system" and "system" not in roles[:at] + roles[at + 1 :]:
        return
    what = "the message" if roles[at] else "the block" if entry(value, "type") else "the part"
    last = len(elements) - 1
    places = [last] if roles[last] != "user" or last == at + 1 else [last - 1, last]
    for place in places:
        edit = _permuted(tree, display, [*range(at), *range(at + 1, place + 1), at, *range(place + 1, len(elements))])
        if edit is not None:
            yield Fix("unsafe", f"move {what} behind what stays the same", (edit,))


def _permuted(tree: PythonTree, display: cst.List, order: Sequence[int]) -> Edit | None:
    """The edit that puts the elements in this order; commas and line breaks stay where they are.

    None where a comment behind a comma could be taken for that of another element.
    """
    text = tree.source.text
    slots: list[tuple[int, int]] = []
    behind = tree.place(display.lbracket)[1]
    for element in display.elements:
        start = tree.place(element)[0]
        low, high = around(tree, element.value)
        if text[start : start + 1] == "*":
            low = start
        lead = text[behind:low]
        first_line, _, rest = lead.partition("\n")
        if "#" in first_line:
            return None
        if "#" in rest:
            low = behind + len(first_line) + 1 + (len(rest) - len(rest.lstrip(" \t")))
        slots.append((low, high))
        comma = text.find(",", high)
        behind = comma + 1 if comma != -1 and not text[high:comma].strip() else high
    closing = text[behind : tree.place(display.rbracket)[0]]
    if "#" in closing.partition("\n")[0]:
        return None
    out = []
    for number, (_, high) in enumerate(slots):
        source = slots[order[number]]
        between = text[high : slots[number + 1][0]] if number + 1 < len(slots) else ""
        out.append(text[source[0] : source[1]] + between)
    return replace(tree.source, slots[0][0], slots[-1][1], "".join(out))


def statement_moves(tree: PythonTree, call: cst.CSTNode) -> Iterator[Fix]:
    """Moves of ``parts.append(…)`` or ``text += …`` behind the last statement that adds to the same name."""
    import libcst as cst

    name = _added_to(call)
    statement: cst.BaseStatement | None = next(
        (each for each in tree.up(call) if isinstance(each, cst.SimpleStatementLine)), None
    )
    while name and statement is not None:
        block = tree.parent(statement)
        if not isinstance(block, cst.IndentedBlock | cst.Module):
            return
        body = list(block.body)
        at = next(number for number, each in enumerate(body) if each is statement)
        last = max((number for number in range(at + 1, len(body)) if _adds(tree, body[number], name)), default=at)
        if last > at and _may_pass(tree, statement, body[at + 1 : last + 1], name):
            edits = _shifted(tree, statement, body[last])
            if edits:
                yield Fix("unsafe", f"add this to `{name}` behind what stays the same", edits)
            return
        outer = tree.parent(block)
        if not isinstance(outer, cst.If) or outer.orelse is not None or len(body) > 3:
            return
        statement = outer if tree.place(outer)[1] - tree.place(outer)[0] <= LONGEST else None


def _added_to(node: cst.CSTNode) -> str:
    """Name of the list or string that a call or statement adds to."""
    import libcst as cst

    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and isinstance(node.func.value, cst.Name):
        return node.func.value.value if node.func.attr.value in ("append", "extend") else ""
    if isinstance(node, cst.AugAssign) and isinstance(node.operator, cst.AddAssign):
        return node.target.value if isinstance(node.target, cst.Name) else ""
    return ""


def _adds(tree: PythonTree, statement: cst.CSTNode, name: str) -> bool:

    import libcst as cst

    adding = [*tree.every(cst.Call, statement), *tree.every(cst.AugAssign, statement)]
    return any(_added_to(each) == name for each in adding)


def _may_pass(tree: PythonTree, statement: cst.CSTNode, others: Sequence[cst.CSTNode], name: str) -> bool:
    """May the statement run behind the others: none of them changes a name that it uses, or ends the function?"""
    import libcst as cst

    if tree.any_of((cst.NamedExpr, cst.Await, cst.Yield, cst.Return), statement):
        return False
    used = {each.value for each in tree.every(cst.Name, statement)} - {name}
    for other in others:
        if tree.any_of((cst.Return, cst.Raise, cst.Break, cst.Continue, cst.Yield), other):
            return False
        if any(list(_bound(tree, other, each)) for each in used):
            return False
    return True


def _bound(tree: PythonTree, statement: cst.CSTNode, name: str) -> Iterator[object]:
    scope = tree.scope(statement)
    low, high = tree.place(statement)
    for value in bindings(tree, scope, name):
        if value is None or (low <= tree.place(value)[0] and tree.place(value)[1] <= high):
            yield value


def _shifted(tree: PythonTree, statement: cst.CSTNode, target: cst.CSTNode) -> tuple[Edit, ...]:
    """The statement's lines, with the comments right above, moved behind those of ``target``."""
    source = tree.source
    lines = source.line_starts
    first = source.position(tree.place(statement)[0]).line
    last = source.position(tree.place(statement)[1] - 1).line
    indent = len(_line(tree, first)) - len(_line(tree, first).lstrip())
    while first > 1 and _line(tree, first - 1).strip().startswith("#"):
        if len(_line(tree, first - 1)) - len(_line(tree, first - 1).lstrip()) != indent:
            break
        first -= 1
    behind = source.position(tree.place(target)[1] - 1).line
    if last >= len(lines) or (source.text[lines[first - 1] : tree.place(statement)[0]].strip(" \t") and first == last):
        return ()
    text = source.text[lines[first - 1] : lines[last]]
    at = lines[behind] if behind < len(lines) else len(source.text)
    if behind >= len(lines):
        text = ("\r\n" if "\r\n" in source.text else "\n") + text.rstrip("\r\n")
    cut = Edit(source.span(lines[first - 1], lines[last]), "")
    return (cut, Edit(source.span(at, at), text))


def _line(tree: PythonTree, number: int) -> str:
    starts = tree.source.line_starts
    end = starts[number] if number < len(starts) else len(tree.source.text)
    return tree.source.text[starts[number - 1] : end].rstrip("\r\n")


def marker_moves(tree: PythonTree, start: int, end: int) -> Iterator[Fix]:
    """Moves of the cache marker of a block to the block in front of it."""
    import libcst as cst

    node: cst.CSTNode | None = tree.innermost(start, end)
    while node is not None and entry(node, MARKER) is None:
        node = tree.parent(node)
    element = tree.parent(node) if node is not None else None
    display = tree.parent(element) if element is not None else None
    if not isinstance(node, cst.Dict) or not isinstance(display, cst.List):
        return
    at = next((number for number, each in enumerate(display.elements) if each is element), 0)
    if not at:
        return
    other = display.elements[at - 1].value
    marker = entry(node, MARKER)
    if not isinstance(other, cst.Dict) or entry(other, MARKER) is not None or marker is None or not other.elements:
        return
    text = tree.source.text
    low, high = tree.place(marker)
    shown = text[low:high].rstrip().rstrip(",")
    if node.elements[-1] is marker and len(node.elements) > 1:
        before = around(tree, node.elements[-2].value)[1]
        cut = (before, around(tree, marker.value)[1])
    else:
        following = next((each for each in node.elements if tree.place(each)[0] > low), None)
        if following is None:
            return
        cut = (low, tree.place(following)[0])
    if "#" in text[cut[0] : low] + text[around(tree, marker.value)[1] : cut[1]]:
        return
    behind = around(tree, other.elements[-1].value)[1]
    edits = (Edit(tree.source.span(behind, behind), f", {shown}"), Edit(tree.source.span(*cut), ""))
    yield Fix("unsafe", "move the cache marker to the block in front", edits)
