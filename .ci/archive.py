"""Packs each program in a folder with LICENSE, NOTICE and the list of modules into an archive beside it: archive.py FOLDER.

The same files give the same bytes."""

import gzip
import io
import pathlib
import sys
import tarfile
import zipfile


def pack(program):
    """Write the archive of a program, in which it is called achilles."""
    folder = program.with_suffix("").name
    files = [("achilles" + program.suffix, program.read_bytes(), 0o755)]
    files += [(name, (program.parent / name).read_bytes(), 0o644) for name in ("LICENSE", "NOTICE", "sbom.cdx.json")]
    if program.suffix == ".exe":
        with zipfile.ZipFile(program.with_suffix(".zip"), "w") as z:
            for name, data, mode in files:
                entry = zipfile.ZipInfo(f"{folder}/{name}", (1980, 1, 1, 0, 0, 0))
                entry.create_system, entry.external_attr = 3, (0o100000 | mode) << 16
                z.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
        return
    with open(f"{program}.tar.gz", "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as g, tarfile.open(fileobj=g, mode="w", format=tarfile.USTAR_FORMAT) as t:
        for name, data, mode in files:
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(data), mode
            t.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    for program in sorted(pathlib.Path(sys.argv[1]).glob("achilles-*")):
        if program.suffix in ("", ".exe"):
            pack(program)
