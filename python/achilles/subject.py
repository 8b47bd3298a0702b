"""The other side of the battery: a trained policy answers the lines of docs/reference/protocol.md.

answer gives it what the environments of Gymnasium gave it in training, made of the lines.
"""

import base64
import json
import sys

import numpy as np

from . import frames, observe

HEADINGS = {name: i for i, name in enumerate(observe.HEADINGS)}
THINGS = {"reward": 1, "shape": 2, "key": 3}
KINDS = {glyph: kind for kind, glyph in enumerate(observe.GLYPHS[:-1])} | {">": 6, "v": 6, "<": 6}
NAMES = {name: kind for kind, name in enumerate((
    "floor", "wall", "clear-wall", "low-wall", "occluder", "platform", "ramp", "climb", "slide", "hole", "shallow-hole", "lava", "barrier", "lock", "home",
))}


def answer(choose, names=("cells", "marks", "self"), size=None, lines=None, out=None):
    """Take a battery: read its messages from lines (standard input) and write answers to out (standard output), until lines end.

    choose is called with each observation, a dict of the parts in names as World gives them, and returns the index of an
    action. The tick, seen["self"][4], is 0 where an episode begins. Maps are as large as each world is, or padded to size, a
    height and a width, as those of training are: frames.header has them. A world that is larger raises ValueError.
    """
    lines, out = sys.stdin if lines is None else lines, sys.stdout if out is None else out
    for line in lines:
        message = json.loads(line)
        if message["type"] == "reset":
            episode = Episode(message, size)
        elif message["type"] == "observation":
            episode.see(message)
            action = episode.actions[int(choose(observe.one(episode, names)))]
            print(json.dumps({"action": action}), file=out, flush=True)


class Episode:
    """An episode as Frames has it, for one environment, made of the messages of the protocol."""

    envs = 1

    def __init__(self, reset, size=None):
        rows, wide = reset["map"][::-1], len(reset["map"][0])
        size = size or (len(rows), wide)
        if len(rows) > size[0] or wide > size[1]:
            raise ValueError(f"the world is {wide} × {len(rows)}, larger than the {size[1]} × {size[0]} of training")
        self.actions, self.limits = reset["actions"], np.array([reset["limit"]], np.uint16)
        self.cells = np.full((1, *size), frames.OUTSIDE, np.uint8)
        self.colours = np.zeros((1, *size, 3), np.uint8)
        self.cells[0, :len(rows), :wide], self.colours[0, :len(rows), :wide] = ground(reset["room"])
        self.places = np.array(reset["places"], np.uint8).reshape(1, -1, 2)
        self.begin_at = np.zeros((1, 1), np.int64)
        self.place_at = self.places[..., 1].astype(np.intp) * size[1] + self.places[..., 0]
        self.spots = [tuple(p) for p in reset["places"]]
        self.states = np.zeros(1, np.dtype(frames.STATE + [("things", np.dtype(frames.THING), (255,))]))

    def see(self, observation):
        """Take in what is seen now."""
        s = self.states[0]
        s["tick"], (s["x"], s["y"]), s["heading"] = observation["tick"], observation["position"], HEADINGS[observation["heading"]]
        s["flags"] = sum(bit for key, bit in (("dark", 1), ("frozen", 2), ("trapped", 4), ("carrying", 8)) if observation[key])
        s["open"] = sum(1 << self.spots.index(tuple(p)) for p in observation["open"])
        if "picture" in observation:
            pixels = np.frombuffer(base64.b64decode(observation["picture"]), np.uint8)
            side = round((pixels.size / 3) ** 0.5)
            self.pictures = pixels.reshape(1, side, side, 3)
        s["things"] = np.zeros((), s["things"].dtype)
        for t in observation["things"]:
            thing = s["things"][t["index"]]
            thing["kind"], (thing["x"], thing["y"]), thing["air"] = THINGS[t["kind"]], t["position"], t["air"]
            thing["size"], thing["value"] = round(100 * t["size"]), t["value"]
            if "colour" in t:
                thing["colour"], thing["coloured"] = t["colour"], 1


def ground(room):
    """Return the cells (height, width) of a world in its text form (docs/reference/gridworld.md), as frames have them, and their colours."""
    legend, lines = {}, iter(room.split("\n"))
    for line in lines:
        word = line.split(" ")
        if line == "map":
            break
        if word[0] == "legend":
            legend[word[1]] = _cell(word[2:])
    rows = []
    for line in lines:
        if not line:
            break
        rows.insert(0, [legend[c] if c in legend else _plain(c) for c in line])
    return np.array([[c[0] for c in row] for row in rows], np.uint8), np.array([[c[1] for c in row] for row in rows], np.uint8)


def _cell(words):
    """Return the cell that a legend describes, and its colour."""
    kind, height, facing, colour = NAMES[words[0]], words[0] == "platform", 0, (0, 0, 0)
    for i, word in enumerate(words):
        if word == "+":
            break
        if word in HEADINGS:
            facing = HEADINGS[word] // 2
        elif word == "height":
            height = int(words[i + 1])
        elif word == "colour":
            colour = tuple(map(int, words[i + 1].split(",")))
    return kind | height << 4 | facing << 6, colour


def _plain(glyph):
    """Return the cell that a character stands for without a legend, and its colour."""
    facing = max("^>v<".find(glyph), 0)
    return KINDS[glyph] | (glyph == "=") << 4 | facing << 6, (0, 0, 0)
