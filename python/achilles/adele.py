"""A model of abilities for the package adele of ADeLe (Zhou et al. 2026), for compute_ability_scores(model_class=AbilityModel).

adele's own fits each demand by itself. This one fits all abilities together, with a lapse: an item is passed where every demand above
0 is met, logistic(ability - level). It says how sure it is.
"""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Sequence

import numpy as np
import pandas as pd

from . import results

try:
    from adele.analysis.ability import AbilityModel as _Base
except ImportError:  # adele asks of a model that it has these methods
    _Base = object


class AbilityModel(_Base):
    """The abilities of one subject, as adele calls it. level is the greatest level of a demand."""

    level = 5

    def fit(self, demand_profiles, correctness, demands: Sequence[str], *, pool: str = "product", chance: float = 0, draws: int = 1000, seed: int = 1, **ignored) -> None:
        """Fit the abilities.

        demand_profiles, of pandas or polars, has a row for each item and a column of levels from 0 to 5 for each of demands, two
        levels at least; correctness is 0 or 1 for each row, and a missing value leaves it out. pool says how demands are met
        together, and chance is what a lapse gives: a number; both as in `achilles layouts new`. What is ignored are settings of
        adele's own model. What is wrong with these raises ValueError.
        """
        if isinstance(demands, str) or len(demands) == 0:
            raise ValueError(f"demands is {demands!r}: want a list of columns of demand_profiles")
        levels, passed = self._levels(demand_profiles, demands), np.asarray(correctness, float)
        if passed.shape != (len(levels),):
            raise ValueError(f"correctness has shape {passed.shape}: want a number for each of the {len(levels)} rows of demand_profiles")
        if not np.isin(passed[~np.isnan(passed)], (0, 1)).all():
            raise ValueError("correctness: want 0 or 1, or no value")
        if np.isnan(passed).all():
            raise ValueError("correctness has no value")
        for demand, column in zip(demands, levels):
            if levels[column].nunique() == 1:
                raise ValueError(f"demand_profiles: {demand} has one level, which says nothing of an ability: leave it out of demands")
        self.demands = list(demands)
        self._folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self._folder.name)
        levels.to_csv(folder / "items.csv", index_label="item")
        given = pd.DataFrame({"item": levels.index, "subject": "subject", "passed": passed}).dropna()
        given.astype({"passed": int}).to_csv(folder / "responses.csv", index=False)
        call, self._layout = results.program.call, folder / "layout.toml"
        call("import", "--items", folder / "items.csv", "--responses", folder / "responses.csv", "--out", folder / "results")
        call("layouts", "new", folder / "results", "--demands", ",".join(levels.columns), "--pool", pool, "--chance", chance, "--out", self._layout)
        self._results = results.infer(folder / "results", layout=self._layout, draws=draws, seed=seed, no_predict=True)
        table = self._results.table("inferred/draws")
        name = "abilityD{}" if "abilityD0" in table.columns else "ability[d{}]"  # `layouts new` makes a vector of many
        self.draws = {demand: np.asarray(table[name.format(i)]) for i, demand in enumerate(self.demands)}

    @property
    def ability_scores(self) -> dict[str, float]:
        """The mean ability by demand, from 0 to 1: the area under its curve of success from level 0 to 5, where nothing else is asked."""
        return {demand: float(area.mean()) for demand, area in self._areas().items()}

    def ability_intervals(self, probability: float = 0.9) -> dict[str, tuple[float, float]]:
        """Return the equal-tailed interval of each score, (low, high)."""
        tails = (1 - probability) / 2
        return {demand: tuple(map(float, np.quantile(area, (tails, 1 - tails)))) for demand, area in self._areas().items()}

    def predict_success_probability(self, demand_profiles) -> np.ndarray:
        """Return the probability of success for each row of demand_profiles."""
        self._fitted()
        levels = self._levels(demand_profiles, self.demands)
        file = pathlib.Path(self._folder.name) / "asked.csv"
        levels.to_csv(file, index_label="item")
        text = results.program.call("predict", self._results.directory, "--layout", self._layout, "--items", file, "--format", "csv")
        table = results.read(text)
        return pd.Series(np.asarray(table["expected"]), np.asarray(table["item"])).loc[levels.index].to_numpy()

    def _areas(self):
        """Return draws of the area under the curve of each demand."""
        self._fitted()
        return {demand: (np.logaddexp(0, a) - np.logaddexp(0, a - self.level)) / self.level for demand, a in self.draws.items()}

    def _fitted(self):
        if not hasattr(self, "draws"):
            raise RuntimeError("the abilities are not fitted: call fit first")

    def _levels(self, profiles, demands):
        """Return the levels, with names that the program can use in expressions."""
        if not hasattr(profiles, "columns"):
            raise ValueError("demand_profiles: want a table of pandas or polars, with columns of these names")
        missing = [demand for demand in demands if demand not in profiles.columns]
        if missing:
            raise ValueError(f"demand_profiles has no column {', '.join(missing)}")
        if len(profiles) == 0:
            raise ValueError("demand_profiles has no rows")
        levels = pd.DataFrame({f"d{i}": pd.to_numeric(np.asarray(profiles[demand])) for i, demand in enumerate(demands)})
        levels.index = [f"i{i}" for i in range(len(levels))]
        if not levels.stack().between(0, self.level).all() or levels.isna().any(axis=None):
            raise ValueError(f"demand_profiles: want a level from 0 to {self.level} in every cell")
        return levels
