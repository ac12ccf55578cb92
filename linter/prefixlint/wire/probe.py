"""Asks a server: one layout twice with other volatile values, and what it reused against what was predicted."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from prefixlint.engines.earlier import Sent, reuse
from prefixlint.wire.ask import APIS, prepared, requests
from prefixlint.wire.client import ServerError
from prefixlint.wire.usage import Usage, usage_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template
    from prefixlint.wire.ask import Api
    from prefixlint.wire.client import Server

STAND_IN_SHARE = 0.1
"""How far, as a share of the prompt, a prediction by a stand-in tokenizer may be off and still agree."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """Tokens that will be reused of a request of ``total`` tokens. ``exact``: counted by the server's own tokenizer."""

    cached: int
    total: int
    exact: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """One pair of requests. ``first`` and ``second`` are what the server reports of them.

    ``elapsed`` are the wall-clock seconds of each, ``expected`` the prediction in the server's tokens, give or take
    ``tolerance``.
    """

    first: Usage
    second: Usage
    elapsed: tuple[float, float]
    prediction: Prediction
    expected: int | None
    tolerance: int

    @property
    def agrees(self) -> bool | None:
        """None where the server does not say how much it reused."""
        if self.second.cached is None or self.expected is None:
            return None
        return abs(self.second.cached - self.expected) <= self.tolerance


@dataclass(frozen=True, slots=True)
class Spread:
    """Smallest, middle and largest of some figures."""

    least: float
    middle: float
    most: float


def spread(figures: Sequence[float | int | None]) -> Spread | None:
    """The spread of the figures that are known; None where none is."""
    known = sorted(figure for figure in figures if figure is not None)
    return Spread(known[0], median(known), known[-1]) if known else None


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be sent where. ``pairs`` are the two bodies of each trial."""

    api: Api
    path: str
    target: Target
    templates: tuple[Template, ...]
    pairs: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...]


def by_address(server: Server) -> Api | None:
    """The API that the address's path names, if it names one."""
    return next((api for api in APIS.values() if server.path.endswith(api.path)), None)


def detect(server: Server, chat: bool) -> tuple[Api, str]:
    """The API to ask, by the address or else by what the server answers, and the engine that it is taken for.

    Raises ``ServerError`` where it does not answer.
    """
    named = by_address(server)
    if named is not None:
        return named, named.engine
    for path, key, plain, talk, engine in _SIGNS:
        try:
            found = server.get(path).body
        except ServerError as error:
            if error.status is None:
                raise
            continue
        if key in found:
            return APIS[talk if chat else plain], engine
    return APIS["openai-chat"], APIS["openai-chat"].engine


_SIGNS = (
    ("/props", "default_generation_settings", "llama-completion", "openai-chat", "llama-server"),
    ("/api/version", "version", "ollama-generate", "ollama-chat", "ollama"),
)
"""A path that one server answers, a key of the answer, and the APIs for a plain prompt and for a chat."""


def plan(
    template: Template, api: Api, server: Server, target: Target, model: str | None, nonces: Sequence[str]
) -> Plan:
    """The requests of one trial for each nonce. Raises ``CannotAsk``."""
    order = target.cache.order
    templates = tuple(prepared(template, api, order, nonce) for nonce in nonces)
    pairs = tuple(requests(one, api, order, model) for one in templates)
    path = server.path if server.path.endswith(api.path) else _below(server.path, api.path)
    return Plan(api, path, target, templates, pairs)


def _below(base: str, path: str) -> str:
    """The API's path below the address's: "/v1" is in both as a rule."""
    if base.endswith("/v1") and path.startswith("/v1/"):
        return base + path.removeprefix("/v1")
    return base + path


def run(what: Plan, server: Server, tell: Callable[[int, int], None]) -> tuple[Trial, ...]:
    """Sends both requests of each trial and compares. ``tell`` gets how many are done and how many there are.

    Raises ``ServerError``, and ``TokenizerError`` where a tokenizer cannot be had.
    """
    trials = []
    count = 2 * len(what.pairs)
    for number, (template, pair) in enumerate(zip(what.templates, what.pairs, strict=True)):
        prediction = _by_server(what, server, pair) or _by_layout(what, template)
        answers = []
        for step, body in enumerate(pair):
            tell(2 * number + step, count)
            answers.append(server.post(what.path, body))
        first, second = (usage_of(one.body, what.api.usage or None) or Usage(what.api.name) for one in answers)
        expected, tolerance = _expected(what.target, prediction, first)
        elapsed = (answers[0].seconds, answers[1].seconds)
        trials.append(Trial(first, second, elapsed, prediction, expected, tolerance))
    return tuple(trials)


def _expected(target: Target, prediction: Prediction, first: Usage) -> tuple[int | None, int]:
    """What the prediction means in the server's own tokens, and how far off it may be.

    The server's tokenizer settles it. Otherwise the lengths of the first request, predicted and reported, tell how
    both count: the prediction is scaled, and may be off by a block and by what the lengths differ in.
    """
    if prediction.exact:
        return prediction.cached, 0
    if first.total is None or not prediction.total:
        return None, 0
    scaled = round(prediction.cached * first.total / prediction.total) if not target.exact else prediction.cached
    off = abs(first.total - prediction.total) if target.exact else round(STAND_IN_SHARE * first.total)
    return scaled, target.cache.granularity - 1 + off


def _by_layout(what: Plan, template: Template) -> Prediction:
    from prefixlint.layout import build

    layout = build(template, (what.target,))
    found = layout.predictions[0]
    return Prediction(found.cached_tokens, layout.total_tokens, False, found.note)


def _by_server(what: Plan, server: Server, pair: Sequence[Mapping[str, Any]]) -> Prediction | None:
    """The prediction in the tokens of llama-server itself, which offers its template and its tokenizer; or None."""
    if what.target.engine != "llama-server":
        return None
    base = what.path.removesuffix(what.api.path).removesuffix("/v1")
    tokens = []
    try:
        for body in pair:
            prompt = body.get("prompt")
            if prompt is None:
                prompt = server.post(f"{base}/apply-template", {"messages": body["messages"]}).body.get("prompt")
            asked = {"content": prompt, "add_special": True, "parse_special": True}
            ids = server.post(f"{base}/tokenize", asked).body.get("tokens")
            if not isinstance(ids, list) or not ids:
                return None
            tokens.append(tuple(ids))
    except ServerError as error:
        if error.status in (404, 405, 501):
            return None
        raise
    one, other = tokens
    found = reuse(what.target.cache, (Sent(one),), Sent(other))
    return Prediction(found.tokens, len(one), True, found.note)
