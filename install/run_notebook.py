"""Runs a notebook headless; keeps it executed and as HTML; prints its last memory summary.

    python run_notebook.py NOTEBOOK FOLDER [KERNEL]

Ends with 1 when a cell fails (unless it carries the tag raises-exception), having kept what ran until then.
"""
import atexit
import os
import pathlib
import sys

import nbclient
import nbconvert
import nbformat

CELL_SECONDS = 600
START_SECONDS = 180  # of a machine that does much else
SILENT = """{source} was to be run in the kernel {name}.
{error}. Its process said{said}
See {log}, and what `vramlab doctor` says: it starts a kernel too. A kernel is spoken to on this machine's own address, 127.0.0.1, which must be up."""
SUMMARY = "memory summary"
# on paper: no heading parted from what it is over, no blank sheet at the end, no code cut off, no bar to scroll with
PRINT = """<style>@media print {
h1, h2, h3, h4, .jp-MarkdownCell:has(h1:last-child, h2:last-child, h3:last-child, h4:last-child) { break-after: avoid; }
body, main { min-height: 0 !important; margin-bottom: 0 !important; padding-bottom: 0 !important; }
.highlight pre { white-space: pre-wrap; }
.jp-OutputArea-output { overflow: visible !important; }
.jp-RenderedHTMLCommon table { font-size: 11px !important; }
}</style>"""


def plain_texts(notebook):
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            yield output.get("data", {}).get("text/plain", "")
            yield output.get("text", "")


def meant_failures(notebook):
    """The cells that fail and are meant to: their numbers and the error's name without its package, in order."""
    return [(cell.get("execution_count"), output["ename"].rsplit(".", 1)[-1]) for cell in notebook.cells
            if "raises-exception" in cell.get("metadata", {}).get("tags", []) for output in cell.get("outputs", []) if output["output_type"] == "error"]


def said(log):
    """The last lines that the kernel's process wrote, as the end of a sentence."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
    return ": " + " / ".join(lines) if lines else " nothing."


def is_ended_bar(output):
    """Whether a bar was shown here while something took long, on a slow machine alone, that is empty since it has ended."""
    data = output.get("data", {})
    return output.get("output_type") == "display_data" and set(data) == {"text/plain"} and not data["text/plain"].strip()


def run(source, folder, kernel):
    notebook = nbformat.read(source, as_version=4)
    os.environ.setdefault("VRAMLAB_HISTORY", "off")  # a headless run is none of the user's own inputs
    name = kernel or notebook.metadata.kernelspec.name
    place = {"metadata": {"path": str(source.parent)}}
    # what a cell printed is one text, however many messages it came in: else pages break it where a message ended
    client = nbclient.NotebookClient(notebook, timeout=CELL_SECONDS, startup_timeout=START_SECONDS, kernel_name=name, record_timing=False, coalesce_streams=True,
                                     resources=place)
    failure = None
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with open(folder / "kernel.log", "wb") as log:  # what the kernel's process says beside its messages
            client.execute(stderr=log)
    except nbclient.exceptions.CellExecutionError as error:
        failure = str(error)
    except RuntimeError as error:  # the kernel did not start, or ended
        atexit.unregister(client._cleanup_kernel)  # which fails where none started
        sys.exit(SILENT.format(source=source.name, name=name, error=error, log=folder / "kernel.log", said=said(folder / "kernel.log")))
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not is_ended_bar(output)]
    executed = folder / source.name
    page = executed.with_suffix(".html")
    nbformat.write(notebook, executed)
    try:
        html = nbconvert.HTMLExporter().from_notebook_node(notebook)[0]
        page.write_text(html.replace("</head>", PRINT + "</head>", 1), encoding="utf-8")
        shown = str(page)
    except Exception as error:  # of whatever kind: the notebook ran, and that is what was asked
        shown = f"could not be made: {type(error).__name__}: {error}"
    summaries = [text for text in plain_texts(notebook) if SUMMARY in text]
    if summaries:
        print(f"The last memory summary in {source.name}, as PyTorch prints it:\n\n{summaries[-1].strip()}")
    if not failure:
        meant = ", ".join(f"In [{number}] with {name}" for number, name in meant_failures(notebook))
        print("\nEvery cell ran" + (f"; failing is what was meant to happen in {meant}: each out-of-memory counts among the CUDA OOMs." if meant else "."))
    print(f"\nexecuted notebook  {executed}\nits HTML           {shown}")
    if failure:
        print(f"\nA cell failed:\n{failure}", file=sys.stderr)
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(run(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), *(sys.argv[3:4] or [None])))
