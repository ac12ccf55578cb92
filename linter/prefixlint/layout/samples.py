"""Plausible contents for values: two different ones for each kind, always the same two.

The first stands in the rendered sample of a layout; where the second parts from it is where two requests are expected
to part. Lengths follow what such values hold in practice: a question of some 15 words, retrieved text of some 80.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.model.lifetimes import SourceKind

if TYPE_CHECKING:
    from prefixlint.model.segments import Value

Pair = tuple[str, str]

# Two clock values of the same century: a tokenizer that groups three digits shares "202" between them.
_BY_SHAPE: dict[str, Pair] = {
    "word": ("amber", "violet"),
    "name": ("Maria Keller", "John Okafor"),
    "timestamp": ("2026-03-14 09:26:53", "2027-08-05 21:47:19"),
    "date": ("2026-03-14", "2027-08-05"),
    "time": ("09:26:53", "21:47:19"),
    "epoch": ("1773480413", "1817502439"),
    "uuid": ("7f3c2b1e-94d0-4c5a-8e61-0b9a52d7c3f4", "c05e88a9-1d27-4f3b-b6f2-61e4d90378aa"),
    "integer": ("4821", "937"),
    "float": ("0.73", "1.48"),
    "json": (
        '{"id": 4821, "status": "open", "owner": "Maria Keller", "priority": 2}',
        '{"id": 937, "status": "closed", "owner": "John Okafor", "priority": 5}',
    ),
    "list": ("amber, copper, slate, ivory", "violet, jade, coral, onyx"),
    "prompt": (
        "You help customers of a shop for bicycles with orders, returns and repairs. Answer in the language of the "
        "customer and in no more than five sentences. Look an order up before you say anything of it. Never promise a "
        "date of delivery that the carrier has not confirmed, and never quote a price that is not in the catalogue. "
        "Offer a person of the workshop where a repair would touch the brakes.",
        "You write release notes from lists of merged changes. Group them by the part of the program that they touch, "
        "put what breaks existing projects first, and leave out what no user could notice. Use the past tense and "
        "full sentences. Name the person who reported a fault where the list does. Do not guess at reasons which the "
        "change itself does not give.",
    ),
    "catalogue": (
        "- search_orders(customer, since): finds the orders of a customer, the newest first, with their state.\n"
        "- change_address(order, address): sends a parcel to another address until the last depot has scanned it.\n"
        "- refund(order, amount, reason): pays back all or a part of what was paid; needs a reason.\n"
        "- open_ticket(title, text): hands the case to a person of the workshop and gives its number.",
        "- list_files(folder, pattern): names of the files in a folder and below it that fit a pattern.\n"
        "- read_lines(path, first, last): lines of a text file, each with its number in front of it.\n"
        "- apply_patch(patch): changes files as a unified diff says, or none where a part does not fit.\n"
        "- run_tests(names): runs the tests of these names and gives the output of those that fail.",
    ),
    "path": ("/srv/data/reports/march.csv", "/home/okafor/notes/august.txt"),
    # Of an attachment only its place is known: its content is another one in every request, from the first token on.
    "attachment": ("[attachment]", "<other attachment>"),
}

_QUESTION: Pair = (
    "How do I change the delivery address of an order that has already left the warehouse?",
    "What does the warranty cover when a battery loses half of its charge within one year?",
)
_PASSAGE: Pair = (
    "Orders can be redirected until the carrier scans the parcel at the last depot. Open the order, choose a new "
    "address and confirm it with the code from the message. The carrier may charge a fee for the second attempt, which "
    "is shown before anything is changed. Parcels that need a signature go back to the sender when nobody opens the "
    "door twice. Customs forms of parcels from abroad cannot be altered, so a new address has to lie in the same "
    "country as the old one.",
    "Batteries are covered for two years from the day of purchase. A cell that keeps less than seventy percent of its "
    "rated capacity counts as faulty if it was charged with the supplied adapter. Send a photo of the serial number "
    "and the reading of the diagnosis screen to the service desk. Replacement takes five working days, and a loan "
    "device is available in most cities. Water damage and broken seals end the cover at once, whoever opened the "
    "housing and for whatever reason it was done.",
)
_BY_SHAPE["document"] = _PASSAGE
_TALK: Pair = (
    "User: My parcel has not moved for three days, can you look it up?\nAssistant: It is waiting at the depot in Lyon "
    "and will be loaded tonight.\nUser: Could it still go to my office instead?\nAssistant: Yes, as long as the "
    "office is in the same country. Shall I change the address now?\n",
    "Customer: The screen went dark after the update.\nAgent: Please hold the power key for ten seconds and tell me "
    "what the light does.\nCustomer: It blinks twice and stays red.\nAgent: Then the battery is flat. Charge it for "
    "half an hour with the supplied adapter and try once more.\n",
)
_REMARK: Pair = (
    "Prefers short answers and writes from a train with a weak connection.",
    "Works at night, asks about invoices and wants every figure explained.",
)

_BY_KIND: dict[SourceKind, Pair] = {
    SourceKind.USER_INPUT: _QUESTION,
    SourceKind.RETRIEVAL: _PASSAGE,
    SourceKind.HISTORY: _TALK,
    SourceKind.CLOCK: _BY_SHAPE["timestamp"],
    SourceKind.ID: _BY_SHAPE["uuid"],
    SourceKind.RANDOM: ("4821", "937"),
    SourceKind.UNORDERED: _BY_SHAPE["list"],
    SourceKind.LISTING: _BY_SHAPE["list"],
    SourceKind.SHUFFLED: _BY_SHAPE["list"],
    SourceKind.IDENTITY: ("<object at 0x7f3c2b1e94d0>", "<object at 0x55e8a91d27f0>"),
    SourceKind.ATTACHMENT: _BY_SHAPE["attachment"],
}

NEXT_TURN = "User: Thank you, please do.\nAssistant: Done.\n"
"""What a growing conversation has more in the next turn."""


_TURN = re.compile(r"^(?:(User|Customer)|Assistant|Agent): ", re.MULTILINE)


def turns(talk: str) -> list[tuple[str, str]] | None:
    """The turns of a sample conversation, as (role, what was said); None for any other text."""
    found = list(_TURN.finditer(talk))
    if not found or found[0].start() > 0:
        return None
    ends = [each.start() for each in found[1:]] + [len(talk)]
    return [
        ("user" if each[1] else "assistant", talk[each.end() : end].rstrip("\n"))
        for each, end in zip(found, ends, strict=True)
    ]


def sample(value: Value, second: bool = False) -> str:
    """A plausible text for ``value``, or the second one, which differs from the first."""
    kind = value.origin.kind
    if value.grows:
        pair = _TALK
    elif value.shape in ("text", "list") and kind is SourceKind.RETRIEVAL:
        pair = _PASSAGE
    else:
        pair = _BY_SHAPE.get(value.shape) or _BY_KIND.get(kind, _REMARK)
    return pair[second]
