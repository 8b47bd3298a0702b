"""Gymnasium environments: training worlds in which an action is taken, one environment (World) or many at once (Worlds).

The reward is 1 when the episode ends because the goal was reached, and else 0. Death ends the episode, too; the time limit truncates it.
Training worlds are drawn from random streams that no battery has: see docs/reference/frames.md.
"""

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from . import frames, observe


class World(gymnasium.Env):
    """One environment. observations names the parts of the observation, of observe.NAMES and first_person: a picture of pixels × pixels."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}

    def __init__(self, task="CupTask", worlds=500, world_seed=0, observations=observe.NAMES, pixels=84, render_mode=None):
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r}: want ansi or rgb_array")
        self.render_mode, self.names = render_mode, _named(observations)
        self.frames = frames.Frames(task, 1, worlds, world_seed, _pixels(self.names, pixels))
        self.observation_space = observe.space(self.frames.header, self.names)
        self.action_space = gymnasium.spaces.Discrete(len(self.frames.header["actions"]))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.frames.reset([self.np_random.integers(2**63)])
        return observe.one(self.frames, self.names), self._info()

    def step(self, action):
        self.frames.step(np.array([action], np.uint8))
        outcome = self.frames.states["outcome"][0]
        ended = bool(outcome == frames.FINISHED or outcome == frames.DIED)
        return observe.one(self.frames, self.names), float(outcome == frames.FINISHED), ended, bool(outcome == frames.TIMED_OUT), self._info()

    def render(self):
        if self.render_mode == "rgb_array":
            return observe.one(self.frames, ("image",))["image"]
        if self.render_mode == "ansi":
            return observe.one(self.frames, ("text",))["text"]

    def close(self):
        self.frames.close()

    def _info(self):
        s = self.frames.states[0]
        return {"world": int(s["world"]), "gain": int(s["gain"])}


class Worlds(gymnasium.vector.VectorEnv):
    """Many environments at once, in one process and one exchange a step. The step after an episode's end begins the next.

    With copy False the array cells is the same at every step.
    """

    metadata = {"render_modes": [], "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs=1, task="CupTask", worlds=500, world_seed=0, observations=("cells", "marks", "self"), copy=True, pixels=84, render_mode=None):
        self.num_envs, self.names, self.copy = num_envs, _named(observations), copy
        self.frames = frames.Frames(task, num_envs, worlds, world_seed, _pixels(self.names, pixels))
        self.single_observation_space = observe.space(self.frames.header, self.names)
        self.single_action_space = gymnasium.spaces.Discrete(len(self.frames.header["actions"]))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.frames.reset(self.np_random.integers(2**63, size=self.num_envs))
        return observe.batch(self.frames, self.names, self.copy), self._info()

    def step(self, actions):
        self.frames.step(np.asarray(actions, np.uint8))
        outcome = self.frames.states["outcome"]
        won = outcome == frames.FINISHED
        return observe.batch(self.frames, self.names, self.copy), won.astype(np.float64), won | (outcome == frames.DIED), outcome == frames.TIMED_OUT, self._info()

    def close_extras(self, **kwargs):
        self.frames.close()

    def _info(self):
        return {"world": self.frames.states["world"].copy(), "gain": self.frames.states["gain"].copy()}


def _pixels(names, pixels):
    return pixels if observe.FIRST_PERSON in names else 0


def _named(observations):
    names = (*observe.NAMES, observe.FIRST_PERSON)
    wrong = [name for name in observations if name not in names]
    if wrong or not observations:
        raise ValueError(f"observations {wrong or 'none'}: want some of {', '.join(names)}")
    return tuple(observations)
