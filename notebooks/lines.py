"""Counts the lines of programs in Python and of the same in Java: ports, the articles' examples, and notebooks.

    python3 notebooks/lines.py [REVISION]

With a git revision the notebooks' lines as they were there stand beside today's; without one they do not. A line is a statement or
the head of a block: what is broken over several counts once, closing brackets, comments and the setting of marks do not count. In Python
statements on one line count each.
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORACLE = ROOT / "runtime/conformance/src/test/resources"
ARTICLES = {
    "a": "notebooks/articles/a-launch-fails-after-epochs.ipynb",
    "b": "notebooks/articles/b-troubleshooting-out-of-memory.ipynb",
    "c": "notebooks/articles/c-memory-not-released.ipynb",
    "d": "notebooks/articles/d-memory-access-errors.ipynb",
    "e": "notebooks/articles/e-head-to-head.ipynb",
}
# of which article's section, functions and classes in articles.py, methods and classes in its cells
EXAMPLES = [
    ("a1", ["loop_linear"], ["train"]),
    ("a2", ["s000_2_del_and_empty_cache"], ["release"]),
    ("a3", ["Net", "ckpt"], ["Net", "checkpointed"]),
    ("a4", ["bptt", "bptt_detached"], ["unroll"]),
    ("b1", ["train_mlp"], ["train"]),
    ("b2", ["s001_2_inference_with_grad", "s001_2_no_grad_del"], ["outputsKept", "noGradAndDel"]),
    ("b3", ["accum"], ["accumulate"]),
    ("c2", ["s002_2_retain_graph", "s002_2_retain_graph_kept_losses", "s002_2_no_retain"], ["retained", "keptLosses"]),
    ("c5", ["s002_5_out_of_place", "s002_5_in_place"], ["outOfPlace", "inPlace"]),
    ("c8", ["loss_accumulator_leak"], ["summed"]),
    ("d1", ["s003_1_intermediates", "s003_1_corrected"], ["loop", "loopWithDel"]),
    ("d2", ["loader"], ["load"]),
    ("e0", ["s004_head2head"], ["headToHead"]),
    ("e1", ["accum"], ["accumulate"]),
    ("e3", ["amp"], ["train"]),
]
LIFETIMES = re.compile(r"\bScope\b|\bRef<|\.close\(\)|::close|\.take\(\)")


def python_lines(source):
    return len([line for line in ast.unparse(ast.parse(source)).splitlines()
                if line.strip() and not re.match(r"\s*(mark\(|'''|\"\"\"|@)", line)])


def python_function(name, source):
    for node in ast.parse(source).body:
        if getattr(node, "name", None) == name:
            return python_lines(ast.unparse(node))
    raise SystemExit(f"{name} is not in articles.py")


def java_logical(source):
    """The statements and heads of blocks, each on one line."""
    lines, begun = [], ""
    for line in source.splitlines():
        line = re.sub(r"\s*//.*", "", line).strip()
        if not line or line.startswith(("%", "/**", "*")):
            continue
        begun = (begun + " " + line).strip()
        if begun[-1] in ";{}":
            lines.append(begun)
            begun = ""
    lines += [begun] if begun else []
    return [line for line in lines if not re.match(r"[})\s;]*$|(marks|current)\.set\(", line)]


def java_method(name, source):
    found = re.search(rf"^(?:Marks {name}\(|class {name} ).*?^}}", source, re.S | re.M)
    return len(java_logical(found.group(0))) if found else None


def cells(text):
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")


def then(path, revision):
    ran = subprocess.run(["git", "-C", str(ROOT), "show", f"{revision}:{path}"], capture_output=True, text=True)
    return cells(ran.stdout) if ran.returncode == 0 else None


def row(*texts):
    print("| " + " | ".join("" if text is None else str(text) for text in texts) + " |")


def ports():
    python = re.split(r"^# ---- (\w+) ----$", (ORACLE / "oracle/ports/life_ports.py").read_text(), flags=re.M)[1:]
    java = re.split(r"^ *// ---- (\w+) ----$", (ORACLE / "ports/Ports.java.txt").read_text(), flags=re.M)[1:]
    row("port", "Python", "Java")
    row("---", "---", "---")
    for name, ours in zip(java[::2], java[1::2]):
        theirs = dict(zip(python[::2], python[1::2]))[name].split("\ndef main(")[0]
        row(name, python_lines(theirs), len([line for line in java_logical(ours) if not line.startswith("mark(")]))


def small_ports():
    tree = ast.parse((ORACLE / "oracle/lifetimes_ports.py").read_text())
    texts = next(ast.literal_eval(each.value) for each in tree.body
                 if isinstance(each, ast.Assign) and each.targets[0].id == "PORTS")
    row("small port", "Python", "Java")
    row("---", "---", "---")
    for name, python, *java in texts:
        ours = java_logical("\n".join(java))
        row(name, python_lines(python), len([line for line in ours if not line.startswith("mark(")]))


def examples(revision):
    source = (ORACLE / "oracle/articles.py").read_text()
    row("example", "Python", *(["Java before"] if revision else []), "Java")
    row("---", "---", *(["---"] if revision else []), "---")
    for section, theirs, ours in EXAMPLES:
        path = ARTICLES[section[0]]
        now = cells((ROOT / path).read_text())
        columns = [sum(python_function(name, source) for name in theirs)]
        for text in ([then(path, revision)] if revision else []) + [now]:
            columns.append(sum(java_method(name, text) for name in ours))
        row(section, *columns)


def notebooks(revision):
    row("notebook", *(["lines before", "of which for lifetimes"] if revision else []), "lines", "of which for lifetimes")
    row("---", *(["---", "---"] if revision else []), "---", "---")
    for file in sorted(ROOT.glob("notebooks/**/*.ipynb")):
        path = file.relative_to(ROOT).as_posix()
        if "/gpu/" in path or ".ipynb_checkpoints" in path:
            continue
        columns = []
        for text in ([then(path, revision)] if revision else []) + [cells(file.read_text())]:
            lines = java_logical(text) if text is not None else None
            columns += ["", ""] if lines is None else [len(lines), sum(bool(LIFETIMES.search(line)) for line in lines)]
        row(path.removeprefix("notebooks/"), *columns)


if __name__ == "__main__":
    at = sys.argv[1] if len(sys.argv) > 1 else None
    ports()
    print()
    small_ports()
    print()
    examples(at)
    print()
    notebooks(at)
