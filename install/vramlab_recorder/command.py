"""The command: runs a script or a module as if it had been started alone, and says what was recorded or what went wrong."""
import argparse, os, runpy, sys, time, traceback

from .advice import advice, of_arguments
from .common import OURS, TraceError
from .gpus import DEVICES
from .loading import BATCHES
from .recording import record
from .scripts import refusal


class _Enough(BaseException):
    """So many optimizer steps as were asked for are recorded."""


class _Progress:
    """Tells now and then how far the program is; ends it after so many optimizer steps."""

    def __init__(self, follow, steps):
        self.follow, self.steps, self.done, self.begin = follow, steps, 0, time.monotonic()
        self.told = self.begin

    def step(self):
        self.done += 1
        now = time.monotonic()
        if now - self.told > TELLS_EVERY:
            self.told = now
            print(f"vramlab_trace: {self.done} optimizer steps, {self.follow.peak:,} bytes at the peak so far, {now - self.begin:.0f} s; "
                  "Ctrl-C ends the recording here, --steps N or --batches N makes it short", file=sys.stderr)
        if self.done == self.steps:
            raise _Enough()


TELLS_EVERY = 10


def _run(options, follow):
    """The script or module as if it had been started alone; what ended it, None for its own end."""
    try:
        if options.module:
            runpy.run_module(options.script, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(options.script, run_name="__main__")
    except _Enough:
        return f"after {options.steps} optimizer steps, as --steps says"
    except KeyboardInterrupt:
        return "where it was interrupted"
    except SystemExit as e:
        if e.code not in (None, 0):
            raise
    return None


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="vramlab_trace", description="Records what a PyTorch program would allocate on a GPU.")
    parser.add_argument("-o", "--output", help="the file to write; by default the script's name with .trace")
    parser.add_argument("--device", default="H100-80GB", help="the GPU to record for: " + ", ".join(DEVICES))
    parser.add_argument("--steps", type=int, help="end the recording after so many optimizer steps")
    parser.add_argument("--batches", type=int, help="let each DataLoader give so many batches, so that training, evaluation and what follows are all recorded")
    parser.add_argument("-m", dest="module", action="store_true", help="script is the name of a module, as for python -m")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if not options.module and not os.path.isfile(options.script):
        parser.error(f"{options.script} was to be recorded; there is no such file. Give the script that you would start with python, or -m and a module.")
    path = options.output or (options.script.rpartition(".")[2] if options.module else os.path.splitext(os.path.basename(options.script))[0]) + ".trace"
    if os.environ.get("RANK", "0") != "0":                     # processes of torchrun would write one file
        path = f".rank{os.environ['RANK']}".join(os.path.splitext(path))
    refused = None if options.module else refusal(options.script, path)
    if refused is not None:
        parser.error(refused)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        parser.error(f"{path} was to be written; there is no folder {folder}. Name a file in a folder that is there with -o.")
    sys.argv = [options.script] + options.arguments
    sys.path[0] = os.getcwd() if options.module else os.path.dirname(os.path.abspath(options.script))
    BATCHES[0] = options.batches
    try:
        with record(path, options.device, options.script) as follow:
            follow.progress = _Progress(follow, options.steps)
            ended = _run(options, follow)
            if ended is not None:
                follow.note(f"the recording ends {ended}")
    except TraceError as e:
        sys.exit(f"vramlab_trace: {e}")
    except SystemExit as e:
        status = f"exit status {e.code}" if isinstance(e.code, int) else "an exit message"
        print(f"vramlab_trace: the program ended itself with {status}; {path} holds what came before it, and is no answer to whether it fits.", file=sys.stderr)
        told = of_arguments(e.code, options.arguments)
        if told is not None:
            print(f"vramlab_trace: {told}", file=sys.stderr)
        raise
    except Exception as e:
        _tell(e, path, None if options.module else options.script)
        sys.exit(1)
    storages = follow.next - 1
    if storages == 0:
        print(f"vramlab_trace: {path}: nothing was put on a GPU, and what runs on the CPU takes none of its memory. Move the model and its input to "
              "\"cuda\", which works here without a GPU.", file=sys.stderr)
        return
    print(f"vramlab_trace: {path}: {storages:,} storage{'s' * (storages > 1)}, {follow.peak:,} bytes at the peak before the allocator's rounding; "
          f"now: {_planner()} plan {path}", file=sys.stderr)


def _planner():
    """What to type for the vramlab command: in a checkout it lies beside the recorder."""
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "vramlab")
    return os.path.relpath(beside) if os.path.isfile(beside) else "vramlab"


def _tell(error, path, script):
    """The program's error as Python tells it, without the recorder's frames, and what may help."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith((*OURS, "<frozen"))]
    print("Traceback (most recent call last):\n" + "".join(traceback.format_list(frames)) + "".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
    print(f"vramlab_trace: the program ended with this error; {path} holds what came before it, and is no answer to whether it fits.", file=sys.stderr)
    told = advice(error, script)
    if told is not None:
        print(f"vramlab_trace: {told}", file=sys.stderr)
