"""nbgrader's whole way with the course, one assignment for each lesson: made from what vramlab course --student wrote, handed in by a student whose
answers are the lessons' solutions and by one of whose two answers one is wrong, and graded. Prints {lesson: {student: [score, of]}} as JSON.

    python grading.py STUDENT_LESSONS TEACHER_LESSONS WORK
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# one plausible mistake a lesson
WRONG = {
    "block": "long block(long bytes) {\n    return bytes;\n}",
    "cached": "long cached() {\n    return Cuda.memoryReserved();\n}",
    "fragmentation": "double fragmentation(long allocated, long reserved) {\n    return 1 - allocated / reserved;\n}",
    "floor": "long floor(long parameters) {\n    return parameters * 4 * 3;\n}",
    "remember": "void remember(List<Double> plot, Tensor loss) {\n}",
    "checkpoints": "Tensor forward(Sequential model, Tensor x) {\n    return model.call(x);\n}",
    "safe-sum": "double safeSum(Tensor buffer) {\n    var copy = buffer.cuda(true);\n    buffer.fill_(7);\n    return copy.sum().item();\n}",
    "floor-mixed": "long floor(long parameters) {\n    return parameters * (2 + 2 + 4);\n}",
    "cache": "long cacheBytes(long tokens) {\n    return tokens * 8 * 16 * 64 * 2;\n}",
    "scores": "long scores(long tokens) {\n    return 4 * 16 * tokens * 64 * 2;\n}",
    "state": "long state(long parameterBytes) {\n    return parameterBytes;\n}",
    "cause": 'String cause(double asked, double capacity, double free, double reserved, double allocated) {\n    return "full";\n}',
    "best": 'String best() {\n    return "max_split_size_mb:20";\n}',
}
# the files are the students' already: nothing is to be cut out of them
CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "vramlab"\nc.ClearSolutions.enabled = False\nc.Execute.timeout = 300\n'


def source(cell):
    return "".join(cell["source"])


def answers(lesson):
    """The solutions that a lesson's texts have folded away, by the exercise that follows."""
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    found = {}
    for text, answer in zip(cells, cells[1:]):
        solution = re.search(r"<details>.*?```java\n(.*?)```", source(text), re.S)
        if solution and text["cell_type"] == "markdown":
            found[answer["metadata"]["nbgrader"]["grade_id"]] = solution[1]
    return found


def submit(lesson, given, target):
    notebook = json.loads(lesson.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {})
        if name.get("solution"):
            cell["source"] = given[name["grade_id"]].splitlines(keepends=True)
    target.parent.mkdir(parents=True)
    target.write_text(json.dumps(notebook), encoding="utf-8")


def main(student, teacher, work):
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # nbgrader calls alembic by its name
    work.mkdir(parents=True)
    (work / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")

    def nbgrader(*arguments):
        subprocess.run([sys.executable, "-m", "nbgrader", *arguments], cwd=work, check=True, stdout=sys.stderr)

    lessons = sorted(student.glob("*.ipynb"))
    for lesson in lessons:
        name = "lesson-" + lesson.name.split("-")[0]
        shutil.copytree(student / "data", work / "source" / name / "data")
        shutil.copy(lesson, work / "source" / name)
        nbgrader("generate_assignment", name)
        right = answers(teacher / lesson.name)
        # predictions give no points
        assert sum(not name.startswith("predict-") for name in right) == 2, right
        mistaken = {key: WRONG.get(key, answer) for key, answer in right.items()}
        assert mistaken != right, "no mistake is known for " + lesson.name
        for who, given in (("right", right), ("wrong", mistaken)):
            submit(work / "release" / name / lesson.name, given, work / "submitted" / who / name / lesson.name)
        nbgrader("autograde", name)
    from nbgrader.api import Gradebook

    with Gradebook("sqlite:///%s" % (work / "gradebook.db")) as book:
        print(json.dumps({each.name: {one.student.id: [one.score, one.max_score] for one in each.submissions} for each in book.assignments}))


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
