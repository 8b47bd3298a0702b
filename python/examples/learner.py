"""PPO of stable-baselines3 learns to walk to rewards in training worlds, and is then measured blind, like any subject.

python learner.py OUT trains a policy, which OUT keeps, and has it take a battery twice: as it is, and with a lesion, so that it
forgets where it last saw the reward. With a name and a policy it is the subject that the battery starts.
"""

import argparse
import json
import os
import pathlib
import sys

import gymnasium
import numpy as np

import achilles
from achilles import frames, subject

VIEW = 4  # cells in sight to each side of the actor, in the map that it gets turned to its heading
LASTS = {"whole": 10_000, "lesioned": 75}  # ticks for which the place of the reward is remembered, by subject
PARTS = ("cells", "marks", "self")


class Eyes:
    """What a policy gets of an observation, and of where the reward was last seen, for as many ticks as memory lasts."""

    size = 5 * (2 * VIEW + 1) ** 2 + 5

    def __init__(self, lasts):
        self.lasts, self.goal, self.since = lasts, None, 0

    def look(self, seen):
        """Return the features of an observation: the map around the actor, what is ahead being up, and the way to the reward."""
        x, y, heading, tick = (int(v) for v in seen["self"][[0, 1, 2, 4]])
        if tick == 0 or tick - self.since > self.lasts:
            self.goal = None
        shown = np.argwhere((seen["marks"] == 1) | (seen["marks"] == 4))  # a reward, on the ground or in the air
        if len(shown):
            self.goal, self.since = shown[0][::-1], tick
        cells = np.pad(seen["cells"], VIEW, constant_values=frames.OUTSIDE)[y:y + 2 * VIEW + 1, x:x + 2 * VIEW + 1][::-1]
        cells = np.rot90(cells, heading // 2)
        kind, up = cells & 15, (cells >> 4 & 3).astype(int) - int(seen["cells"][y, x] >> 4 & 3)
        planes = [np.isin(kind, (1, 3, 4, 12, 13, 15, 2)), kind == 11, np.isin(kind, (9, 10)), up > 0, up < 0]
        way, self.far = np.zeros(4), 0
        if self.goal is not None:
            dx, dy = self.goal[0] - x, self.goal[1] - y
            ahead, right = {0: (dy, dx), 1: (dx, -dy), 2: (-dy, -dx), 3: (-dx, dy)}[heading // 2]
            self.far = abs(dx) + abs(dy)
            way = np.array([ahead / 10, right / 10, np.sign(ahead), np.sign(right)])
        return np.concatenate([np.ravel(planes), way, [self.goal is not None]]).astype(np.float32)


class Walk(gymnasium.Wrapper):
    """Training: held ticks are skipped, and a step nearer to where the reward was seen is rewarded a little."""

    def __init__(self, env):
        super().__init__(env)
        self.eyes = Eyes(LASTS["whole"])
        self.observation_space = gymnasium.spaces.Box(-10, 10, (Eyes.size,), np.float32)

    def reset(self, **how):
        seen, info = self.env.reset(**how)
        features, _, _, _ = self._held(seen, 0.0, False, False)
        return features, info

    def step(self, action):
        before, goal = self.eyes.far, self.eyes.goal
        seen, reward, ended, late, info = self.env.step(action)
        features, reward, ended, late = self._held(seen, reward, ended, late)
        if goal is not None and self.eyes.goal is not None:
            reward += 0.05 * (before - self.eyes.far)
        return features, reward - 0.005, ended, late, info

    def _held(self, seen, reward, ended, late):
        features = self.eyes.look(seen)
        while seen["self"][3] & frames.FROZEN and not (ended or late):
            seen, reward, ended, late, _ = self.env.step(0)
            features = self.eyes.look(seen)
        return features, reward, ended, late


def train(path, steps):
    """Train a policy in worlds of all paradigms, and keep it."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env

    torch.set_num_threads(1)  # its matrices are small
    envs = make_vec_env(lambda: Walk(gymnasium.make("achilles/Opiaagets-v0", observations=PARTS)), n_envs=8, seed=1)
    policy = PPO("MlpPolicy", envs, seed=1, n_steps=256, batch_size=256, n_epochs=4, gamma=0.98, ent_coef=0.01, learning_rate=5e-4, device="cpu")
    weights = policy.learn(steps).policy.state_dict()
    envs.close()
    layers = [f"{layer}.{kind}" for layer in ("mlp_extractor.policy_net.0", "mlp_extractor.policy_net.2", "action_net") for kind in ("weight", "bias")]
    np.savez(path, *(weights[layer].numpy() for layer in layers))


def take(name, path):
    """Be the subject that the battery starts. It draws actions as in training, but by NumPy alone, which starts faster than PyTorch."""
    weights, eyes, draws = [*np.load(path).values()], Eyes(LASTS[name]), np.random.default_rng(1)

    def choose(seen):
        x = eyes.look(seen)
        if seen["self"][3] & frames.FROZEN:
            return 0
        for i in (0, 2):
            x = np.tanh(weights[i] @ x + weights[i + 1])
        x = weights[4] @ x + weights[5]
        return np.argmax(x + draws.gumbel(size=len(x)))

    subject.answer(choose, PARTS)


def measure(out, items):
    """Have the policy, whole and lesioned, take a battery beside a body that can do all of it, and return the blind inference."""
    agents = "".join(f"""
[[agent]]
name = "{name}"
command = {json.dumps([sys.executable, __file__, name, str(out / "policy.npz")])}
timeout = 60
""" for name in LASTS)
    scenario = out / "learner.toml"
    scenario.write_text(f"""name = "learner"
[battery]
coding = "worlds"
items = {items}
[inference]
layout = "embodied"
{agents}
[[agent]]
name = "sound"
body = {{}}
""")
    reads = sorted({sys.prefix, sys.base_prefix, *filter(os.path.isdir, sys.path)})  # what Python imports from
    return achilles.run(scenario, out / "results", seed=501, allow=reads, force=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", help="a folder; or, for the subject, whole or lesioned")
    parser.add_argument("policy", nargs="?", help="of the subject")
    parser.add_argument("--steps", type=int, default=300_000, help="of training")
    parser.add_argument("--items", type=int, default=400)
    asked = parser.parse_args()
    if asked.policy:
        return take(asked.out, asked.policy)
    out = pathlib.Path(asked.out).absolute()
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "policy.npz").exists():
        train(out / "policy.npz", asked.steps)
    results = measure(out, asked.items)
    names = dict(zip(results.table("subjects")["id"], results.table("subjects")["subject"]))
    profiles = results.table("inferred/profiles")
    for code, parameter, mean, low, high in zip(*(profiles[column] for column in ("subject", "parameter", "mean", "q5", "q95"))):
        print(f"{names[code]:10}{parameter:12}{mean:8.2f}   90 % interval {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()
