"""What .ci/try-ceiling runs inside its control group: ceiling.py FILE_WITH_THE_PEAK COURSE [LESSON...]; ends with 1 if a check failed."""
import pathlib
import sys
import time

import nbclient
import nbformat

# what each took without a ceiling, in GiB
LARGE = {
    "2.2": ["var a = Tensor.ones(1 << 28);", "var b = Tensor.ones(1 << 28);"],
    "3.2": ["var all = new ArrayList<Tensor>();\nfor (int i = 0; i < 3; i++) all.add(Tensor.ones(1 << 28));"],
}


def run(cells, folder):
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "vramlab", "display_name": "", "language": "java"}})
    begin = time.time()
    nbclient.NotebookClient(notebook, timeout=600, allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
    return time.time() - begin


def error(cell):
    return next((each.evalue for each in cell.outputs if each.output_type == "error"), "")


def lesson(file):
    cells = nbformat.read(file, 4).cells
    seconds = run(cells, file.parent)
    code = [cell for cell in cells if cell.cell_type == "code"]
    odd = [error(cell) or "no error: " + cell.source for cell in code if bool(error(cell)) != ("raises-exception" in cell.metadata.get("tags", []))]
    assert not odd, odd[0]
    return "%s, %d cells, %.1f s" % (file.stem, len(code), seconds)


def large(gib, sources, folder):
    """The cells are refused with limit and size told, and the kernel goes on."""
    probe = "Cuda.memoryAllocated() + \" \" + Tensor.ones(4).sum().item()"
    cells = [nbformat.v4.new_code_cell(source) for source in (*sources, probe)]
    run(cells, folder)
    told = next(filter(None, map(error, cells[:-1])), "")
    # the host refused, with its limit and the device's size; what helps a full device would not help here
    assert "host" in told and "device size 8192.00 MiB" in told and "expandable" not in told, told or "no error"
    value = cells[-1].outputs[0].data["text/plain"]
    # none of the tensors of 1 GiB can be had
    assert value == "0 4.0", value
    return "cells of %s GiB, the kernel goes on: %s" % (gib, told.strip().splitlines()[0])


def main(peak, course, lessons):
    files = sorted(course.glob("*.ipynb"), key=lambda file: int(file.name.split("-")[0]))
    checks = [(large, gib, sources, course) for gib, sources in LARGE.items()]
    checks += [(lesson, file) for file in files if not lessons or file.name.split("-")[0] in lessons]
    failed = False
    for check, *arguments in checks:
        try:
            print("ok   " + check(*arguments), end="", flush=True)
        except Exception as failure:  # the others are tried too
            failed = True
            print("FAIL %s: %s" % (arguments[0], failure), end="")
        print(" | most in use so far %.0f MiB" % (int(peak.read_text()) / 2**20), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]))
