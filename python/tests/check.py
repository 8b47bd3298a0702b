"""Checks the environments with Gymnasium's own checker. A long test of the program runs it: python check.py [TASK…]."""

import sys
import warnings

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from achilles import frames, tasks


def check_one(task):
    """Have Gymnasium check a task. A warning is an error, but for that of a space of images which is no square of 84."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"achilles/{task}-v0", worlds=40).unwrapped
        check_env(env)


def check_render(task):
    env = gymnasium.make(f"achilles/{task}-v0", worlds=40, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text.count("A") == 1 and "tick 0 of" in text, text
    env.close()
    env = gymnasium.make(f"achilles/{task}-v0", worlds=40, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().dtype == np.uint8 and env.render().shape[2] == 3
    env.close()


def check_first_person(task):
    """Check that pictures are there where they are asked for, and change when the actor turns."""
    env = gymnasium.make(f"achilles/{task}-v0", worlds=40, observations=("marks", "first_person"), pixels=32)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen) and seen["first_person"].shape == (32, 32, 3)
    views = set()
    for _ in range(200):
        seen, _, terminated, truncated, _ = env.step(2)
        views.add(seen["first_person"].tobytes())
        if terminated or truncated:
            break
    assert len(views) > 1
    env.close()


def check_many(task):
    """Check that environments in one process are what each would be alone, with the next step beginning the next episode."""
    env = gymnasium.make_vec(f"achilles/{task}-v0", num_envs=5, vectorization_mode="vector_entry_point", worlds=40)
    seen, _ = env.reset(seed=3)
    seeds = np.random.Generator(np.random.PCG64(np.random.SeedSequence(3))).integers(2**63, size=5)
    alone = [frames.Frames(task, 1, 40, 0) for _ in seeds]
    for f, seed in zip(alone, seeds):
        f.reset([seed])
    draws, ends = np.random.default_rng(1), 0
    for _ in range(800):
        assert env.observation_space.contains(seen)
        for i, f in enumerate(alone):
            assert f.states[0] == env.unwrapped.frames.states[i] and (f.cells[0] == seen["cells"][i]).all()
        actions = draws.integers(0, 4, 5)
        seen, reward, terminated, truncated, _ = env.step(actions)
        for f, action in zip(alone, actions):
            f.step(np.array([action], np.uint8))
        ends += int((terminated | truncated).sum())
    assert ends > 5, ends
    env.close()
    for f in alone:
        f.close()


if __name__ == "__main__":
    for name in sys.argv[1:] or tasks.TASKS:
        check_one(name)
        check_render(name)
        check_first_person(name)
        check_many(name)
        print(name, "is as Gymnasium wants it")
