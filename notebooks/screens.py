"""Counts the screens of notebooks as they are read in a browser, and the lines of code before their first figure and first picture.

    python3 notebooks/screens.py [REVISION] [NOTEBOOK...]

Needs nbconvert in this Python and Chromium on the path. A screen is 900 by 1,000 pixels of the page that nbconvert makes of the stored
notebook. With a git revision the figures there stand before today's; without notebooks it counts the tour, the articles, the reports and
the course.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import nbconvert
import nbformat

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEIGHT = '<script>onload = () => document.documentElement.setAttribute("data-height", document.documentElement.scrollHeight)</script>'


def screens(text):
    page = nbconvert.HTMLExporter().from_notebook_node(nbformat.reads(text, as_version=4))[0]
    page = re.sub(r'<script[^>]*src="http[^>]*></script>', "", page)  # nothing is fetched
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.html"
        file.write_text(page.replace("</body>", HEIGHT + "</body>"), encoding="utf-8")
        dom = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--window-size=900,1000",
                              "--virtual-time-budget=5000", "--user-data-dir=" + folder + "/profile", "--dump-dom", file.as_uri()],
                             capture_output=True, text=True, check=True).stdout
    return int(re.search(r'data-height="(\d+)"', dom).group(1)) / 1000


def lines_of_code(text):
    """Lines of code in all, up to the first table or picture, and up to the first picture."""
    lines, figure, picture = 0, None, None
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            lines += len([line for line in "".join(cell["source"]).splitlines() if line.strip()])
            shown = "".join("".join(output.get("data", {}).get("text/html", "")) for output in cell["outputs"])
            figure = lines if figure is None and shown else figure
            picture = lines if picture is None and "<img" in shown else picture
    return lines, figure, picture


def figures(text):
    if text is None:
        return ("–",) * 4
    return f"{screens(text):.1f}", *("none" if each is None else str(each) for each in lines_of_code(text))


def at(revision, name):
    shown = subprocess.run(["git", "show", f"{revision}:{name}"], cwd=ROOT, capture_output=True, text=True)
    return shown.stdout if shown.returncode == 0 else None


def main(arguments):
    revision = arguments.pop(0) if arguments and not arguments[0].endswith(".ipynb") else None
    names = arguments or [str(file.relative_to(ROOT)) for pattern in ("tour.ipynb", "articles/*.ipynb", "reports/*.ipynb", "course/*.ipynb")
                          for file in sorted((ROOT / "notebooks").glob(pattern))]
    before = ["before"] if revision else []
    print("| notebook | " + " | ".join(f"{what}{', ' + when if when else ''}" for what in ("screens", "lines of code", "first figure after line", "first picture after line")
                                       for when in before + (["now"] if revision else [""])) + " |")
    print("|---|" + "---|" * (8 if revision else 4))
    for name in names:
        now = figures((ROOT / name).read_text(encoding="utf-8"))
        then = figures(at(revision, name)) if revision else None
        print(f"| {pathlib.Path(name).stem} | " + " | ".join(x for i in range(4) for x in ([then[i]] if then else []) + [now[i]]) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
