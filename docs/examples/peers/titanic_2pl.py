"""Achilles beside nutpie on a two-parameter model of the Titanic table of models × items: effective samples a second.

    pip install -r requirements.txt
    python titanic_2pl.py ACHILLES RESULTS [layout ...]

ACHILLES is the program, RESULTS what `achilles import` made of the table (docs/guide/abilities.md), and a layout is one of the
models below; all of them are run if none is named. The priors are the same, and both draw four chains. Times are of all processors
together: of the whole command for Achilles, leave-one-out included; for nutpie without compilation. nutpie stops after BUDGET seconds of processor time, with the draws that it has.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

import arviz as az
import numpy as np
import nutpie
import pandas as pd
import pymc as pm

BUDGET = 900
WARMUP, DRAWS = 300, 800
SIGNED = """name = "signed"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
threshold = { prior = "normal(mu, sigma)" }
slope = { prior = "normal(centre, spread)" }
[shared]
mu = { prior = "normal(0, 2)" }
sigma = { prior = "halfnormal(2)" }
centre = { prior = "halfnormal(2)" }
spread = { prior = "halfnormal(1)" }
[response.success]
p = "logistic(slope*ability - threshold)"
"""
LAYOUTS = ["signed", "2pl"]


def table(results):
    """Success of every subject and item, and the indices of both."""
    r = pd.read_parquet(f"{results}/public/responses.parquet")
    r = r[(r.measure == "success") & r.value.notna()]
    return r.value.to_numpy(int), r.subject.astype("category").cat.codes.to_numpy(), r.item.astype("category").cat.codes.to_numpy()


def model(name, y, subject, item):
    """The layout of this name, written by hand."""
    with pm.Model() as m:
        ability = pm.Normal("ability", 0, 1, shape=int(subject.max()) + 1)
        mu, sigma = pm.Normal("mu", 0, 2), pm.HalfNormal("sigma", 2)
        n = int(item.max()) + 1
        if name == "signed":
            slope = pm.Normal("slope", pm.HalfNormal("centre", 2), pm.HalfNormal("spread", 1), shape=n)
            logit = slope[item] * ability[subject] - pm.Normal("threshold", mu, sigma, shape=n)[item]
        else:
            slope = pm.LogNormal("discrimination", 0, pm.HalfNormal("spread", 1), shape=n)
            logit = slope[item] * (ability[subject] - pm.Normal("difficulty", mu, sigma, shape=n)[item])
        pm.Bernoulli("y", logit_p=logit, observed=y)
    return m


def fit_achilles(achilles, results, name, scratch):
    """Bulk ESS and R-hat of all values, and seconds of processor time."""
    layout, copy = name, f"{scratch}/results"
    if name == "signed":
        layout = f"{scratch}/signed.toml"
        with open(layout, "w", encoding="utf-8") as f:
            f.write(SIGNED)
    shutil.copytree(f"{results}/public", f"{copy}/public")
    shutil.copy(f"{results}/ledger.json", copy)
    before = os.times()
    subprocess.run([achilles, "infer", copy, "--layout", layout, "--engine", "nuts", "--no-predict", "--jobs", "1", "--warmup", str(WARMUP),
                    "--draws", str(DRAWS)], check=True, capture_output=True, env=os.environ | {"GOMAXPROCS": "1"})
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    values = pd.concat([pd.read_parquet(f"{copy}/inferred/{f}.parquet") for f in ["profiles", "parameters"]])
    return values[["parameter", "ess_bulk", "rhat"]], seconds


def finished(sampler):
    """Whether nutpie has all draws; it raises an error instead of saying no."""
    try:
        return sampler.is_finished
    except TimeoutError:
        return False


def fit_nutpie(name, data):
    """Bulk ESS and R-hat of all values, seconds of processor time, and draws of each chain."""
    compiled = nutpie.compile_pymc_model(model(name, *data))
    before = time.process_time()
    sampler = nutpie.sample(compiled, draws=DRAWS, tune=WARMUP, chains=4, cores=4, seed=1, progress_bar=False, blocking=False)
    while not finished(sampler) and time.process_time() - before < BUDGET:
        time.sleep(1)
    trace = sampler.wait() if finished(sampler) else sampler.abort()
    seconds = time.process_time() - before
    if "posterior" not in trace or trace.posterior.sizes.get("draw", 0) < 4:
        return None, seconds, 0
    s = az.summary(trace, kind="diagnostics", round_to="none")
    s["parameter"] = s.index.str.replace(r"\[.*", "", regex=True)
    return s.rename(columns={"r_hat": "rhat"})[["parameter", "ess_bulk", "rhat"]], seconds, trace.posterior.sizes["draw"]


def row(who, name, values, seconds, draws):
    """A row of the table."""
    least = values.groupby("parameter").ess_bulk.min()
    worst = values.rhat.max()
    each = ", ".join(f"{p} {e:.0f}" for p, e in least.sort_values().items())
    print(f"| {who} | {name} | {draws} | {seconds:.0f} | {least.min():.0f} | {worst:.3f} | {least.min() / seconds:.2f} | {each} |", flush=True)


def main():
    achilles, results, names = sys.argv[1], sys.argv[2], sys.argv[3:] or LAYOUTS
    data = table(results)
    print(f"nutpie {nutpie.__version__}, PyMC {pm.__version__}, NumPy {np.__version__}; {len(data[0])} responses, 4 chains, {WARMUP} draws of warm-up")
    print("| sampler | layout | draws a chain | s | least bulk ESS | largest R-hat | ESS/s | least bulk ESS of each parameter |\n|---|---|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            row("Achilles", name, *fit_achilles(achilles, results, name, scratch), DRAWS)
        values, seconds, draws = fit_nutpie(name, data)
        if values is None:
            print(f"| nutpie | {name} | 0 | {seconds:.0f} | – | – | – | still warming up |", flush=True)
        else:
            row("nutpie", name, values, seconds, draws)


if __name__ == "__main__":
    main()
