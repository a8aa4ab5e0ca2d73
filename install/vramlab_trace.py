"""Records what a PyTorch program would allocate on a GPU, on a machine without one.

    python -m vramlab_trace [-o step.trace] [--device H100-80GB] [--batches 3] script.py arguments…

or around one's own training step:

    import vramlab_trace
    with vramlab_trace.record("step.trace") as trace:
        …

The program runs under PyTorch's fake tensors, which have shapes, devices and CPython's own lifetimes but no memory: no
weights are read, nothing is computed, and a model of any size is recorded in seconds. `vramlab plan step.trace` then tells
what the program needs. Needs PyTorch 2.11 and nothing else. The file's format is in docs/plan.md.

Numbers that a program reads from a tensor (`loss.item()`) are not known here; the recorder gives a plausible one, notes it
with its line, and the plan shows the notes.

How it does so is taught by the modules of the folder vramlab_recorder, which lies beside this file.
"""
import sys

try:
    from vramlab_recorder.command import main
    from vramlab_recorder.common import TraceError
    from vramlab_recorder.recording import record
except ModuleNotFoundError as e:
    if e.name == "torch" and __name__ == "__main__":
        sys.exit(f"vramlab_trace: a program was to be recorded by {sys.executable}; it has no PyTorch. Use the Python that runs your program, "
                 f"or give this one PyTorch, which needs no GPU: {sys.executable} -m pip install torch")
    if e.name != "vramlab_recorder":
        raise
    sys.exit("vramlab_trace: the folder vramlab_recorder was to be beside this file; it is not there. Copy both, and the other vramlab_*.py for what they add.")

__all__ = ["TraceError", "main", "record"]

if __name__ == "__main__":
    main()
