"""Observations, made of the states and maps of frames."""

import numpy as np
from gymnasium import spaces

from . import frames

TILE = 8  # pixels on a side of a cell
GLYPHS = np.array(list(".#ToO=^nuHhLBX* "))  # by kind, as in the text form of worlds; the last one is outside
HEADINGS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
MARKS = np.array(list(" rskRSK+AAAAAAAA"))  # by mark
COLOURS = np.array([
    (235, 235, 230), (90, 90, 90), (200, 225, 235), (160, 140, 120), (120, 90, 160), (190, 190, 175), (205, 205, 160), (205, 205, 160),
    (205, 205, 160), (60, 50, 45), (130, 115, 100), (230, 90, 40), (170, 120, 60), (200, 170, 40), (220, 235, 220), (0, 0, 0),
], np.uint8)
OPEN, ACTOR = 7, 8  # marks; 1 to 3 are things, 4 to 6 those in the air, and from ACTOR on the actor by its heading
NAMES = ("image", "cells", "marks", "self", "text")
FIRST_PERSON = "first_person"  # a further name: what the actor sees, as a picture in perspective


def space(header, names):
    """Return the Dict space of the observations with these names, for one environment."""
    high, wide = header["height"], header["width"]
    return spaces.Dict({name: {
        "image": lambda: spaces.Box(0, 255, (high * TILE, wide * TILE, 3), np.uint8),
        "cells": lambda: spaces.Box(0, 255, (high, wide), np.uint8),
        "marks": lambda: spaces.Box(0, ACTOR + 7, (high, wide), np.uint8),
        "self": lambda: spaces.Box(0, 65535, (6,), np.uint16),
        FIRST_PERSON: lambda: spaces.Box(0, 255, (header["first_person"], header["first_person"], 3), np.uint8),
        "text": lambda: spaces.Text(high * (wide + 1) + 200, min_length=0, charset=_CHARSET),
    }[name]() for name in names})


def batch(f, names, copy=True):
    """Return the observations of all environments of f: arrays of n, and for text a tuple."""
    marks = _marks(f) if {"marks", "image", "text"} & set(names) else None
    out = {}
    for name in names:
        if name == "cells":
            out[name] = f.cells.copy() if copy else f.cells
        elif name == "marks":
            out[name] = marks
        elif name == "self":
            s = f.states
            out[name] = np.stack([s["x"], s["y"], s["heading"], s["flags"] & 15, s["tick"], f.limits], axis=1, dtype=np.uint16)
        elif name == FIRST_PERSON:
            out[name] = f.pictures.copy()
        elif name == "image":
            out[name] = np.stack([picture(f, marks, i) for i in range(f.envs)])
        else:
            out[name] = tuple(text(f, marks, i) for i in range(f.envs))
    return out


def one(f, names):
    """Return the observation of the first environment of f."""
    return {name: value[0] for name, value in batch(f, names).items()}


def _marks(f):
    """Return what is seen in each cell: (n, height, width) of the marks."""
    s, things, wide = f.states, f.states["things"], np.intp(f.cells.shape[2])
    marks = np.zeros(f.cells.shape, np.uint8)
    flat = marks.reshape(-1)
    seen = np.unpackbits(s["open"].copy().view(np.uint8).reshape(f.envs, 8), axis=1, count=f.place_at.shape[1], bitorder="little")
    flat[f.place_at[seen.view(bool)]] = OPEN
    kind = things["kind"]
    shown = np.flatnonzero(kind)
    at = f.begin_at + things["y"] * wide + things["x"]
    flat[at.reshape(-1)[shown]] = (kind + 3 * things["air"]).reshape(-1)[shown]
    flat[f.begin_at[:, 0] + s["y"] * wide + s["x"]] = ACTOR + s["heading"]
    return marks


def picture(f, marks, i):
    """Return the picture of environment i, with north at the top."""
    kinds = f.cells[i] & 15
    colour = np.where(f.colours[i].any(-1, keepdims=True), f.colours[i], COLOURS[kinds])
    out = colour[::-1].repeat(TILE, 0).repeat(TILE, 1)
    if f.states["flags"][i] & frames.DARK:
        out //= 4
    high = kinds.shape[0]
    for y, x in np.argwhere(marks[i]):
        mark, top, left = marks[i, y, x], (high - 1 - y) * TILE, x * TILE
        if mark >= ACTOR:
            out[top + 1:top + TILE - 1, left + 1:left + TILE - 1] = (40, 90, 220)
            turn = (mark - ACTOR) * np.pi / 4
            nose_y, nose_x = top + TILE // 2 - round(2.5 * np.cos(turn)), left + TILE // 2 + round(2.5 * np.sin(turn))
            out[nose_y - 1:nose_y + 1, nose_x - 1:nose_x + 1] = 255
        elif mark == OPEN:
            out[top + 3:top + 5, left + 3:left + 5] = 255
        else:
            out[top + 2:top + TILE - 2, left + 2:left + TILE - 2] = ((40, 170, 60), (170, 60, 170), (220, 190, 30))[(mark - 1) % 3]
            if mark > 3:
                out[top + 3:top + TILE - 3, left + 3:left + TILE - 3] = 255
    return out


def text(f, marks, i):
    """Return the text of environment i: rows from the north, the actor A, things r, s and k, in the air R, S and K, places in sight +."""
    s = f.states[i]
    glyphs = np.where(marks[i] > 0, MARKS[marks[i]], GLYPHS[f.cells[i] & 15])
    rows = "\n".join("".join(row).rstrip() for row in glyphs[::-1])
    said = [f"tick {s['tick']} of {f.limits[i]}", f"at {s['x']},{s['y']} facing {HEADINGS[s['heading']]}"]
    said += [word for flag, word in ((1, "dark"), (2, "held"), (4, "trapped"), (8, "carrying")) if s["flags"] & flag]
    return rows + "\n" + "; ".join(said)


_CHARSET = frozenset("".join(GLYPHS) + "".join(MARKS) + "".join(HEADINGS) + "tick of at facing dark held trapped carrying;,0123456789\n ")
