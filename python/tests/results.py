"""Checks that results are read as tables and, where ArviZ 1 is installed, as a DataTree: python results.py FOLDER polars or pandas.

With pandas there is no polars, whatever is installed."""

import os
import pathlib
import sys
import warnings

import achilles

if "pandas" in sys.argv[2:]:
    sys.modules["polars"] = None

folder = sys.argv[1] + "/results"
made = achilles.run("quickstart", folder, seed=1, set=["battery.sample=40"], draws=100)
profiles = made.table("inferred/profiles")
assert type(profiles).__module__.startswith(sys.argv[2]), type(profiles)
assert {"subject", "parameter", "mean", "sd"} <= set(profiles.columns) and len(profiles) > 3, profiles
assert len(made.table("inferred/profiles", where="mean > 1e9")) == 0
assert "inferred/profiles" in list(made.tables()["name"]) and repr(made) == f"Results({folder!r})", made
assert len(achilles.infer(folder, layout="constant", draws=100, force=True).table("inferred/profiles")) > 0
try:
    made.table("nothing")
except achilles.Failed as said:
    assert "nothing" in str(said), said
else:
    raise AssertionError("there is no such table")
broken = pathlib.Path(sys.argv[1]) / "broken.toml"
broken.write_text('name = "broken"\n[battery]\ncoding = "worlds"\nitems = 3\n[inference]\nlayout = "constant"\n[[agent]]\nname = "mine"\ncommand = ["false"]\n[[agent]]\nname = "fine"\nbody = {}\n')
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    achilles.run(broken, sys.argv[1] + "/broken")
assert any("mine: 3 trials unscored" in str(warning.message) for warning in told), told
program = os.environ["ACHILLES"]
os.environ["ACHILLES"] = "/nowhere/achilles"
try:
    achilles.path()
except achilles.Failed as said:
    assert "/nowhere/achilles, which is not a program" in str(said), said
else:
    raise AssertionError("there is no such program")
os.environ["ACHILLES"] = program
try:
    import arviz
    import zarr
except ImportError:
    arviz = None
if arviz is None or not hasattr(arviz, "from_zarr") or arviz.__version__.startswith("0."):
    print("tables; no ArviZ 1 here")
else:
    tree = made.to_arviz()
    assert "posterior" in tree.children and len(arviz.summary(tree)) > 0, tree
    print("tables and ArviZ")
