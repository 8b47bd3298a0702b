"""Measures steps a second of many environments at once: python speed.py. Bind it to one core, as with taskset -c 0."""

import time

import numpy as np

from achilles.env import Worlds


def other(env):
    """Return the processor seconds of the program that serves env, as Linux counts them."""
    said = open(f"/proc/{env.frames.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(said[11]) + int(said[12])) / 100


for names in (("self",), ("marks", "self"), ("cells", "marks", "self")):
    for n in (8, 256):
        env = Worlds(n, worlds=200, observations=names, copy=False)
        env.reset(seed=1)
        actions = np.random.default_rng(0).integers(0, 4, (64, n)).astype(np.uint8)
        before = other(env)
        begun, own, steps = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() - begun < 2:
            for a in actions:
                env.step(a)
            steps += 64 * n
        wall, own = time.perf_counter() - begun, time.process_time() - own
        own += other(env) - before
        print(f"n = {n}, {'+'.join(names)}: {steps / wall:,.0f} steps/s by the clock, {steps / own:,.0f} a processor second")
        env.close()
