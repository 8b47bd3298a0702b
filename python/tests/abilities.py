"""Checks the model of abilities for ADeLe: python abilities.py. Where adele is not installed, its abstract class is stood in for."""

import abc
import importlib
import importlib.util
import sys
import types

import numpy as np
import pandas as pd

if not importlib.util.find_spec("adele"):

    class Abstract(abc.ABC):
        fit = abc.abstractmethod(lambda self, demand_profiles, correctness, demands, **settings: None)
        ability_scores = property(abc.abstractmethod(lambda self: None))

    for name in ("adele", "adele.analysis", "adele.analysis.ability"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["adele.analysis.ability"].AbilityModel = Abstract

ability = importlib.import_module("adele.analysis.ability")

from achilles.adele import AbilityModel

assert issubclass(AbilityModel, ability.AbilityModel)

draws = np.random.default_rng(1)
true = {"AS": 4.0, "MCr": 2.5, "v2/PLp": 3.5, "KNn": 1.0}
levels = pd.DataFrame(draws.integers(0, 6, (1500, 4)), columns=list(true), index=[f"custom {i}" for i in range(1500)])
met = np.where(levels > 0, 1 / (1 + np.exp(levels - list(true.values()))), 1)
chance = met.prod(axis=1)
passed = (draws.random(1500) < chance).astype(float)


def area(level):
    """Return what a score is, by a sum over a fine grid of levels."""
    grid = np.linspace(0, 5, 100_001)
    return float((1 / (1 + np.exp(grid - level))).mean())


model = AbilityModel()
try:
    model.ability_scores
except RuntimeError as said:
    assert "call fit first" in str(said), said
else:
    raise AssertionError("nothing is fitted")
model.fit(demand_profiles=levels, correctness=passed, demands=list(true), dup_threshold=100, n_grid=11)  # as adele calls it
scores, intervals = model.ability_scores, model.ability_intervals(0.999)
assert list(scores) == list(true), scores
for demand, level in true.items():
    low, high = intervals[demand]
    assert 0 <= low < scores[demand] < high <= 1 and low < area(level) < high and high - low < 0.4, (demand, scores, intervals, area(level))
expected = model.predict_success_probability(levels)
assert np.abs(expected - chance).max() < 0.15 and np.corrcoef(expected, chance)[0, 1] > 0.98, np.abs(expected - chance).max()
assert (model.predict_success_probability(levels[::-1]) == expected[::-1]).all()

if importlib.util.find_spec("polars"):
    import polars

    other = AbilityModel()
    other.fit(polars.DataFrame({name: levels[name].to_numpy() for name in true}), passed, list(true))
    assert other.ability_scores == scores, other.ability_scores

many = pd.DataFrame(draws.integers(0, 6, (600, 18)) * (draws.random((600, 18)) < 0.2), columns=[f"D {i}" for i in range(18)])  # as many as ADeLe has
high = np.linspace(1, 4, 18)
right = (draws.random(600) < np.where(many > 0, 1 / (1 + np.exp(many - high)), 1).prod(axis=1)).astype(int)
model = AbilityModel()
model.fit(many, right, list(many), draws=200)
found = list(model.ability_scores.values())
assert list(model.ability_scores) == list(many) and np.corrcoef(found, [area(level) for level in high])[0, 1] > 0.7, found
assert np.abs(model.predict_success_probability(many) - right).mean() < 0.45

for wrong, says in (
    (lambda: model.fit(levels, passed[1:], list(true)), "correctness has shape (1499,)"),
    (lambda: model.fit(levels, passed * 2, list(true)), "want 0 or 1"),
    (lambda: model.fit(levels + 1, passed, list(true)), "from 0 to 5"),
    (lambda: model.fit(levels, passed, ["AS", "VO"]), "no column VO"),
    (lambda: model.fit(levels.assign(KNn=3), passed, list(true)), "KNn has one level"),
    (lambda: model.fit(levels, passed, "AS"), "want a list"),
    (lambda: model.fit(levels, passed * np.nan, ["AS"]), "no value"),
    (lambda: model.fit(levels[:0], passed[:0], ["AS"]), "no rows"),
    (lambda: model.fit(levels.to_numpy(), passed, ["AS"]), "want a table"),
):
    try:
        wrong()
    except ValueError as said:
        assert says in str(said), said
    else:
        raise AssertionError(says)

if hasattr(ability, "compute_ability_scores"):
    rows = levels.rename_axis("custom_id").reset_index()
    again = ability.compute_ability_scores(rows[["custom_id"]].assign(correct=passed), rows, demands=list(true), model_class=AbilityModel)
    assert again == scores, (again, scores)
    print("abilities, called by adele")
else:
    print("abilities; no adele here")
