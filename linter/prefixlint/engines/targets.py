"""Targets: from what a user writes, or what a template says, to an engine with its facts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from prefixlint.engines.facts import EngineFacts, engine_names, engine_of_model, index, load_facts, matches, resolve
from prefixlint.engines.overrides import Overrides, TargetError, read_overrides
from prefixlint.model.targets import CacheModel, Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefixlint.model.templates import Template


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One line of ``prefixlint targets``. ``minima`` are the minimums of model patterns, as (tokens, patterns)."""

    name: str
    title: str
    kind: str
    cache: CacheModel
    minima: tuple[tuple[int, tuple[str, ...]], ...]
    source: str
    source_date: str
    confidence: str


def load_target(name: str, overrides: Mapping[str, object] | None = None) -> Target:
    """The target that ``name`` means: an engine or an alias of one, with a model behind a colon if any
    (``openai:gpt-4o``).

    ``overrides`` replace facts; ``overrides.KEYS`` lists them. A relay such as LiteLLM takes the cache model of the
    provider that its model names. The target counts as configured. Raises ``TargetError`` for an unknown name or an
    override that cannot be used.
    """
    return replace(_load(name, overrides or {}), configured=True)


def _load(name: str, overrides: Mapping[str, object]) -> Target:
    settings = read_overrides(name, overrides)
    engine, _, model = name.partition(":")
    known = resolve(engine)
    if known is None:
        raise TargetError(_unknown(name))
    if settings.chat_format:
        _check_chat_format(name, settings.chat_format)
    target = _target(name, load_facts(known), settings.model or model or None, settings)
    return replace(
        target,
        cache=replace(target.cache, **settings.cache),
        chat_format=settings.chat_format or target.chat_format,
        chat_template=settings.chat_template or (None if settings.chat_format else _own_template(settings.tokenizer)),
    )


def _own_template(tokenizer: str | None) -> str | None:
    """The chat template that comes with a tokenizer's folder."""
    from prefixlint.tokens.chat_files import has_chat_template

    return tokenizer if tokenizer and has_chat_template(tokenizer) else None


def default_targets(template: Template) -> tuple[Target, ...]:
    """Targets to report where the user chose none: the template's own first, as far as it says, then the usual ones.

    A client that also speaks to others' servers (``openai`` with a model that OpenAI does not have) counts as the
    engine that the model's name points at. Never raises: a hint that means nothing is passed over.
    """
    own = _own_engine(template)
    model = template.model
    targets = []
    if own is not None:
        targets.append(_load(f"{own}:{model}" if model else own, {}))
    open_model = model if own is not None and not load_facts(own).serves and load_facts(own).kind == "engine" else None
    for name in index()["defaults"]:
        if own is None or load_facts(name).engine != load_facts(own).engine:
            carried = open_model if load_facts(name).kind == "engine" else None
            targets.append(_load(f"{name}:{carried}" if carried else name, {}))
    return tuple(targets)


def target_names() -> tuple[str, ...]:
    """All names that ``load_target`` takes without a model, aliases left out, sorted."""
    return engine_names()


def target_rows() -> tuple[TargetRow, ...]:
    """What is known of each engine and provider, by name."""
    rows = []
    for name in engine_names():
        facts = load_facts(name)
        evidence = facts.default_evidence
        minima = tuple((row["minimum"], tuple(row["match"])) for row in facts.models if "minimum" in row)
        cache = _cache_model(facts, None)
        found = (evidence.source, evidence.date, evidence.confidence)
        rows.append(TargetRow(name, facts.title, facts.kind, cache, minima, *found))
    return tuple(rows)


def _own_engine(template: Template) -> str | None:
    engine = resolve(template.engine) if template.engine else None
    if template.model is None:
        return engine
    if engine is None:
        return engine_of_model(template.model)
    serves = load_facts(engine).serves
    if serves and not matches(template.model, serves):
        return engine_of_model(template.model) or engine
    return engine


