#!/usr/bin/env python3
"""Learned observers of BIB-like episodes: behaviour cloning with an LSTM, the mask model, the video model, and a predictor of the next square.

    python3 baseline.py train background.npz     # arrays of achilles export arrays; writes bc.pt, mask.pt, video.pt and predictor.pt here
    python3 baseline.py watch bc.pt              # an observer for achilles infer --outside; so are the others

All see a trial as masks of 40 x 40 squares, one in five frames (docs/theory/bib.md), and the other trials of the same
actor as context. They are surprised by the step that they predict worst, the mask model by the whole way, as in Gandhi et al. (2021). Needs numpy and torch, for
which the wheels of PyTorch's CPU index do (a plain install brings 4.2 GB of CUDA), or Debian's python3-torch. Trains in three minutes
of processor time.
"""
import argparse
import json
import pathlib
import sys

import numpy as np
import torch
from torch import nn

SIDE, PIXEL, STRIDE, LABELS = 40, 5, 5, 9  # squares of a mask, their pixels, frames between masks, labels with two objects
WALL, BARRIER, LOCK, KEY, HOME, ACTOR, OBJECT = range(1, 8)


# A trial is a dictionary: masks (steps + 1, 40, 40), at (steps + 1, 2) the actor's centres in pixels, actor (a number).

def trials_of_arrays(path):
    """Lists of the trials of every video in a file of achilles export arrays."""
    z = np.load(path)
    z = {name: z[name] for name in z.files}
    videos, place, mask = {}, 0, 0
    for i, video in enumerate(z["trial_video"]):
        frames, masks = z["mask_frame"][mask:z["mask_end"][i]], z["mask"][mask:z["mask_end"][i]]
        position = z["position"][place:z["position_end"][i]]
        videos.setdefault(video, []).append(trial(frames, masks, position, z["trial_actor"][i]))
        place, mask = z["position_end"][i], z["mask_end"][i]
    return list(videos.values())


def trial(frames, masks, position, actor):
    whole = np.flatnonzero(np.diff(frames) == STRIDE)
    if len(whole):  # the last step may be shorter
        frames, masks = frames[:whole[-1] + 2], masks[:whole[-1] + 2]
    return {"masks": np.minimum(masks, LABELS - 1), "at": position[frames].astype(np.float32), "actor": int(actor)}


def trials_of_question(video):
    """The same trials from a question of --outside."""
    raw = video["familiarisation"] + [video["test"]]
    objects = sorted({look(o) for t in raw for o in t["objects"]})
    actors = []
    for t in raw:
        if look(t["agent"]) not in actors:
            actors.append(look(t["agent"]))
    out = []
    for t in raw:
        half = t["agent"]["half"]
        position = np.array(t["path"]) + half
        moved = np.flatnonzero((np.diff(position, axis=0) != 0).any(axis=1))
        first, last = (moved[0], moved[-1] + 1) if len(moved) else (0, 0)
        frames = np.array(sorted(set(range(first, last + 1, STRIDE)) | {last}))
        masks = np.stack([paint(t, f, objects) for f in frames])
        out.append(trial(frames, masks, position, actors.index(look(t["agent"]))))
    return out


def look(shape):
    name = shape["icon"].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return "%s, rgb %d %d %d" % (name, *shape["colour"])


