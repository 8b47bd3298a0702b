"""Results directories of the program: made, inferred, and read as tables."""

from __future__ import annotations

import importlib.metadata
import io
import os
import pathlib
import tempfile

from . import program


def run(scenario: str | os.PathLike, out: str | os.PathLike, **settings) -> Results:
    """Make a scenario's battery, let its subjects take it, infer blind and score; return the Results in the folder out.

    A setting is a flag of `achilles run`, with _ for -: seed=1, draws=200, set=["battery.items=50"].
    """
    program.call("run", scenario, "--out", out, *_flags(settings))
    return Results(out)


def infer(directory: str | os.PathLike, **settings) -> Results:
    """Infer the subjects of directory/public blind; return the Results. A setting is a flag of `achilles infer`."""
    program.call("infer", directory, *_flags(settings))
    return Results(directory)


class Results:
    """A results directory."""

    def __init__(self, directory: str | os.PathLike):
        self.directory = pathlib.Path(directory)

    def __repr__(self):
        return f"Results({str(self.directory)!r})"

    def tables(self):
        """Return the table of tables: name, number of rows, title."""
        return read(program.call("show", self.directory, "--format", "csv"))

    def table(self, name: str, where: str | None = None, sort: str | None = None):
        """Return a table of `achilles show DIR`, as polars or, if that is not installed, as pandas has it."""
        more = [x for flag, value in (("--where", where), ("--sort", sort)) if value for x in (flag, value)]
        return read(program.call("show", self.directory, name, "--format", "csv", *more))

    def to_arviz(self, **settings):
        """Return the inference as ArviZ 1 has it, a DataTree. A setting is a flag of `achilles export arviz`, such as thin=10."""
        import arviz

        have = importlib.metadata.version("arviz")
        if int(have.split(".")[0]) < 1:
            raise ImportError(f"to_arviz needs ArviZ 1 or later, which needs Python 3.12; here is ArviZ {have}")
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "draws.zarr"
            program.call("export", "arviz", self.directory, "--out", out, *_flags(settings))
            return arviz.from_zarr(out, consolidated=False).load()


def read(text):
    """Return a table of the program, in CSV, as polars or, if that is not installed, as pandas has it."""
    try:
        import polars

        return polars.read_csv(io.StringIO(text), infer_schema_length=None)
    except ImportError:
        import pandas

        return pandas.read_csv(io.StringIO(text))


def _flags(settings):
    """Return settings as flags."""
    flags = []
    for name, value in settings.items():
        name = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            flags.append(f"{name}={str(one).lower() if isinstance(one, bool) else one}")
    return flags
