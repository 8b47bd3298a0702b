"""A ParallelEnv of PettingZoo with one agent, made of an environment of Gymnasium."""

import achilles
import gymnasium
from pettingzoo import ParallelEnv

class Parallel(ParallelEnv):
    metadata, possible_agents, render_mode = {"name": "achilles"}, ["subject"], None
    def __init__(self, env): self.env = env
    def observation_space(self, agent): return self.env.observation_space
    def action_space(self, agent): return self.env.action_space
    def reset(self, seed=None, options=None): self.agents = ["subject"]; return tuple({"subject": x} for x in self.env.reset(seed=seed))
    def step(self, actions):
        out = self.env.step(actions["subject"])
        self.agents = [] if out[2] or out[3] else self.agents
        return tuple({"subject": x} for x in out)

from pettingzoo.test import parallel_api_test
parallel_api_test(Parallel(gymnasium.make("achilles/CupTask-v0", worlds=20, observations=("marks",))), num_cycles=200)