def paint(t, frame, objects):
    now = t
    for change in t["changes"]:
        if change["frame"] <= frame:
            now = change
    mask = np.zeros((SIDE, SIDE), np.uint8)

    def fill(x, y, w, h, label):  # a square has the label if its centre, 5 k + 2, is covered
        low_x, low_y, high_x, high_y = (-(-(v - PIXEL // 2) // PIXEL) for v in (x, y, x + w, y + h))
        mask[max(low_y, 0):max(high_y, 0), max(low_x, 0):max(high_x, 0)] = label

    def square(s, label, x=None, y=None):
        fill(s["x"] if x is None else x, s["y"] if y is None else y, 2 * s["half"], 2 * s["half"], label)

    for r in t["walls"]:
        fill(*r, WALL)
    for r in now["barrier"]:
        fill(*r, BARRIER)
    square(t["home"], HOME)
    for s in now["locks"]:
        square(s, LOCK)
    for s in t["objects"]:
        square(s, OBJECT + objects.index(look(s)))
    for s in now["keys"]:
        square(s, KEY)
    square(t["agent"], ACTOR, *t["path"][frame])
    return mask


ANGLES = np.arange(16) * 2 * np.pi / 16
RAY = np.stack([np.cos(ANGLES), np.sin(ANGLES)], 1)[:, None, :] * np.arange(10, 110, 10)[None, :, None]  # 16 rays of 100 pixels


def features(t):
    """What behaviour cloning sees before every step: where things are from the actor, and free sight in 16 directions."""
    rows = []
    for mask, at in zip(t["masks"][:-1], t["at"][:-1]):
        row = []
        for label in (KEY, LOCK, BARRIER, OBJECT, OBJECT + 1):
            y, x = np.nonzero(mask == label)
            row += [0, 0, 0] if len(x) == 0 else [1, (x.mean() * PIXEL + 2 - at[0]) / 100, (y.mean() * PIXEL + 2 - at[1]) / 100]
        cell = np.clip(((at + RAY) // PIXEL).astype(int), 0, SIDE - 1)
        shut = np.isin(mask[cell[..., 1], cell[..., 0]], (WALL, BARRIER, LOCK))
        row += list(np.where(shut.any(1), shut.argmax(1), 10) / 10)
        rows.append(row)
    return torch.tensor(np.array(rows), dtype=torch.float32)


def steps(t):
    """Displacements over five frames; the usual pace is 1."""
    return torch.tensor(np.diff(t["at"], axis=0) / 10)


class Cloning(nn.Module):
    """Behaviour cloning: an LSTM reads the other trials, an MLP predicts the next step."""

    def __init__(self, seen=31, wide=64):
        super().__init__()
        self.context = nn.LSTM(seen + 2, wide, batch_first=True)
        self.policy = nn.Sequential(nn.Linear(seen + 2 + wide, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 2))

    def prepare(self, t):
        t["seen"], t["step"] = features(t), steps(t)

    def errors(self, others, t):
        """Squared errors of the predicted steps."""
        known = torch.zeros(self.context.hidden_size)
        if others:
            rows = nn.utils.rnn.pack_sequence([torch.cat([o["seen"], o["step"]], 1) for o in others], enforce_sorted=False)
            known = self.context(rows)[1][0][0].mean(0)
        before = torch.cat([torch.zeros(1, 2), t["step"][:-1]])
        x = torch.cat([t["seen"], before, known.expand(len(before), -1)], 1)
        return ((self.policy(x) - t["step"]) ** 2).sum(1)


class Predictor(nn.Module):
    """Convolutions over the mask predict in which square the actor's centre is in the next mask; no model of the paper."""

    def __init__(self, wide=16, known=8):
        super().__init__()
        self.known = known
        self.context = nn.Sequential(nn.Conv2d(LABELS + 1, wide, 5, 4, 2), nn.ReLU(), nn.Conv2d(wide, wide, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(25 * wide, known))
        layers, inputs = [], LABELS + 1 + known
        for dilation in (1, 2, 4, 8):
            layers += [nn.Conv2d(inputs, wide, 3, 1, dilation, dilation), nn.ReLU()]
            inputs = wide
        self.frame = nn.Sequential(*layers, nn.Conv2d(wide, 1, 1))

    def prepare(self, t):
        t["cell"] = torch.tensor(np.clip(t["at"] // PIXEL, 0, SIDE - 1).astype(np.int64)) @ torch.tensor([1, SIDE])

    @staticmethod
    def planes(masks, marked):
        """One plane per label, and one that marks squares: where the actor's centre is or was."""
        x = torch.zeros(len(masks), LABELS + 1, SIDE, SIDE)
        x.scatter_(1, torch.tensor(masks[:, None].astype(np.int64)), 1)
        for plane, cells in zip(x, marked):
            plane[LABELS].view(-1)[cells] = 1
        return x

    def logits(self, others, t):
        known = torch.zeros(self.known)
        if others:
            known = self.context(self.planes(np.stack([o["masks"][0] for o in others]), [o["cell"] for o in others])).mean(0)
        n = len(t["cell"]) - 1
        x = self.planes(t["masks"][:-1], t["cell"][:-1, None])
        x = torch.cat([x, known[None, :, None, None].expand(n, -1, SIDE, SIDE)], 1)
        return self.frame(x).view(n, -1)

    def predict(self, others, t):
        """Probabilities of the squares, and whether the actor is there."""
        p = self.logits(others, t).softmax(1)
        return p, nn.functional.one_hot(t["cell"][1:], SIDE * SIDE)

    def errors(self, others, t):
        """Minus the logarithms of the probabilities of the squares."""
        return nn.functional.cross_entropy(self.logits(others, t), t["cell"][1:], reduction="none")


def planes(masks):
    """One plane per label."""
    return nn.functional.one_hot(torch.tensor(masks.astype(np.int64)), LABELS).permute(0, 3, 1, 2).float()


class Video(nn.Module):
    """The next frame, by a U-Net from the present one and what a bidirectional LSTM has read of the other trials, with squared error."""

    def __init__(self, wide=12, known=16):
        super().__init__()
        relu = nn.ReLU()
        self.known = known
        self.encode = nn.Sequential(nn.Conv2d(LABELS, 8, 5, 4, 2), relu, nn.Conv2d(8, 16, 3, 2, 1), relu, nn.Flatten(), nn.Linear(25 * 16, 32), relu)
        self.context = nn.LSTM(32, known // 2, batch_first=True, bidirectional=True)
        self.whole = nn.Sequential(nn.Conv2d(LABELS + known, wide, 3, 1, 1), relu)
        self.middle = nn.Sequential(nn.Conv2d(wide, 2 * wide, 3, 2, 1), relu)
        self.coarse = nn.Sequential(nn.Conv2d(2 * wide, 2 * wide, 3, 2, 1), relu, nn.Conv2d(2 * wide, 2 * wide, 3, 1, 1), relu, nn.Upsample(scale_factor=2))
        self.up = nn.Sequential(nn.Conv2d(4 * wide, 2 * wide, 3, 1, 1), relu, nn.Upsample(scale_factor=2))
        self.change = nn.Sequential(nn.Conv2d(3 * wide, wide, 3, 1, 1), relu, nn.Conv2d(wide, LABELS, 1))
        nn.init.zeros_(self.change[-1].weight)  # at first nothing moves
        nn.init.zeros_(self.change[-1].bias)

    def prepare(self, t):
        t["frames"] = planes(t["masks"])

    def errors(self, others, t):
        """The squared errors of the frames, summed over their squares."""
        known = torch.zeros(self.known)
        if others:
            seen = self.encode(torch.cat([o["frames"] for o in others])).split([len(o["frames"]) for o in others])
            ends = self.context(nn.utils.rnn.pack_sequence(seen, enforce_sorted=False))[1][0]  # of both directions
            known = torch.cat([ends[0], ends[1]], 1).mean(0)
        now, then = t["frames"][:-1], t["frames"][1:]
        whole = self.whole(torch.cat([now, known[None, :, None, None].expand(len(now), -1, SIDE, SIDE)], 1))
        middle = self.middle(whole)
        up = self.up(torch.cat([middle, self.coarse(middle)], 1))
        return ((now + self.change(torch.cat([whole, up], 1)) - then) ** 2).sum((1, 2, 3))


class Mask(nn.Module):
    """The way as a map of 10 x 10 squares, predicted from the first frame and the ways of the other trials, with focal loss."""

    def __init__(self, wide=32, known=16):
        super().__init__()
        self.known = known
        self.context = nn.Sequential(nn.Conv2d(LABELS + 1, wide, 3, 1, 1), nn.ReLU(), nn.Conv2d(wide, wide, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(25 * wide, known))
        layers, inputs = [], LABELS + known
        for dilation in (1, 2, 4):
            layers += [nn.Conv2d(inputs, wide, 3, 1, dilation, dilation), nn.ReLU()]
            inputs = wide
        self.map = nn.Sequential(*layers, nn.Conv2d(wide, 1, 1))

    def prepare(self, t):
        first = torch.tensor(t["masks"][0].astype(np.int64))
        t["scene"] = nn.functional.max_pool2d(nn.functional.one_hot(first, LABELS).permute(2, 0, 1).float(), SIDE // 10)
        t["way"] = torch.zeros(10, 10)
        x, y = np.clip(t["at"] // (PIXEL * SIDE // 10), 0, 9).astype(int).T
        t["way"][y, x] = 1

    def predict(self, others, t):
        """Probabilities of the squares to be on the way, and whether they are."""
        known = torch.zeros(self.known)
        if others:
            known = self.context(torch.stack([torch.cat([o["scene"], o["way"][None]]) for o in others])).mean(0)
        x = torch.cat([t["scene"], known[:, None, None].expand(-1, 10, 10)])
        return torch.sigmoid(self.map(x[None])[0, 0]), t["way"]

    def errors(self, others, t):
        """The focal loss of the whole way (Lin et al. 2017, gamma 2)."""
        p, way = self.predict(others, t)
        right = torch.where(way > 0, p, 1 - p).clamp(1e-6, 1)
        return -((1 - right) ** 2 * right.log()).sum()[None]


MODELS = {"bc": Cloning, "mask": Mask, "video": Video, "predictor": Predictor}


def others(trials, k):
    """The trials of the same actor but trial k."""
    return [t for i, t in enumerate(trials) if i != k and t["actor"] == trials[k]["actor"] and len(t["at"]) > 1]


def grade(name, model, held):
    """Prints how well the test trials of held-out background videos are predicted."""
    with torch.no_grad():
        tests = [(others(v, 8), v[8]) for v in held if len(v[8]["at"]) > 1]
        said = f"{name}: mean error {torch.cat([model.errors(o, t) for o, t in tests]).mean():.4f}"
        if hasattr(model, "predict"):
            p, there = (torch.cat([x.flatten() for x in xs]) for xs in zip(*(model.predict(o, t) for o, t in tests)))
            hits = ((p > 0.5) & (there > 0)).sum().item()
            said += f", precision {hits / max(1, (p > 0.5).sum().item()):.3f}, recall {hits / there.sum().item():.3f}"
    print(f"{said} on {len(tests)} held-out test trials", flush=True)


def train(name, videos, folder):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    model = MODELS[name]()
    for trials in videos:
        for t in trials:
            if len(t["at"]) > 1:
                model.prepare(t)
    held, taught = videos[:len(videos) // 10], videos[len(videos) // 10:]
    updates = {"bc": 1000, "mask": 1500, "video": 300, "predictor": 250}[name]
    optimiser = torch.optim.Adam(model.parameters(), 2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, updates)
    for update in range(updates + 1):
        if update % (updates // 5) == 0:
            with torch.no_grad():
                loss = torch.cat([model.errors(others(v, 8), v[8]) for v in held if len(v[8]["at"]) > 1]).mean()
            print(f"{name}: after {update} of {updates} updates the mean error of held-out steps is {loss:.4f}", file=sys.stderr, flush=True)
        errors = []
        for _ in range(8):
            trials, k = taught[rng.integers(len(taught))], rng.integers(9)
            if len(trials[k]["at"]) > 1:
                errors.append(model.errors(others(trials, k), trials[k]))
        if errors:
            optimiser.zero_grad()
            torch.cat(errors).mean().backward()
            optimiser.step()
        schedule.step()
    grade(name, model, held)
    torch.save({"model": name, "state": model.state_dict()}, folder / f"{name}.pt")


def watch(path):
    saved = torch.load(path, weights_only=True)
    model = MODELS[saved["model"]]()
    model.load_state_dict(saved["state"])
    torch.set_num_threads(1)
    for line in sys.stdin:
        video = json.loads(line)
        trials = trials_of_question(video)
        answer = {"video": video["video"], "surprise": 0.0}
        if len(trials[-1]["at"]) > 1:
            for t in trials:
                if len(t["at"]) > 1:
                    model.prepare(t)
            with torch.no_grad():
                errors = model.errors(others(trials, len(trials) - 1), trials[-1]).tolist()
            answer.update(surprise=max(errors))
            if len(errors) > 1:
                answer.update(steps=errors)
        print(json.dumps(answer), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("do", choices=["train", "watch"])
    p.add_argument("file", help="arrays to learn from, or a saved model")
    p.add_argument("--models", default="bc,mask,video,predictor", help="what to train")
    a = p.parse_args()
    if a.do == "watch":
        return watch(a.file)
    videos = trials_of_arrays(a.file)
    np.random.default_rng(1).shuffle(videos)
    for name in a.models.split(","):
        train(name, videos, pathlib.Path("."))


if __name__ == "__main__":
    main()
