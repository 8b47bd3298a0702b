"""Achilles beside girth and py-irt on a two-parameter model of one simulated table of 1000 subjects × 1000 items.

    pip install girth py-irt
    nice python irt_map.py REPOSITORY [girth-mml] [py-irt] [girth-jml]

REPOSITORY is a checkout of Achilles. Its benchmark of one climb to the maximum of all 3,000 values draws the table, climbs, and writes
both (`go test ./infer/joint -bench Maximum -table DIR`). Each peer gets the table in memory, and keeps its own defaults. Times are of
all threads together, on one core; that of Achilles has the drawing of the table too.
"""

import os
import subprocess
import sys
import tempfile

os.environ |= {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded

import numpy as np
import pandas as pd


def processor_time():
    """Seconds of processor time of this process and its children."""
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


def climb(repository, folder):
    """The table, true and estimated values of its items, and seconds."""
    program = f"{folder}/joint.test"
    subprocess.run(["go", "test", "-c", "-o", program, "./infer/joint"], cwd=repository, check=True)
    before = processor_time()
    subprocess.run([program, "-test.run", "x", "-test.bench", "Maximum", "-test.benchtime", "1x", "-table", folder],
                   cwd=f"{repository}/infer/joint", check=True, stdout=subprocess.DEVNULL, env=os.environ | {"GOMAXPROCS": "1"})
    seconds = processor_time() - before
    return np.loadtxt(f"{folder}/responses.csv", delimiter=",", dtype=int), pd.read_csv(f"{folder}/items.csv"), seconds


def girth_mml(y):
    """Marginal maximum likelihood by girth: difficulties and discriminations."""
    import girth
    r = girth.twopl_mml(y.T)
    return r["Difficulty"], r["Discrimination"]


def girth_jml(y):
    """Joint maximum likelihood by girth."""
    import girth
    r = girth.twopl_jml(y.T)
    return r["Difficulty"], r["Discrimination"]


def py_irt(y):
    """Variational inference by py-irt with hierarchical priors, 2000 epochs."""
    import torch
    from py_irt.config import IrtConfig
    from py_irt.dataset import Dataset
    from py_irt.training import IrtModelTrainer
    torch.set_num_threads(1)
    frame = pd.DataFrame(y, columns=[f"i{k}" for k in range(y.shape[1])])
    data = Dataset.from_pandas(frame.assign(subject=[f"s{k}" for k in range(len(y))]), "subject", list(frame.columns))
    trainer = IrtModelTrainer(data_path=None, dataset=data, config=IrtConfig(model_type="2pl", priors="hierarchical", seed=1), verbose=False)
    before = processor_time()
    trainer.train(device="cpu")
    values = trainer.irt_model.export()
    order = [data.item_id_to_ix[c] for c in frame.columns]
    return np.array(values["diff"])[order], np.array(values["disc"])[order], processor_time() - before


PEERS = {"girth-mml": girth_mml, "py-irt": py_irt, "girth-jml": girth_jml}


def row(name, seconds, items, difficulty, discrimination):
    """A row of the table: errors are root mean squares, after both have been brought to the truth's mean and spread."""
    def off(estimate, truth):
        z = (estimate - np.mean(estimate)) / np.std(estimate) * np.std(truth) + np.mean(truth)
        return np.sqrt(np.mean((z - truth) ** 2))
    print(f"| {name} | {seconds:.1f} | {off(difficulty, items.difficulty):.3f} | {off(np.log(np.abs(discrimination)), np.log(items.discrimination)):.3f} |", flush=True)


def main():
    repository, names = sys.argv[1], sys.argv[2:] or list(PEERS)
    with tempfile.TemporaryDirectory() as folder:
        y, items, seconds = climb(repository, folder)
    print("| | s | error of difficulties | error of log discriminations |\n|---|---|---|---|")
    row("Achilles", seconds, items, items.difficulty_map, items.discrimination_map)
    for name in names:
        before = processor_time()
        difficulty, discrimination, *own = PEERS[name](y)
        row(name, own[0] if own else processor_time() - before, items, difficulty, discrimination)


if __name__ == "__main__":
    main()
