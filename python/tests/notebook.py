"""Executes a notebook in a folder: python notebook.py NOTEBOOK FOLDER. Prints how many cells have run and what they show."""

import sys

import nbclient
import nbformat

book = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(book)
nbclient.NotebookClient(book, timeout=1200, resources={"metadata": {"path": sys.argv[2]}}).execute()
cells = [cell for cell in book.cells if cell.cell_type == "code"]
for cell in cells:
    shown = [kind for out in cell.outputs for kind in out.get("data", {"text/plain": 1})]
    assert shown, cell.source
    print(cell.execution_count, *shown)
