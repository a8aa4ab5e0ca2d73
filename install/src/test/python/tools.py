"""The six tools of docs/tools.md on a notebook of ours, and the values of docs/hub; prints one line each, and ends with 1 if one does not do what the page says.

    python tools.py NOTEBOOK WORK [--run]      --run: papermill too, which starts the kernel
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import jupytext
import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[4]


def tool(*command, status=0, **options):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", **options)
    assert ran.returncode == status, "%s ended with %d: %s" % (" ".join(map(str, command)), ran.returncode, ran.stdout)
    return ran.stdout


def code(file):
    return [cell.source for cell in nbformat.read(file, 4).cells if cell.cell_type == "code"]


def nbstripout(notebook, work):
    file = work / "stripped.ipynb"
    shutil.copy(notebook, file)
    tool("nbstripout", "--keep-id", file)
    cells = nbformat.read(file, 4).cells
    assert code(file) == code(notebook) and not any(cell.get("outputs") for cell in cells)
    assert [cell.id for cell in cells] == [cell.id for cell in nbformat.read(notebook, 4).cells]
    return "outputs gone, cells and their ids kept"


def nbdime(notebook, work):
    file = work / "changed.ipynb"
    changed = nbformat.read(notebook, 4)
    next(cell for cell in changed.cells if cell.cell_type == "code").source += "\n// changed"
    nbformat.write(changed, file)
    said = tool("nbdiff", "--no-color", "--sources", notebook, file)
    assert "+// changed" in said.replace("+  //", "+//"), said
    return "one changed line shown as one"


def jupytext_java(notebook, work):
    file = work / "lesson.java"
    jupytext.write(nbformat.read(notebook, 4), file, fmt="java:percent")
    assert "// %%" in file.read_text(encoding="utf-8")
    assert [cell.source for cell in jupytext.read(file).cells if cell.cell_type == "code"] == code(notebook)
    return "%d code cells there and back" % len(code(notebook))


def papermill(notebook, work):
    file = work / "parameters.ipynb"
    cells = [nbformat.v4.new_code_cell("int batch = 1;", metadata={"tags": ["parameters"]}), nbformat.v4.new_code_cell("System.out.print(batch * 2);")]
    kernelspec = {"name": "vramlab", "display_name": "VramLab (Java)", "language": "java"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernelspec}), file)
    tool(sys.executable, ROOT / "install/papermill_java.py", file, work / "ran.ipynb", "-p", "batch", "21")
    said = "".join(output.get("text", "") for output in nbformat.read(work / "ran.ipynb", 4).cells[-1].outputs)
    assert said == "42", said
    return "-p batch 21 reaches the cells"


def pre_commit(notebook, work):
    """A hook of the repository that strips what is committed; as a local one, so that nothing is fetched."""
    folder = work / "repository"
    folder.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=.git/hooks"]
    tool("git", "init", "-q", cwd=folder)
    hook = {"id": "nbstripout", "name": "nbstripout", "entry": "nbstripout --keep-id", "language": "system", "files": r"\.ipynb$"}
    (folder / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [{"repo": "local", "hooks": [hook]}]}))
    tool("pre-commit", "install", cwd=folder)
    shutil.copy(notebook, folder / "lesson.ipynb")
    tool("git", "add", ".", cwd=folder)
    tool(*git, "commit", "-qm", "with outputs", cwd=folder, status=1)  # the hook changed it
    tool("git", "add", ".", cwd=folder)
    tool(*git, "commit", "-qm", "without", cwd=folder)
    assert not any(cell.get("outputs") for cell in nbformat.read(folder / "lesson.ipynb", 4).cells)
    return "a commit with outputs is stopped and stripped"


def nbconvert(notebook, work):
    tool("jupyter", "nbconvert", "--to", "html", "--output-dir", work, notebook)
    page = (work / notebook.with_suffix(".html").name).read_text(encoding="utf-8")
    assert "Exercise" in page or "VramLab" in page
    return "HTML of %d KB" % (len(page) // 1024)


def kubernetes(notebook, work):
    """The values for Zero to JupyterHub's chart, by the chart's own schema, which knows every name."""
    import gzip

    import jsonschema
    import yaml

    chart = json.loads(gzip.decompress((ROOT / "install/src/test/resources/kubernetes/chart.json.gz").read_bytes()))
    values = yaml.safe_load((ROOT / "docs/hub/zero-to-jupyterhub.yaml").read_text(encoding="utf-8"))

    def merged(under, over):
        return {**under, **{key: merged(under.get(key) or {}, value) if isinstance(value, dict) else value for key, value in over.items()}}

    check = jsonschema.Draft202012Validator(chart["schema"])
    said = ["%s: %s" % (list(error.path), error.message) for error in check.iter_errors(merged(chart["defaults"], values))]
    assert not said, said
    values["singleuser"]["memry"] = {}
    assert list(check.iter_errors(merged(chart["defaults"], values))), "the schema takes whatever comes"
    return "Zero to JupyterHub's schema has no objection"


def main(notebook, work, run):
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    work.mkdir(parents=True, exist_ok=True)
    failed = False
    for each in (nbstripout, nbdime, jupytext_java, pre_commit, nbconvert, kubernetes, *((papermill,) if run else ())):
        try:
            print("ok   %-14s %s" % (each.__name__, each(notebook, work)))
        except Exception as failure:
            failed = True
            print("FAIL %-14s %s" % (each.__name__, failure))
    return failed


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), "--run" in sys.argv))