def _target(name: str, facts: EngineFacts, model: str | None, settings: Overrides) -> Target:
    from prefixlint.tokens.models import tokenizer_for

    tokenizer, variant = settings.tokenizer, settings.variant
    upstream = _upstream(facts, model)
    notes = facts.notes
    if upstream is not facts:
        notes = (*notes, f"{facts.title} passes it on to {upstream.title}", *upstream.notes)
    elif facts.kind == "relay":
        notes = (*notes, f"{facts.title} passes requests on, and the model does not say to whom")
    plain = _plain_model(facts, model)
    choice = tokenizer_for(plain, upstream.engine)
    if choice.note and tokenizer is None:
        notes = (*notes, choice.note)
    evidence = upstream.default_evidence
    if variant is not None and variant not in upstream.variants:
        known = f"it has {', '.join(upstream.variants)}" if upstream.variants else "it has none"
        raise TargetError(f"target {name!r} has no variant {variant!r}: {known}")
    return Target(
        name=name,
        engine=facts.engine,
        cache=_cache_model(upstream, plain, variant),
        model=model,
        tokenizer=tokenizer or choice.name,
        exact=choice.exact if tokenizer is None else True,
        source=evidence.source,
        source_date=evidence.date,
        confidence=evidence.confidence,
        notes=notes,
        invalidators=upstream.invalidators,
    )


def _check_chat_format(target: str, chat: str) -> None:
    from prefixlint.tokens import TokenizerError
    from prefixlint.tokens.chat import chat_format

    try:
        chat_format(chat)
    except TokenizerError as error:
        raise TargetError(f"target {target!r}: {error}") from None


def _upstream(facts: EngineFacts, model: str | None) -> EngineFacts:
    """The facts that hold for a model: those of a later generation's file, or of the provider behind a relay."""
    if facts.kind == "relay" and model:
        head, slash, rest = model.partition("/")
        named = resolve(head) if slash else None
        found = named or engine_of_model(model)
        if found is None or load_facts(found).name == facts.name:
            return facts
        return _upstream(load_facts(found), rest if named else model)
    for route in facts.routes:
        if model and matches(model, route["match"]):
            return load_facts(route["to"])
    return facts


def _plain_model(facts: EngineFacts, model: str | None) -> str | None:
    """A relay's model name without the provider in front of it."""
    if facts.kind == "relay" and model and resolve(model.partition("/")[0]) is not None:
        return model.partition("/")[2]
    return model


def _cache_model(facts: EngineFacts, model: str | None, variant: str | None = None) -> CacheModel:
    """The cache model of the facts. What is not documented is left out of them, and is taken to limit nothing."""
    table: dict[str, Any] = facts.cache_for(model, variant)
    order = table["order"]
    return CacheModel(
        model=table["model"],
        granularity=table.get("granularity", 1),
        minimum=table.get("minimum", 0),
        recompute=table.get("recompute", 0),
        order=_template_order(model) if order == "template" else tuple(order),
        lookback=table.get("lookback"),
        max_breakpoints=table.get("max-breakpoints"),
        implicit_write=table.get("implicit-write", False),
        keep=table.get("keep"),
        tails=tuple(table.get("tails", ())),
        user_starts=table.get("user-starts", False),
        step=table.get("step", 0),
        junctions=table.get("junctions", False),
        window=table.get("window", 0),
    )


def _template_order(model: str | None) -> tuple[str, ...]:
    """Order of the components where the model's own chat template decides over it."""
    table = index()["template-order"]
    for row in table["models"]:
        if model and matches(model, row["match"]):
            return tuple(row["order"])
    return tuple(table["default"])


def _unknown(name: str) -> str:
    engine = name.partition(":")[0]
    near = get_close_matches(engine.lower(), [*engine_names(), *index()["aliases"]], n=2, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(engine_names())}"
    return f"unknown target {engine!r}: {hint}"
