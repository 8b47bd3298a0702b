"""Cognitive batteries, training worlds and blind profiles: the program achilles from Python.

Where Gymnasium is installed, importing this package registers achilles/TASK-v0 for every task, as Gymnasium's packages do.
"""

import importlib.util

from . import tasks
from .program import Failed, call, path
from .results import Results, infer, run

__all__ = ["Failed", "Results", "call", "infer", "path", "run"]

if importlib.util.find_spec("gymnasium"):
    tasks.register()
