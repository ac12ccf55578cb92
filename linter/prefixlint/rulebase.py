"""What rules derive from, and the findings and options that they have in common.

A rule looks at one ``Layout`` and yields ``Finding`` objects. It reads no file, parses nothing and knows nothing of
suppression: the engine does that. Most rules are about inversions (a value in front of something that lives longer);
for those, derive from ``InversionRule``, say which inversions are yours, and the rest is done.

A rule's page stands beside its module: ``my_rule.py`` and ``my_rule.md``. Rules are found through the entry-point group
``prefixlint.rules``: each entry names a tuple of rule instances.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from prefixlint.model.findings import Finding, Fix, Related, Severity
from prefixlint.model.lifetimes import Confidence, Hop, Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Value
from prefixlint.sentences import CHANGES, cost, gain, hedged, place, quoted
from prefixlint.severity import BY_LIFETIME, at_confidence, confidence_of, counts, matters, severity_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prefixlint.model.code import CodeFact
    from prefixlint.model.layouts import Inversion, Layout, Placed, TemplateEffect
    from prefixlint.model.segments import Drift
    from prefixlint.model.sources import Span


@dataclass(frozen=True, slots=True)
class Options:
    """No options. A rule with options derives its own class; each field is an option, in kebab case for users."""


@dataclass(frozen=True, slots=True)
class RuleOptions(Options):
    """Options that every rule about inversions has; a rule with more of them derives its own.

    ``min_stranded_tokens``: how many tokens must be stranded behind a value for a finding; a stranded conversation
    history always counts.
    """

    min_stranded_tokens: int = 64


@dataclass(frozen=True, slots=True)
class Rule(ABC):
    """A check. Instances are immutable; the engine replaces ``options`` with what the configuration says.

    ``code`` is unique ("PFX101"), ``name`` unique and in kebab case, ``since`` the version that brought the rule,
    ``summary`` one line without a full stop, ``default`` whether it runs when nothing is selected, ``preview``
    whether it runs only where rules in preview are asked for, ``url`` the address
    of its page where that is published.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    since: ClassVar[str]
    summary: ClassVar[str]
    default: ClassVar[bool] = True
    preview: ClassVar[bool] = False
    url: ClassVar[str] = ""

    options: Options = field(default_factory=Options)

    @abstractmethod
    def check(self, layout: Layout) -> Iterator[Finding]:
        """The findings in one template, in the order of its segments."""


TOOL_KINDS = frozenset(
    {SourceKind.UNORDERED, SourceKind.LISTING, SourceKind.SHUFFLED, SourceKind.USER_INPUT, SourceKind.RETRIEVAL}
)
"""What makes a list of tools come in another order, or hold other tools."""

INSERTED_KINDS = frozenset(SourceKind) - {SourceKind.HISTORY, SourceKind.CONDITIONAL}
"""What a message can hold that is inserted in front of a conversation."""


def place_of(inversion: Inversion) -> str:
    """The place that decides which rule an inversion belongs to: "tools", "inserted", "each-message", or ""."""
    kind = inversion.origin.kind
    if inversion.placed.component == "tools" and kind in TOOL_KINDS:
        return "tools"
    drift = getattr(inversion.placed.segment, "drift", None)
    if inversion.in_history or (drift is not None and drift.kind == "renewed"):
        return "each-message"
    if inversion.placed.inserted is not None and inversion.history_stranded and kind in INSERTED_KINDS:
        return "inserted"
    return ""


@dataclass(frozen=True, slots=True)
class InversionRule(Rule):
    """A rule about one kind of inversion.

    ``kinds`` are the origins it looks for. ``parameters`` are the lifetimes for which it also takes values of which
    nothing but their lifetime is known (a parameter whose lifetime the configuration gives). ``remedy`` is what to do,
    as a command; "" for moving the value.

    Three places are matters of their own, whatever the value is (``place_of``): what varies in the tools' order or
    number, what is inserted in front of a conversation, and what each message of a conversation gets anew. A rule is
    about one ``place``; "" is any other.
    """

    kinds: ClassVar[frozenset[SourceKind]] = frozenset()
    parameters: ClassVar[frozenset[Lifetime]] = frozenset()
    remedy: ClassVar[str] = ""
    place: ClassVar[str] = ""

    options: RuleOptions = field(default_factory=RuleOptions)

    def selects(self, inversion: Inversion) -> bool:
        """True for the inversions this rule is about: one rule to each inversion."""
        if isinstance(inversion.placed.segment, Choice) or not inversion.lifetime.known:
            return False
        kind = inversion.origin.kind
        if place_of(inversion) != self.place:
            return False
        return kind in self.kinds or (kind is SourceKind.PARAMETER and inversion.lifetime in self.parameters)

    def counts(self, inversion: Inversion) -> bool:
        """True when it strands enough to be a finding."""
        return counts(inversion, self.options.min_stranded_tokens)

    def subject(self, inversion: Inversion) -> str:
        """What the sentence is about."""
        return quoted(inversion.expression)

    def lifetime(self, inversion: Inversion) -> Lifetime:
        """How long what stands there stays the same, for severity and wording."""
        return inversion.lifetime

    def claim(self, inversion: Inversion) -> str:
        """What is the matter with it, as a predicate: "changes with every request"."""
        return CHANGES[self.lifetime(inversion)]

    def advice(self, inversion: Inversion) -> str:
        """What to do, as a command; "" for moving the value."""
        return self.remedy

    def judged(self, inversion: Inversion) -> Inversion:
        """The inversion as sure as this rule holds it to be."""
        return inversion

    def check(self, layout: Layout) -> Iterator[Finding]:
        for each in (layout, *layout.others):
            judged = (self.judged(found) for found in each.inversions)
            shown = [i for i in judged if self.selects(i) and self.counts(i) and matters(each, i)]
            for inversion, more in _woven(shown):
                claim = self.claim(inversion)
                yield inversion_finding(
                    self,
                    each,
                    inversion,
                    subject=self.subject(inversion),
                    claim=f"{claim}, here and at {more} more places," if more else claim,
                    lifetime=self.lifetime(inversion),
                    remedy=self.advice(inversion),
                )


