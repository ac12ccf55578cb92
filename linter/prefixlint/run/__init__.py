"""The pipeline: paths in, one frozen result out."""

from prefixlint.run.pipeline import run
from prefixlint.run.result import Crash, RunResult
from prefixlint.run.stages import Stages

__all__ = ["Crash", "RunResult", "Stages", "run"]
