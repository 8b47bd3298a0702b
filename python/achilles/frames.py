"""Environments over a pipe, in the binary frames of `achilles env serve` (docs/reference/frames.md)."""

import json
import subprocess

import numpy as np

from . import program

VERSION = 1

STATE = [
    ("tick", "<u2"), ("x", "u1"), ("y", "u1"), ("heading", "u1"), ("flags", "u1"), ("outcome", "u1"), ("mapped", "u1"),
    ("world", "<u4"), ("gain", "<i4"), ("open", "<u8"),
]
THING = [("kind", "u1"), ("x", "u1"), ("y", "u1"), ("air", "u1"), ("size", "<u2"), ("value", "<i2"), ("colour", "u1", 3), ("coloured", "u1")]

DARK, FROZEN, TRAPPED, CARRYING, BEGINS = 1, 2, 4, 8, 16
RUNNING, FINISHED, DIED, TIMED_OUT = range(4)
OUTSIDE = 15


class Frames:
    """The environments of one process.

    states has one record an environment and pictures (n, first_person, first_person, 3) what each actor sees, valid until the next call; cells (n, height, width), colours (n, height, width, 3),
    places (n, places, 2) and limits (n) are those of the episodes that go on.
    """

    def __init__(self, task, envs, worlds, seed, first_person=0):
        self.process = subprocess.Popen(
            [program.path(), "env", "serve", task, "--envs", str(envs), "--worlds", str(worlds), "--seed", str(seed), "--first-person", str(first_person)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        )
        self.answer, self.question = self.process.stdout, self.process.stdin
        length = int(np.frombuffer(self._read(bytearray(4)), "<u4")[0])
        self.header = h = json.loads(bytes(self._read(bytearray(length))))
        if h["format"] != "achilles-env" or h["version"] != VERSION:
            self.close()
            raise program.Failed(f"the program speaks {h['format']} {h['version']}, not achilles-env {VERSION}")
        self.envs = envs
        record = np.dtype(STATE + [("things", np.dtype(THING), (h["things"],))])
        self._states = bytearray(envs * record.itemsize)
        self.states = np.frombuffer(self._states, record)
        self._pictures = bytearray(envs * first_person * first_person * 3)
        self.pictures = np.frombuffer(self._pictures, np.uint8).reshape(envs, first_person, first_person, 3)
        cells = np.dtype([("cell", "u1"), ("colour", "u1", 3)])
        self._map = np.dtype([
            ("limit", "<u2"), ("width", "u1"), ("height", "u1"), ("count", "u1"), ("unused", "u1", 3),
            ("places", "u1", (h["places"], 2)), ("cells", cells, (h["height"], h["width"])),
        ])
        self.cells = np.full((envs, h["height"], h["width"]), OUTSIDE, np.uint8)
        self.colours = np.zeros((envs, h["height"], h["width"], 3), np.uint8)
        self.places = np.full((envs, h["places"], 2), 255, np.uint8)
        self.limits = np.zeros(envs, np.uint16)
        self.begin_at = np.arange(envs)[:, None] * (h["height"] * h["width"])  # where in all cells those of each begin
        self.place_at = np.zeros(self.places.shape[:2], np.intp)  # where in all cells each place is

    def reset(self, seeds):
        """Begin an episode in every environment; seeds has a whole number from 0 below 2**64 for each."""
        self._ask(b"r" + np.asarray(seeds, "<u8").tobytes())

    def step(self, actions):
        """Carry out an action, an index, in every environment. Where the episode was over, the next begins instead."""
        self._ask(b"s" + actions.tobytes())

    def close(self):
        """End the process. It may be called again."""
        if self.process is None:
            return
        for stream in (self.question, self.answer, self.process.stderr):
            stream.close()
        self.process.wait()
        self.process = None

    def _ask(self, frame):
        if self.process is None:
            raise program.Failed("the environments are closed")
        try:
            self.question.write(frame)
        except BrokenPipeError:
            pass  # why is what can be read now
        self._read(self._states)
        self._read(self._pictures)
        mapped = np.flatnonzero(self.states["mapped"])
        if mapped.size:
            maps = np.frombuffer(self._read(bytearray(mapped.size * self._map.itemsize)), self._map)
            self.cells[mapped], self.colours[mapped] = maps["cells"]["cell"], maps["cells"]["colour"]
            self.places[mapped], self.limits[mapped] = maps["places"], maps["limit"]
            self.place_at[mapped] = self.begin_at[mapped] + maps["places"][..., 1].astype(np.intp) * self.cells.shape[2] + maps["places"][..., 0]

    def _read(self, into):
        view, at = memoryview(into), 0
        while at < len(into):
            got = self.answer.readinto(view[at:])
            if not got:
                said = self.process.stderr.read().decode(errors="replace").strip()
                self.close()
                raise program.Failed(said or "the program has ended")
            at += got
        return into