_MOST_OF_ONE = 3
"""So many times a value is told of in one template. One that stands there more often is woven into the text: where it
stands first tells all."""


def _woven(shown: list[Inversion]) -> Iterator[tuple[Inversion, int]]:
    """What is told, each with the number of further places at which the same value stands in the same file."""
    counted = Counter((each.expression, each.span.path) for each in shown)
    told: set[tuple[str, str]] = set()
    for each in shown:
        key = each.expression, each.span.path
        if counted[key] <= _MOST_OF_ONE:
            yield each, 0
        elif key not in told:
            told.add(key)
            yield each, counted[key] - 1


def late_system(inversion: Inversion) -> bool:
    """True where most of what a conversation strands is a system message behind it."""
    return inversion.late_system_tokens * 2 > inversion.stranded_tokens


def drifting(layout: Layout, kind: str) -> Iterator[tuple[Placed, Value | Repeat, Drift]]:
    """The conversations of a layout that change in front of their end in this way (``Drift``): each once."""
    seen = set()
    for placed in layout.placed:
        segment = placed.segment
        if not isinstance(segment, Value | Repeat) or segment.drift is None:
            continue
        if segment.drift.kind == kind and segment.drift.span not in seen:
            seen.add(segment.drift.span)
            yield placed, segment, segment.drift


def drift_finding(
    rule: Rule, layout: Layout, severity: Severity, message: str, placed: Placed, segment: Value | Repeat, drift: Drift
) -> Finding:
    """The finding for a conversation that changes in front of its end, at the place that makes it do so."""
    return template_finding(
        rule,
        layout,
        severity,
        message,
        drift.span,
        about=segment,
        expression=drift.expression,
        related=(*segment.origin.hops, *layout.template.related),
        stable_tokens_before=placed.start,
    )


def serialised(inversion: Inversion) -> bool:
    """True for a value that is written down as JSON or YAML."""
    return getattr(inversion.placed.segment, "shape", "") == "json"


@dataclass(frozen=True, slots=True)
class EffectRule(Rule):
    """A rule about one effect of the target's chat template (``TemplateEffect``), of the kind ``effect``."""

    effect: ClassVar[str] = ""

    @abstractmethod
    def message(self, effect: TemplateEffect, layout: Layout) -> str:
        """What is the matter, what it costs and what to do, as one sentence."""

    def severity(self, effect: TemplateEffect) -> Severity:
        """How bad it is where it is sure that the template is a prompt."""
        return BY_LIFETIME[effect.lifetime]

    def counts(self, effect: TemplateEffect) -> bool:
        """True when it costs enough to be a finding."""
        return True

    def check(self, layout: Layout) -> Iterator[Finding]:
        for effect in layout.effects:
            if effect.kind != self.effect or not self.counts(effect):
                continue
            finding = template_finding(
                self,
                layout,
                self.severity(effect),
                self.message(effect, layout),
                layout.template.span,
                related=layout.template.related,
            )
            yield replace(
                finding,
                lifetime=effect.lifetime,
                stable_tokens_before=effect.token,
                stranded_tokens=effect.stranded_tokens,
                history_stranded=effect.history_stranded,
            )


@dataclass(frozen=True, slots=True)
class LinterRule(Rule):
    """A rule of the linter itself (PFX9xx). It gives a code and a page; the engine reports it, no layout shows it."""

    def check(self, layout: Layout) -> Iterator[Finding]:
        return iter(())


@dataclass(frozen=True, slots=True)
class CodeRule(Rule):
    """A rule about code that measures or steers a cache (PFX6xx): it judges facts, no layout."""

    severity: ClassVar[Severity] = Severity.WARNING

    @abstractmethod
    def fault(self, fact: CodeFact) -> str:
        """What is wrong with it, as one sentence; "" for nothing."""

    def judge(self, fact: CodeFact) -> Iterator[Finding]:
        """The finding that a fact is, if it is one."""
        message = self.fault(fact)
        if message:
            yield Finding(
                code=self.code,
                name=self.name,
                severity=self.severity,
                confidence=Confidence.HIGH,
                message=message,
                span=fact.span,
                expression=fact.expression,
                url=self.url,
            )

    def check(self, layout: Layout) -> Iterator[Finding]:
        return iter(())


