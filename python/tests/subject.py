"""Checks that a subject gets of an episode what frames show of it: python subject.py ACTIONS, as a program that takes the episode.

$ACHILLES is a program that writes the frames of the episode. ACTIONS has a digit for each action.
"""

import sys

import numpy as np

from achilles import frames, observe, subject

shown, actions = frames.Frames("", 1, 1, 0), iter(map(int, sys.argv[1]))
shown.reset([0])


def choose(seen):
    want = observe.one(shown, observe.NAMES)
    for name, value in reversed(want.items()):  # the shortest first
        if not np.array_equal(seen[name], value):
            raise AssertionError(f"{name} {seen[name]!r} want {value!r}".replace("\n", " "))
    action = next(actions)
    shown.step(np.array([action], np.uint8))
    return action


subject.answer(choose, observe.NAMES)
