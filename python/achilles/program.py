"""The program achilles: where it is, and how to run it."""

import os
import pathlib
import shutil
import subprocess
import warnings


class Failed(RuntimeError):
    """The program has refused or failed. The text is what it said."""


def path() -> str:
    """Return the path of the program: that of $ACHILLES, of this package, or of the PATH, in this order."""
    named = os.environ.get("ACHILLES")
    if named:
        if shutil.which(named) is None:
            raise Failed(f"$ACHILLES is {named}, which is not a program")
        return named
    name = "achilles.exe" if os.name == "nt" else "achilles"
    own = pathlib.Path(__file__).parent / "bin" / name
    if own.exists():
        return str(own)
    found = shutil.which(name)
    if found is None:
        raise Failed("there is no program achilles: install the wheel, put the program on the PATH, or name it in $ACHILLES")
    return found


def call(*arguments) -> str:
    """Run the program and return what it prints. What it warns of are warnings. Raise Failed, with what it said, if it fails."""
    done = subprocess.run([path(), *map(str, arguments)], capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    for line in done.stderr.splitlines():
        if line.startswith("achilles: warning: "):
            warnings.warn(line.removeprefix("achilles: warning: "), stacklevel=3)
    return done.stdout


def main():
    """Be the program, for the command achilles of an installed wheel."""
    import sys

    if os.name == "nt":
        sys.exit(subprocess.run([path(), *sys.argv[1:]]).returncode)
    os.execv(path(), ["achilles", *sys.argv[1:]])