def template_finding(
    rule: Rule,
    layout: Layout,
    severity: Severity,
    message: str,
    span: Span,
    *,
    about: Value | Repeat | None = None,
    expression: str | None = None,
    related: Iterable[Hop] = (),
    stable_tokens_before: int = 0,
) -> Finding:
    """A finding in a template that is no inversion: no surer than that the template is a prompt at all.

    ``about`` is the value that it speaks of, if any: it lends its lifetime and its confidence, and its expression where
    no other one is given.
    """
    confidence = layout.template.confidence
    if about is not None:
        confidence = about.confidence.at_most(confidence)
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=at_confidence(severity, confidence),
        confidence=confidence,
        message=message,
        span=span,
        template=layout.template.id,
        lifetime=None if about is None else about.lifetime,
        expression=about.expression if about is not None and expression is None else expression,
        related=_related(related, span),
        stable_tokens_before=stable_tokens_before,
        url=rule.url,
    )


def inversion_finding(
    rule: Rule,
    layout: Layout,
    inversion: Inversion,
    *,
    subject: str = "",
    claim: str = "",
    lifetime: Lifetime | None = None,
    remedy: str = "",
    fix: Fix | None = None,
) -> Finding:
    """The finding for one inversion: severity, one-sentence message, and the places that belong to it.

    ``subject``, ``claim``, ``lifetime`` and ``remedy`` default to what the inversion itself says: its expression, how
    often it changes, its lifetime, and to move it.
    """
    lifetime = lifetime or inversion.lifetime
    confidence = confidence_of(layout, inversion)
    subject = subject or quoted(inversion.expression)
    claim = hedged(claim or CHANGES[lifetime], confidence)
    moved = "move it into the last message" if inversion.history_stranded else "move it behind them"
    message = (
        f"{subject} {claim} and {place(layout, inversion)}: {cost(layout, inversion, lifetime)}; "
        f"{remedy or moved}{gain(layout, inversion)}"
    )
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=severity_of(layout, inversion, lifetime),
        confidence=confidence,
        message=message,
        span=inversion.span,
        template=layout.template.id,
        lifetime=lifetime,
        expression=inversion.expression,
        related=_related((*inversion.origin.hops, *layout.template.related), inversion.span),
        stable_tokens_before=inversion.stable_tokens_before,
        stranded_tokens=inversion.stranded_tokens,
        history_stranded=inversion.history_stranded,
        fix=fix,
        url=rule.url,
    )


def _related(hops: Iterable[Hop], own: Span) -> tuple[Related, ...]:
    """The hops as related places: each place once, and not the finding's own."""
    seen = {own}
    out = []
    for hop in hops:
        if hop.span not in seen:
            seen.add(hop.span)
            out.append(Related(hop.span, hop.note, hop.kind))
    return tuple(out)


def rule_page(rule: Rule) -> str:
    """The rule's page in Markdown: the file of the module's name, ending in ``.md``, beside the module.

    Raises ``LookupError`` when there is none.
    """
    from importlib.resources import files

    package, _, module = type(rule).__module__.rpartition(".")
    page = files(package) / f"{module}.md" if package else None
    if page is None or not page.is_file():
        raise LookupError(f"rule {rule.code} ({rule.name}) has no page: expected {module}.md beside {module}.py")
    return page.read_text(encoding="utf-8")


def option_names(rule: Rule) -> tuple[str, ...]:
    """The rule's options as they are written in a configuration file, in kebab case."""
    return tuple(option.name.replace("_", "-") for option in fields(rule.options))


R = TypeVar("R", bound=Rule)


def configured(rule: R, settings: Mapping[str, object]) -> R:
    """The rule with options from a configuration file, in kebab case; options not named keep their values.

    Raises ``ValueError`` with a message for the user on an option the rule does not have or a value of the wrong kind.
    """
    changes: dict[str, Any] = {}
    for name, value in settings.items():
        if name not in option_names(rule):
            known = ", ".join(option_names(rule)) or "none"
            raise ValueError(f"rule {rule.code} ({rule.name}) has no option {name!r}; it has: {known}")
        key = name.replace("-", "_")
        changes[key] = _option_value(f"option {name!r} of rule {rule.code}", getattr(rule.options, key), value)
    return replace(rule, options=replace(rule.options, **changes)) if changes else rule


def _option_value(what: str, current: object, value: object) -> object:
    """``value`` as the kind of thing that ``current`` is."""
    if isinstance(current, bool):
        if isinstance(value, bool):
            return value
        raise ValueError(f"{what} must be true or false, not {value!r}")
    if isinstance(current, int):
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise ValueError(f"{what} must be a whole number from 0, not {value!r}")
    if isinstance(current, tuple):
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise ValueError(f"{what} must be a list of strings, not {value!r}")
    if isinstance(value, str):
        return value
    raise ValueError(f"{what} must be a string, not {value!r}")
