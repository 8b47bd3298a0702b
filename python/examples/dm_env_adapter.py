"""An environment of dm_env, made of one of Gymnasium."""

import achilles
import dm_env
import gymnasium
from dm_env import specs

class DmEnv(dm_env.Environment):
    def __init__(self, env): self.env = env
    def reset(self): return dm_env.restart(self.env.reset()[0])
    def step(self, action):
        seen, reward, terminated, truncated, _ = self.env.step(action)
        return dm_env.termination(reward, seen) if terminated else dm_env.truncation(reward, seen) if truncated else dm_env.transition(reward, seen)
    def action_spec(self): return specs.DiscreteArray(self.env.action_space.n)
    def observation_spec(self): return {k: specs.BoundedArray(s.shape, s.dtype, s.low, s.high) for k, s in self.env.observation_space.items()}

env = DmEnv(gymnasium.make("achilles/CupTask-v0", observations=("marks",)))
assert env.reset().first() and env.step(1).mid()
