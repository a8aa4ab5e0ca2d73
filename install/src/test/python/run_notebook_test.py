"""What run_notebook.py does when the HTML cannot be made, with stand-ins for Jupyter's libraries: python run_notebook_test.py"""
import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

INSTALL = pathlib.Path(__file__).resolve().parents[3]


class Broken:
    def from_notebook_node(self, notebook):
        raise FileNotFoundError("no template")


class Whole:
    def from_notebook_node(self, notebook):
        return "<html><head><title>tour</title></head><body>it ran</body></html>", {}


def jupyter(exporter):
    notebook = types.SimpleNamespace(metadata=types.SimpleNamespace(kernelspec=types.SimpleNamespace(name="vramlab")), cells=[])
    return {
        "nbformat": types.SimpleNamespace(read=lambda file, as_version: notebook, write=lambda ran, file: file.write_text("ran")),
        "nbclient": types.SimpleNamespace(NotebookClient=mock.MagicMock(), exceptions=types.SimpleNamespace(CellExecutionError=OSError)),
        "nbconvert": types.SimpleNamespace(HTMLExporter=exporter),
    }


class RunNotebookTest(unittest.TestCase):
    def test_a_failed_export_does_not_hide_the_notebook_that_ran(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, jupyter(Broken)), mock.patch.object(sys, "path", [str(INSTALL)] + sys.path):
            import run_notebook
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.assertEqual(0, run_notebook.run(pathlib.Path(folder, "tour.ipynb"), pathlib.Path(folder, "out"), None))
            self.assertEqual("ran", pathlib.Path(folder, "out", "tour.ipynb").read_text())
            self.assertTrue(sys.modules["nbclient"].NotebookClient.call_args.kwargs["coalesce_streams"])
            self.assertIn("could not be made: FileNotFoundError: no template", said.getvalue())

    def test_the_page_keeps_headings_with_what_follows_on_paper(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, jupyter(Whole)), mock.patch.object(sys, "path", [str(INSTALL)] + sys.path):
            import run_notebook
            with contextlib.redirect_stdout(io.StringIO()):
                run_notebook.run(pathlib.Path(folder, "tour.ipynb"), pathlib.Path(folder, "out"), None)
            page = pathlib.Path(folder, "out", "tour.html").read_text()
            head, body = page.split("</head>")
            self.assertIn("break-after: avoid", head.split("@media print")[1])
            self.assertEqual("<body>it ran</body></html>", body)

    def test_a_kernel_that_does_not_answer_is_told_without_a_traceback(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, jupyter(Whole)), mock.patch.object(sys, "path", [str(INSTALL)] + sys.path):
            import run_notebook

            def silent(stderr):
                stderr.write(b"no room\n")
                raise RuntimeError("Kernel didn't respond in 180 seconds")
            with mock.patch.object(run_notebook.nbclient, "NotebookClient") as client, self.assertRaises(SystemExit) as ended:
                client.return_value.execute = silent
                run_notebook.run(pathlib.Path(folder, "tour.ipynb"), pathlib.Path(folder, "out"), None)
            lines = str(ended.exception).splitlines()
            self.assertEqual("tour.ipynb was to be run in the kernel vramlab.", lines[0])
            self.assertEqual("Kernel didn't respond in 180 seconds. Its process said: no room", lines[1])
            self.assertIn("kernel.log", lines[2])

    def test_a_failure_that_is_meant_is_told_as_that(self):
        broken = {"output_type": "error", "ename": "io.vramlab.memory.OutOfMemoryException"}
        cells = [{"execution_count": 1, "metadata": {}, "outputs": []},
                 {"execution_count": 2, "metadata": {"tags": ["raises-exception"]}, "outputs": [{"output_type": "stream"}, broken]},
                 {"execution_count": 3, "metadata": {"tags": ["raises-exception"]}, "outputs": []}]
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, jupyter(Broken)), mock.patch.object(sys, "path", [str(INSTALL)] + sys.path):
            import run_notebook
            self.assertEqual([(2, "OutOfMemoryException")], run_notebook.meant_failures(types.SimpleNamespace(cells=cells)))
            self.assertEqual([], run_notebook.meant_failures(types.SimpleNamespace(cells=[{"source": "text"}])))
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                run_notebook.run(pathlib.Path(folder, "tour.ipynb"), pathlib.Path(folder, "out"), None)
            self.assertIn("Every cell ran.", said.getvalue())

    def test_of_a_bar_that_has_ended_nothing_is_kept(self):
        with mock.patch.dict(sys.modules, jupyter(Broken)), mock.patch.object(sys, "path", [str(INSTALL)] + sys.path):
            import run_notebook
            shown = lambda **data: {"output_type": "display_data", "data": data}
            self.assertTrue(run_notebook.is_ended_bar(shown(**{"text/plain": ""})))
            self.assertFalse(run_notebook.is_ended_bar(shown(**{"text/plain": "training: 3"})))
            self.assertFalse(run_notebook.is_ended_bar(shown(**{"text/plain": "", "text/html": "<b>a picture</b>"})))
            self.assertFalse(run_notebook.is_ended_bar({"output_type": "stream", "name": "stdout", "text": ""}))


if __name__ == "__main__":
    unittest.main()
