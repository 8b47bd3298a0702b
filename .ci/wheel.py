"""Packs the Python package and a program into a wheel for each program in a folder: wheel.py PROGRAMS OUT."""

import base64
import hashlib
import pathlib
import sys
import tomllib
import zipfile

TAGS = {  # by the name of the program
    "achilles-linux-amd64": ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_2_x86_64"],
    "achilles-linux-arm64": ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_2_aarch64"],
    "achilles-darwin-amd64": ["macosx_11_0_x86_64"],
    "achilles-darwin-arm64": ["macosx_11_0_arm64"],
    "achilles-windows-amd64.exe": ["win_amd64"],
}


def pack(program, programs, source, out):
    """Write the wheel of a program."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    name, version, tags = project["name"], project["version"], TAGS[program.name]
    info = f"{name}-{version}.dist-info"
    needs = [f"Requires-Dist: {d}" for d in project["dependencies"]]
    for extra, list_ in project["optional-dependencies"].items():
        needs += [f"Provides-Extra: {extra}"] + [f"Requires-Dist: {d}; extra == '{extra}'" for d in list_]
    scripts = [f"{k} = {v}" for k, v in project["scripts"].items()]
    files = [(f"{name}/{p.name}", p.read_bytes(), 0o644) for p in sorted((source / name).glob("*.py*"))]
    files.append((f"{name}/bin/achilles" + program.suffix, program.read_bytes(), 0o755))
    files += [(f"{info}/licenses/{p}", (programs / p).read_bytes(), 0o644) for p in ("LICENSE", "NOTICE", "sbom.cdx.json")]
    for path, lines in (
        ("METADATA", ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}", f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}", "License-File: LICENSE", "License-File: NOTICE", *needs]),
        ("WHEEL", ["Wheel-Version: 1.0", "Generator: achilles", "Root-Is-Purelib: false", *[f"Tag: py3-none-{t}" for t in tags]]),
        ("entry_points.txt", ["[console_scripts]", *scripts]),
    ):
        files.append((f"{info}/{path}", ("\n".join(lines) + "\n").encode(), 0o644))
    record = "".join(f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n" for path, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    wheel = out / f"{name}-{version}-py3-none-{'.'.join(tags)}.whl"
    with zipfile.ZipFile(wheel, "w") as z:
        for path, data, mode in files:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, (0o100000 | mode) << 16  # without the kind of file, pip drops the right to execute
            z.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")


def main():
    programs, out = map(pathlib.Path, sys.argv[1:])
    source = pathlib.Path(__file__).parent.parent / "python"
    for name in sorted(TAGS):
        if (programs / name).exists():
            pack(programs / name, programs, source, out)


main()
