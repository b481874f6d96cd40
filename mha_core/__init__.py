"""Multi-head attention with every array on the way, in NumPy alone."""

from mha_core.scenario import Scenario
from mha_core.trace import STEPS, Trace, attend

__all__ = ["STEPS", "Scenario", "Trace", "attend"]
