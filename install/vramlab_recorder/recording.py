"""record(): a recording around a block of a program."""
import collections, contextlib, json, sys

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from .appear import _appear
from .behave import _behave
from .common import _beside
from .compiling import _compile, _export
from .engine import _let_backward_run
from .follow import _Follow
from .gpus import DEVICES, _device
from .libraries import _as_if_not_traced, _awaited
from .metas import _metas_of_recurrent_layers
from .output import _written
from .patches import _Patches

FORMAT = 1


@contextlib.contextmanager
def record(path, device="H100-80GB", script=None):
    """Records what runs inside, into the file `path`, as the named GPU would run it.

    The recording ends with the block; a program's error passes through, and the file then holds what came before it.
    """
    device = _device(device)
    if not torch.__version__.startswith("2.11."):
        print(f"vramlab_trace: written for PyTorch 2.11, this is {torch.__version__}; figures may differ", file=sys.stderr)
    _let_backward_run()
    _metas_of_recurrent_layers()
    _awaited.clear()
    gpu, patches = DEVICES[device], _Patches()
    from torch.optim import optimizer as optimizers
    with _written(path) as out:
        follow = _Follow(out, gpu)
        vramlab_loops = _beside("vramlab_loops")
        follow.loops = vramlab_loops and vramlab_loops.Loops()
        out.write(json.dumps({"vramlab_trace": FORMAT, "torch": torch.__version__, "device": device, "name": gpu[0],
                              "capability": list(gpu[1]), "multiprocessors": gpu[2], "memory": gpu[3],
                              "script": script or sys.argv[0]}) + "\n")

        def before(optimizer, args, kwargs):
            if follow.compiled():                              # the compiler leaves out what runs after it
                return
            follow.holders()
            follow.optimizing += 1
            follow.searching = 1 if isinstance(optimizer, torch.optim.LBFGS) else 0

        def after(optimizer, args, kwargs):
            if follow.compiled():
                return
            follow.optimizing -= 1
            follow.searching = 0
            follow.states(optimizer)
            follow.mark("optimizer_step")
            if follow.progress is not None:
                follow.progress.step()

        threads = torch.autograd.is_multithreading_enabled()
        complete = False
        try:
            with FakeTensorMode(allow_non_fake_inputs=True) as follow.fake_mode:
                _appear(follow, gpu, patches)
                patches.device = len(patches.undo)
                _export(follow, patches)
                _compile(follow, gpu, patches)
                _behave(follow, gpu, patches)
                _as_if_not_traced(patches)
                for name, hook in (("_global_optimizer_pre_hooks", before), ("_global_optimizer_post_hooks", after)):
                    patches.set(optimizers, name, collections.OrderedDict({**getattr(optimizers, name), "vramlab": hook}))
                with torch.autograd.set_multithreading_enabled(False), follow:
                    follow.modes = torch._C._len_torch_dispatch_stack()
                    yield follow
            complete = True
        finally:
            follow.holders()
            patches.restore()
            torch.autograd.set_multithreading_enabled(threads)
            follow.line("z", complete, follow.live, follow.peak)
            follow.gone = lambda key: None
    _ask_cudnn(path, gpu)


def _ask_cudnn(path, gpu):
    """Workspaces of convolutions as cuDNN answers for that GPU, where vramlab_cudnn.py lies beside vramlab_trace.py and finds it."""
    vramlab_cudnn = _beside("vramlab_cudnn")
    if vramlab_cudnn is None:
        return
    cudnn = vramlab_cudnn.find(gpu)
    if cudnn is not None and not (_beside("vramlab_cublas") and vramlab_cudnn.annotate_apart(path)):
        vramlab_cudnn.annotate(path, cudnn)
