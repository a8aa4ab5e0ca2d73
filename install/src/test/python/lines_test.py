"""The tables of docs/lifetimes.md have what the script that counts lines says of today's programs."""
import contextlib
import io
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "notebooks"))
import lines


def rows(text):
    table = {}
    for line in text.splitlines():
        columns = [column.strip() for column in line.strip("| ").split("|")] if line.startswith("| ") else []
        if len(columns) > 2 and columns[-1].isdigit():
            table[columns[0]] = columns
    return table


class LinesTest(unittest.TestCase):

    def said(self, count):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            count()
        return rows(told.getvalue())

    def setUp(self):
        self.page = rows((ROOT / "docs/lifetimes.md").read_text(encoding="utf-8"))

    def test_every_port_and_every_example_is_told_as_it_is(self):
        now = self.said(lines.ports) | self.said(lambda: lines.examples(None))
        self.assertEqual(8 + len(lines.EXAMPLES), len(now))
        for name, (_, python, java) in now.items():
            self.assertEqual((python, java), (self.page[name][1], self.page[name][-1]), name)

    def test_every_notebook_is_told_as_it_is(self):
        now = self.said(lambda: lines.notebooks(None))
        for name, columns in now.items():
            self.assertEqual(columns[-2:], self.page[name][-2:], name)

    def test_a_broken_statement_is_one_line_and_a_bracket_none(self):
        self.assertEqual(["if (a", "b(c, d);"], [each.rstrip(" {)") if "if" in each else each for each in lines.java_logical(
            "if (a) { // why\n    b(c,\n        d);\n    marks.set(\"x\");\n}\n")])
        self.assertEqual(2, lines.python_lines("def f():\n    '''doc'''\n    g(); mark('x')"))


if __name__ == "__main__":
    unittest.main()
