"""Achilles beside nutpie on the layout op-fixed: effective samples a second of processor time, warm-up included.

    pip install -r requirements.txt
    python op_fixed.py ACHILLES [subject ...]

ACHILLES is the program; subjects are agents of the scenario quickstart. Each is generated and fitted alone. PyMC's model is that
of `achilles layouts show op-fixed`, written by hand, on the same distinct rows of demands with their numbers of successes and
trials, which is the form that costs it least. Compilation by nutpie is left out of its time. Both run on one core.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

import arviz as az
import numpy as np
import nutpie
import pandas as pd
import pymc as pm

SUBJECTS = ["perfect", "coin", "burnt", "short-sighted", "forgetful"]
DEMANDS = ["timeUnderOcclusion", "numPositions", "occluder", "goalSize", "goalDistance", "rightLeft", "lava", "ramp", "platform"]
PARAMETERS = ["op", "memory", "visual", "flatNav", "lava", "platform", "ramp", "rightLeft", "noise"]


def scenario(achilles, subject):
    """The text of quickstart with one agent only."""
    text = subprocess.run([achilles, "scenarios", "show", "quickstart"], check=True, capture_output=True, text=True).stdout
    head, *agents = re.split(r"(?m)^\[\[agent\]\]$", text)
    own = [a for a in agents if f'name = "{subject}"' in a]
    if len(own) != 1:
        sys.exit(f"quickstart has no agent {subject}")
    return head + "[[agent]]" + own[0]


def fit_achilles(achilles, results):
    """Profiles by parameter and seconds of processor time."""
    before = os.times()
    subprocess.run([achilles, "infer", results, "--layout", "op-fixed", "--candidates", "none", "--no-predict"],
                   check=True, capture_output=True, env=os.environ | {"GOMAXPROCS": "1"})
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return pd.read_parquet(f"{results}/inferred/profiles.parquet").set_index("parameter"), seconds


def rows(results):
    """Distinct rows of demands, with the number of trials and of successes."""
    items = pd.read_parquet(f"{results}/public/items.parquet")
    responses = pd.read_parquet(f"{results}/public/responses.parquet")
    responses = responses[(responses.measure == "success") & responses.value.notna()]
    joined = responses.merge(items, on="item")
    return joined.groupby(DEMANDS, as_index=False).agg(n=("value", "size"), k=("value", "sum"))


def model(d):
    """op-fixed (scenarios/layouts/op-fixed.toml)."""
    time_, positions, occluder = (d[c].to_numpy() for c in ["timeUnderOcclusion", "numPositions", "occluder"])
    with pm.Model() as m:
        memory = pm.Uniform("memory", 0, 1.2 * 4)
        op = pm.Deterministic("op", pm.Uniform("share", 0, 1) * 11 * memory)
        visual = pm.Uniform("visual", 0, 1.2 * 5)
        flat_nav = pm.Uniform("flatNav", 0, 56)
        bias = pm.Normal("rightLeft", 0, 1)
        noise = pm.Uniform("noise", 0, 1)
        p = pm.math.sigmoid(flat_nav - d.goalDistance.to_numpy() + bias * d.rightLeft.to_numpy())
        for name in ["lava", "ramp", "platform"]:
            present = d[name].to_numpy()
            p = p * (1 - present + present * pm.Beta(name, 1, 1))
        p = p * pm.math.sigmoid(visual - (5 - d.goalSize.to_numpy())) * pm.math.sigmoid(memory - time_)
        p = p * pm.math.sigmoid(52.8 - (52.8 - (op - 4 * positions)) * occluder)
        pm.Binomial("successes", n=d.n.to_numpy(), p=(1 - noise) * p + noise * 0.5, observed=d.k.to_numpy())
    return m


def fit_nutpie(d, seed):
    """Summaries by parameter, seconds of processor time, and divergent draws."""
    compiled = nutpie.compile_pymc_model(model(d))
    before = time.process_time()
    trace = nutpie.sample(compiled, draws=1000, chains=4, cores=1, seed=seed, progress_bar=False)
    seconds = time.process_time() - before
    return az.summary(trace, var_names=PARAMETERS, round_to="none"), seconds, int(trace.sample_stats.diverging.sum())


def main():
    achilles, subjects = sys.argv[1], sys.argv[2:] or SUBJECTS
    print(f"nutpie {nutpie.__version__}, PyMC {pm.__version__}; 4 chains of 1000 draws, one core")
    print("subject        |           Achilles        |               nutpie                |")
    print("               |    s  least ESS   ESS/s   |    s  least ESS   ESS/s  R-hat  div. | ratio  largest difference of means, in sd")
    ratios = []
    for subject in subjects:
        with tempfile.TemporaryDirectory() as scratch:
            file, results = f"{scratch}/one.toml", f"{scratch}/results"
            with open(file, "w", encoding="utf-8") as f:
                f.write(scenario(achilles, subject))
            subprocess.run([achilles, "generate", file, "--out", results], check=True, capture_output=True)
            ours, our_seconds = fit_achilles(achilles, results)
            theirs, their_seconds, divergent = fit_nutpie(rows(results), seed=1)
        our_ess, their_ess = ours.ess_bulk[PARAMETERS].min(), theirs.ess_bulk.min()
        ratio = our_ess / our_seconds / (their_ess / their_seconds)
        apart = ((theirs["mean"] - ours["mean"][PARAMETERS]).abs() / ours["sd"][PARAMETERS])
        ratios.append(ratio)
        print(f"{subject:<15}|{our_seconds:5.1f} {our_ess:10.0f} {our_ess / our_seconds:7.0f}    |{their_seconds:5.1f} {their_ess:10.0f} "
              f"{their_ess / their_seconds:7.0f} {theirs.r_hat.max():6.3f} {divergent:5d} | {ratio:5.1f}  {apart.max():.2f} ({apart.idxmax()})", flush=True)
    print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.1f}")


if __name__ == "__main__":
    main()
