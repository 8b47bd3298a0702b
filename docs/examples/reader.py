#!/usr/bin/env python3
"""An observer of one's own that reads: it expects every actor to go on wanting what it wanted before.

It gets the episodes as text (achilles infer DIR --reader NAME=PROGRAM), a video a line from standard input, and writes a
surprise a line to standard output. docs/theory/bib.md has the text. A language model would read the same text in place
of the patterns below. Nothing but the standard library is needed.
"""
import json
import math
import re
import sys


def actor(trial):
    """How the actor looks: its name and colour."""
    return re.search(r"^@ actor: (.*);", trial, re.M)[1]


def things(trial):
    """The places of objects and keys, by how they look."""
    found = re.findall(r"^(?:\S object: (.*); |K (key): )at \((\d+), (\d+)\)", trial, re.M)
    return {look or key: (int(x), int(y)) for look, key, x, y in found}


def reached(trial):
    """The object or key that is nearest to the actor at the end."""
    x, y = map(int, re.search(r"the last: @ at \((\d+), (\d+)\)", trial).groups())
    return min(things(trial).items(), key=lambda thing: math.dist(thing[1], (x, y)))[0]


def surprise(video):
    """Minus the log of how often this actor went to this thing, with one imagined visit to each."""
    test = video["test"]
    seen = [reached(t) for t in video["familiarisation"] if actor(t) == actor(test)]
    return -math.log((1 + seen.count(reached(test))) / (len(things(test)) + len(seen)))


for line in sys.stdin:
    video = json.loads(line)
    print(json.dumps({"video": video["video"], "surprise": surprise(video)}), flush=True)
