#!/usr/bin/env python3
"""An observer of one's own: it expects every actor to go on wanting what it wanted before.

It reads a video a line from standard input and writes a surprise a line to standard output. docs/theory/bib.md has the
format. Nothing but the standard library is needed.
"""
import json
import math
import sys


def identity(shape):
    """What tells things apart: how they look."""
    return shape["icon"], tuple(shape["colour"])


def centre(shape):
    return shape["x"] + shape["half"], shape["y"] + shape["half"]


def reached(trial):
    """The object or key that is nearest to the agent at the end."""
    half, (x, y) = trial["agent"]["half"], trial["path"][-1]
    things = trial["objects"] + trial["keys"]
    return identity(min(things, key=lambda s: math.dist(centre(s), (x + half, y + half))))


def surprise(video):
    """Minus the log of how often this actor went to this thing, with one imagined visit to each."""
    test = video["test"]
    seen = [reached(t) for t in video["familiarisation"] if identity(t["agent"]) == identity(test["agent"])]
    things = len(test["objects"] + test["keys"])
    return -math.log((1 + seen.count(reached(test))) / (things + len(seen)))


for line in sys.stdin:
    video = json.loads(line)
    print(json.dumps({"video": video["video"], "surprise": surprise(video)}), flush=True)
