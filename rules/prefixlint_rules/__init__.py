"""The built-in rules: one module and one page each, loaded as any plugin's rules are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint_rules.attachment_first import AttachmentFirst
from prefixlint_rules.bad_configuration import BadConfiguration
from prefixlint_rules.conditional_block import ConditionalBlock
from prefixlint_rules.file_not_analysed import FileNotAnalysed
from prefixlint_rules.history_before_stable import HistoryBeforeStable
from prefixlint_rules.inserted_message import InsertedMessage
from prefixlint_rules.late_system_message import LateSystemMessage
from prefixlint_rules.marker_behind_volatile_block import MarkerBehindVolatileBlock
from prefixlint_rules.marker_below_minimum import MarkerBelowMinimum
from prefixlint_rules.marker_dropped import MarkerDropped
from prefixlint_rules.marker_on_volatile_block import MarkerOnVolatileBlock
from prefixlint_rules.missing_count_read_as_zero import MissingCountReadAsZero
from prefixlint_rules.no_marker import NoMarker
from prefixlint_rules.object_identity import ObjectIdentity
from prefixlint_rules.random_selection import RandomSelection
from prefixlint_rules.rate_of_all_tokens import RateOfAllTokens
from prefixlint_rules.rewritten_history import RewrittenHistory
from prefixlint_rules.score_order import ScoreOrder
from prefixlint_rules.sliding_window import SlidingWindow
from prefixlint_rules.slot_length_read_as_reuse import SlotLengthReadAsReuse
from prefixlint_rules.summary_before_history import SummaryBeforeHistory
from prefixlint_rules.template_date import TemplateDate
from prefixlint_rules.template_drops_reasoning import TemplateDropsReasoning
from prefixlint_rules.template_moves_system import TemplateMovesSystem
from prefixlint_rules.too_many_markers import TooManyMarkers
from prefixlint_rules.uncached_input_read_as_load import UncachedInputReadAsLoad
from prefixlint_rules.unknown_value import UnknownValue
from prefixlint_rules.unordered_collection import UnorderedCollection
from prefixlint_rules.unsorted_json import UnsortedJson
from prefixlint_rules.unsorted_listing import UnsortedListing
from prefixlint_rules.unstable_tools import UnstableTools
from prefixlint_rules.unused_suppression import UnusedSuppression
from prefixlint_rules.volatile_cache_key import VolatileCacheKey
from prefixlint_rules.volatile_environment import VolatileEnvironment
from prefixlint_rules.volatile_id import VolatileId
from prefixlint_rules.volatile_random import VolatileRandom
from prefixlint_rules.volatile_retrieval import VolatileRetrieval
from prefixlint_rules.volatile_session_data import VolatileSessionData
from prefixlint_rules.volatile_timestamp import VolatileTimestamp
from prefixlint_rules.volatile_user_input import VolatileUserInput

if TYPE_CHECKING:
    from prefixlint.api import Rule

RULES: tuple[Rule, ...] = (
    VolatileTimestamp(),
    VolatileId(),
    VolatileRandom(),
    VolatileRetrieval(),
    VolatileUserInput(),
    VolatileSessionData(),
    VolatileEnvironment(),
    HistoryBeforeStable(),
    ConditionalBlock(),
    AttachmentFirst(),
    UnknownValue(),
    UnorderedCollection(),
    UnsortedListing(),
    UnsortedJson(),
    RandomSelection(),
    UnstableTools(),
    ObjectIdentity(),
    ScoreOrder(),
    SlidingWindow(),
    InsertedMessage(),
    RewrittenHistory(),
    SummaryBeforeHistory(),
    LateSystemMessage(),
    MarkerOnVolatileBlock(),
    MarkerBehindVolatileBlock(),
    TooManyMarkers(),
    MarkerBelowMinimum(),
    NoMarker(),
    VolatileCacheKey(),
    MarkerDropped(),
    TemplateDate(),
    TemplateMovesSystem(),
    TemplateDropsReasoning(),
    RateOfAllTokens(),
    MissingCountReadAsZero(),
    UncachedInputReadAsLoad(),
    SlotLengthReadAsReuse(),
    FileNotAnalysed(),
    UnusedSuppression(),
    BadConfiguration(),
)
