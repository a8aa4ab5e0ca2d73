"""Follows torch.compile for vramlab_trace, on a machine without a GPU: Dynamo, AOTAutograd and Inductor run as they do for the described GPU, up to the
generated wrapper; its Triton kernels are not compiled and do nothing, and what the wrapper takes and gives back is recorded as it comes.
"""
import contextlib, importlib.util, inspect, math, os, shutil, sys, tempfile

import torch
from torch._prims_common import suggest_memory_format
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils import _python_dispatch

aten = torch.ops.aten
KERNEL, BANDWIDTH = 3e-6, 2.5e12                               # seconds of a kernel that does nothing, bytes a second of one that copies
OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vramlab_")
STANDARD = os.path.dirname(contextlib.__file__) + os.sep
CONFIGURED = {"triton.cudagraphs": "CUDA graphs are counted where the program only answers; of training they are left out: their memory is taken once and kept",
              "max_autotune": "kernels are not tried out here: what trying takes, and other kernels' workspaces, are not counted",
              "max_autotune_gemm": None, "max_autotune_pointwise": None, "coordinate_descent_tuning": None, "cpp_wrapper": None}


def can_follow():
    return importlib.util.find_spec("triton") is not None and hasattr(torch._C, "_cuda_getCurrentRawStream")


def _is_ours(name, caller):
    """Whether code of that file is the recorder's, or Python's library at the recorder's wish."""
    while caller is not None and name.startswith(STANDARD) and "site-packages" not in name:
        name, caller = caller.f_code.co_filename, caller.f_back
    return name.startswith(OURS)


class Compiler:
    """What of the compiler has to know that there is no GPU."""

    def __init__(self, follow, gpu, patches, attention):
        self.follow, self.gpu, self.patches, self.attention = follow, gpu, patches, attention
        self.up, self.graphs = False, None

    def install(self):
        """torch.compile brings the compiler in when it is first asked for: that takes seconds."""
        plain = torch.compile

        def asked(*args, **kwargs):
            self.appear()
            return plain(*args, **kwargs)

        self.patches.set(torch, "compile", asked)

    def appear(self):
        if self.up:
            return
        self.up = True
        with fake_tensor.unset_fake_temporarily(), self.patches.lifted():
            import torch._dynamo
            import torch._inductor.compile_fx
            from torch._dynamo import convert_frame
        self.patches.below(self.device, self.triton, self.dynamo, self.inductor, self.wrapper)

    def device(self, p):
        from torch._dynamo import device_interface
        cuda = device_interface.CudaInterface
        for name in ("current_device", "set_device", "device_count", "stream", "current_stream", "set_stream", "synchronize", "get_device_properties",
                     "memory_allocated", "is_bf16_supported"):
            p.set(cuda, name, staticmethod(getattr(torch.cuda, name)))
        p.set(torch.cuda, "default_generators", (_Random(),))
        p.set(cuda, "exchange_device", staticmethod(lambda device: 0))
        p.set(cuda, "maybe_exchange_device", staticmethod(lambda device: 0))
        p.set(cuda, "get_raw_stream", staticmethod(lambda device=0: self.follow.stream))
        p.set(torch._C, "_cuda_getCurrentRawStream", lambda device=0: self.follow.stream)
        device_interface.caching_worker_device_properties.pop("cuda", None)

    def triton(self, p):
        from torch._inductor.runtime import triton_heuristics
        from torch.utils import _triton
        from triton.backends import backends
        from triton.backends.compiler import GPUTarget
        from triton.compiler.compiler import make_backend
        from triton.runtime import driver
        target = GPUTarget("cuda", self.gpu[1][0] * 10 + self.gpu[1][1], 32)

        class Driver(backends["nvidia"].driver):
            def __init__(driver):
                pass

            get_current_target = lambda driver: target
            get_current_device = lambda driver: 0
            get_current_stream = lambda driver, device: self.follow.stream
            get_device_capability = lambda driver, device=0: self.gpu[1]

        p.set(driver, "_active", Driver())
        for f in (_triton.has_triton, _triton.triton_backend, _triton.triton_hash_with_backend):
            f.cache_clear()
        p.set(_triton, "triton_backend", lambda: make_backend(target))
        p.set(_triton, "triton_hash_with_backend", lambda: "VRAMLAB")
        p.set(triton_heuristics.CachingAutotuner, "run", lambda kernel, *args, **kwargs: self.launch(kernel, args, kwargs))
        p.set(triton_heuristics.CachingAutotuner, "precompile", lambda *a, **k: None)

    def dynamo(self, p):
        from torch._dynamo import convert_frame, guards
        plain_convert, plain_check = convert_frame.CatchErrorsWrapper.__call__, guards.CheckFunctionManager.__init__
        signature = inspect.signature(plain_check)

        def convert(wrapper, frame, *args, **kwargs):
            if _is_ours(frame.f_code.co_filename, sys._getframe(1)):   # what it calls is compiled on its own
                return convert_frame.ConvertFrameReturn()
            try:
                with self.outside():
                    return plain_convert(wrapper, frame, *args, **kwargs)
            except torch._dynamo.exc.Unsupported:              # the program wants no graph breaks
                raise
            except Exception as e:
                self.follow.note(f"torch.compile of {frame.f_code.co_name} could not be followed here ({_reason(e)}): its eager form is counted, which mostly "
                                 "takes more")
                self.follow.mark("eager_form")
                return convert_frame.ConvertFrameReturn()

        def check(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            asked = bound.arguments.get("guard_filter_fn") or (lambda entries: [True] * len(entries))
            bound.arguments["guard_filter_fn"] = lambda entries: [kept and not self.replaced(e) for kept, e in zip(asked(entries), entries)]
            plain_check(*bound.args, **bound.kwargs)

        self.optimizers(p)
        self.follow.compiled = lambda: torch._C._dynamo.eval_frame.get_eval_frame_callback() is not None
        p.set(convert_frame.CatchErrorsWrapper, "__call__", convert)
        p.set(guards.CheckFunctionManager, "__init__", check)
        p.at_the_end(torch._dynamo.reset)

    def optimizers(self, p):
        """An optimizer's state is made while its step is compiled."""
        from torch._dynamo.variables.optimizer import OptimizerVariable
        plain_call, plain_move = OptimizerVariable.call_method, OptimizerVariable.move_step_if_cpu

        def call(variable, tx, name, args, kwargs):
            optimizer = variable.value
            if name == "_init_group" and hasattr(optimizer, name):
                def begin(*args, **kwargs):
                    del optimizer.__dict__[name]
                    with self.inside():
                        began = getattr(optimizer, name)(*args, **kwargs)
                    self.follow.states(optimizer)
                    return began

                optimizer.__dict__[name] = begin
            try:
                return plain_call(variable, tx, name, args, kwargs)
            finally:
                if name == "_init_group":
                    optimizer.__dict__.pop(name, None)

        def move(variable):
            with self.inside():
                return plain_move(variable)

        p.set(OptimizerVariable, "call_method", call)
        p.set(OptimizerVariable, "move_step_if_cpu", move)

    def inductor(self, p):
        from torch._inductor import async_compile, compile_fx, config, constant_folding, output_code
        self.cache = tempfile.mkdtemp(prefix="vramlab_compile")
        p.environment("TORCHINDUCTOR_CACHE_DIR", self.cache)
        p.at_the_end(lambda: shutil.rmtree(self.cache, ignore_errors=True))
        p.set(config, "fx_graph_cache", False)
        p.set(config, "compile_threads", 1)
        p.set(torch._functorch.config, "enable_autograd_cache", False)
        p.set(torch._functorch.config, "force_non_lazy_backward_lowering", True)    # so that what cannot be compiled shows in time
        load = async_compile._load_triton_kernel_from_source
        p.set(async_compile.AsyncCompile, "triton", lambda compiler, name, source, device_str="cuda": load(name, source))
        plain_options = torch._TorchCompileInductorWrapper.apply_options

        def options(wrapper, asked):
            for name in [name for name in asked or () if asked[name] and name.replace("-", "_") in CONFIGURED]:
                if name != "triton.cudagraphs":
                    asked = {key: value for key, value in asked.items() if key != name}
                if CONFIGURED[name.replace("-", "_")] is not None:
                    self.follow.note("torch.compile: " + CONFIGURED[name.replace("-", "_")])
                    self.follow.mark("compiled_otherwise")
            return plain_options(wrapper, asked)

        p.set(torch._TorchCompileInductorWrapper, "apply_options", options)
        plain_folding = constant_folding.ConstantFolder.run

        def fold(folder, *args, **kwargs):
            with _OnHost(self.follow):
                return plain_folding(folder, *args, **kwargs)

        p.set(constant_folding.ConstantFolder, "run", fold)
        plain_format = torch._C._conv_determine_backend_memory_format

        def memory_format(input, weight, backend):
            """Channels side by side where the input or the weight has them so: without a GPU another backend is chosen."""
            if getattr(input, "fake_device", input.device).type != "cuda" or input.dtype == torch.float64 or weight.dim() not in (4, 5):
                return plain_format(input, weight, backend)
            formats = {suggest_memory_format(input), suggest_memory_format(weight)} - {torch.contiguous_format}
            return formats.pop() if formats else torch.contiguous_format

        p.set(torch._C, "_conv_determine_backend_memory_format", memory_format)
        p.set(output_code, "maybe_handle_backward_generation", lambda *a, **k: None)
        p.set(compile_fx, "cudagraphify", lambda model, static=(), **asked: self.graphed(model, static) if asked["is_inference"] else model)
        self.benchmarks(p)
        p.python(aten.scaled_dot_product_attention.default, torch._C.DispatchKey.CompositeImplicitAutograd, self.attention)

    def graphed(self, model, static):
        """Answers by CUDA graphs (cudagraph_trees.py): the first run and the captured one lie in one pool, after that only results come and go there."""
        seen = {}                                              # the results by the sizes that were asked with

        def run(inputs):
            sizes = tuple(i for i in inputs if not isinstance(i, torch.Tensor))
            known = seen.get(sizes)
            with torch.cuda.stream(self.pool()):
                if known:
                    inputs.clear()
                    return tuple(torch.empty_strided(size, step, dtype=dtype, device="cuda") for size, step, dtype in known)
                if sizes in seen:
                    self.copied(inputs, static)
                    self.follow.mark("empty_cache")
                given = [StorageWeakRef(t.untyped_storage()) for t in inputs if isinstance(t, torch.Tensor)]
                results = model(inputs)
                given = {reference.cdata for reference in given if not reference.expired()}
                fresh = all(isinstance(t, torch.Tensor) and t.is_cuda and t.untyped_storage()._cdata not in given for t in results)
                seen[sizes] = [(t.shape, t.stride(), t.dtype) for t in results] if sizes in seen and fresh else None
                return results

        return run

    def pool(self):
        """Of all graphs; an empty one is captured so that it is there."""
        if self.graphs is None:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                pass
            self.graphs = torch.cuda.Stream(number=graph.pool())
        return self.graphs

    @staticmethod
    def copied(inputs, static):
        """What is given anew each time has one place in the pool; weights stay where they are."""
        for i, t in enumerate(inputs):
            if i not in static and isinstance(t, torch.Tensor) and t.is_cuda and not isinstance(t, torch.nn.Parameter):
                inputs[i] = torch.empty_strided(t.shape, t.stride(), dtype=t.dtype, device="cuda")

    def benchmarks(self, p):
        """Of what Inductor measures while it compiles, the memory is recorded; the times are guessed."""
        from torch._inductor.fx_passes import pad_mm
        from torch._inductor.runtime import benchmarking
        plain_pad = pad_mm._should_pad

        def benchmark(benchmarker, call, *args, **kwargs):
            plain = call.__name__ == "orig_bench_fn"
            with self.inside():
                call()
                cleared = self.cleared()
                for _ in range(_rounds(self.product if plain else self.product * self.padded)):
                    call()
                del cleared
            return 1.0 if plain else self.padded

        def should_pad(match, mat1, mat2, op, input=None):
            copied = [x for x, name in ((mat1, "mat1"), (mat2, "mat2")) if not pad_mm.should_exclude_padding_time(match, name)]
            self.product, self.padded = _times(mat1, mat2, copied)
            with self.inside():
                self.follow.note("Inductor measures whether products are faster with their sizes rounded up to a multiple of 8; that is guessed here")
                return plain_pad(match, mat1, mat2, op, input)

        self.patterns(p)
        p.set(benchmarking.InductorBenchmarker, "benchmark_gpu", benchmark)
        p.set(pad_mm, "no_dispatch", contextlib.nullcontext)
        p.set(pad_mm, "_should_pad", should_pad)

    def patterns(self, p):
        """What the first compilation takes: a number for the device's context (fake_tensor.py, init_gpu_context), and the scales of the patterns of attention that
        the graph is searched for (fuse_attention.py, _get_sfdp_patterns), each made on the device, copied, and kept until its pattern is registered."""
        from torch._inductor.fx_passes import fuse_attention
        plain_init, plain_tensor = fuse_attention._sfdp_init, torch.tensor

        def scale(value, *args, **kwargs):
            made = plain_tensor(value, *args, **kwargs)
            with self.inside():
                made.constant = torch.empty((), dtype=made.dtype, device="cuda").clone()
            return made

        def init(device=None):
            if device is not None and torch.device(device).type != "cuda":
                return plain_init(device)
            with self.inside():
                torch.empty(1, device="cuda")
            torch.tensor = scale
            try:
                return plain_init(device)
            finally:
                torch.tensor = plain_tensor

        p.set(fuse_attention, "_sfdp_init", init)

    def cleared(self):
        return torch.empty(torch.cuda.get_device_properties(0).L2_cache_size // 4, dtype=torch.int, device="cuda")

    @contextlib.contextmanager
    def inside(self):
        """What the compiler really does on the device while it compiles is recorded, as something that a program whose graphs are kept on disk does not do."""
        with self.marked("compiling", "compiled"), _python_dispatch._disable_current_modes(), self.follow.fake_mode, self.follow:
            yield

    @contextlib.contextmanager
    def marked(self, begin, end):
        self.follow.mark(begin)
        try:
            yield
        finally:
            self.follow.mark(end)

    def wrapper(self, p):
        native = torch._C._dynamo.guards
        p.set(FakeTensor, "data_ptr", lambda t: t.untyped_storage()._cdata // 16 * 16 + t.storage_offset() * t.element_size())
        p.set(native, "_empty_strided_cuda", lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device="cuda"))
        p.set(native, "_empty_strided_cpu_pinned", native._empty_strided_cpu)    # no page is pinned where there is no device
        p.set(native, "_reinterpret_tensor", lambda t, size, stride, offset=0: torch.as_strided(t, size, stride, t.storage_offset() + offset))

    def replaced(self, entry):
        """Whether a guard looks at what the recorder has a stand-in for outside of the compiler."""
        return not isinstance(entry.value, (bool, int, str, type(None))) and id(entry.value) in self.patches.replaced

    def launch(self, kernel, args, kwargs):
        """The first launch tries all configurations that there are: each clears the cache by a buffer of its size, and writes into copies. Which was the
        fastest is kept on disk beside the kernel, for other processes too."""
        from torch._inductor.compile_fx import clone_preserve_strides as clone
        if kernel.__dict__.setdefault("_vramlab_launched", False):
            return
        kernel._vramlab_launched = True
        kwargs = {k: v for k, v in kwargs.items() if k != "stream"}
        for _ in kernel.configs if len(kernel.configs) > 1 else ():
            with self.marked("trial", "tried"):
                written = self.written(kernel, args, kwargs)
                moved = sum(t.nbytes for t in args if isinstance(t, torch.Tensor)) + 2 * sum(t.nbytes for t in written)
                copies = [clone(t) for t in written]
                del copies
                cleared = self.cleared()
                for _ in range(_rounds(KERNEL + moved / BANDWIDTH) if written else 0):
                    copies = [clone(t) for t in written]
                    del copies
                del cleared

    def written(self, kernel, args, kwargs):
        """What is copied for that, where it leaves the peak as it is: other arguments are kept on the host meanwhile (copy_args_to_cpu_if_needed)."""
        room, copied = self.follow.peak - self.follow.live if kernel.optimize_mem else math.inf, []
        for name, t in [*zip(kernel.fn.arg_names, args), *kwargs.items()]:
            if name in kernel.mutated_arg_names and isinstance(t, torch.Tensor):
                size = (1 + sum((n - 1) * step for n, step in zip(t.shape, t.stride()))) * t.element_size()
                if size <= room:
                    room -= size
                    copied.append(t)
        return copied

    @contextlib.contextmanager
    def outside(self):
        """The compiler itself: nothing of it is recorded, and it sees PyTorch's own functions."""
        with _python_dispatch._disable_current_modes(), self.patches.lifted():
            yield


class _Random(torch.Generator):
    """The GPU's generator of random numbers, whose state checkpoints inside of what is compiled keep for backward: none of it takes the GPU's memory."""
    device = torch.device("cuda", 0)

    def clone_state(self):
        return self

    graphsafe_get_state = clone_state

    def manual_seed(self, seed):
        return self

    graphsafe_set_state = manual_seed


def _reason(error):
    """The first line of what went wrong; the compiler wraps it in an error of its own."""
    error = getattr(error, "inner_exception", None) or error
    return f"{type(error).__name__}: {next((line for line in str(error).splitlines() if line.strip()), '')}"[:200]


def _uses_tf32():
    """Whether float32 products use TF32, by whichever of PyTorch's two switches was set."""
    try:
        return torch.backends.cuda.matmul.allow_tf32
    except RuntimeError:                                       # "mix of the legacy and new APIs"
        return torch.backends.cuda.matmul.fp32_precision == "tf32"


def _rounds(seconds):
    """How often Inductor measures what takes so long, after a first run and the buffer that clears the cache: five times to know how long it takes, then a
    hundred times, or as often as 25 milliseconds allow (benchmarking.py, InductorBenchmarker.benchmark_gpu)."""
    return 5 + max(min(100, int(0.025 / seconds)), 1)


def _times(a, b, copied):
    """Seconds of a product, and the time with rounded sizes by that: three microseconds a kernel, half of the peak where sizes are odd, and copies.

    Without TF32 rounded sizes of float32 are no faster: an H100 took 0.98 to 1.02 of the time in 13 of 16 products, without the copies."""
    number = lambda n: n if isinstance(n, int) else n.node.hint if n.node.has_hint() else 8192
    work, half = 2 * math.prod(number(n) for n in a.shape) * number(b.shape[-1]), a.dtype.itemsize == 2
    odd = [math.prod(number(n) for n in x.shape) * x.dtype.itemsize for x in copied if any(number(n) % (8 if half else 4) for n in x.shape[-2:])]
    rounded = 600e12 if half else 50e12 if _uses_tf32() else 40e12
    padded = KERNEL + work / rounded + sum(KERNEL + 3 * size / BANDWIDTH for size in odd)
    plain = KERNEL + work / (300e12 if half else 40e12)
    return plain, padded / plain


class _OnHost(_python_dispatch.TorchDispatchMode):
    """What the compiler computes on the device to know its value is computed on the host, and recorded as on the device: some bytes at a time."""

    def __init__(self, follow):
        super().__init__()
        self.follow = follow

    @classmethod
    def ignore_compile_internals(cls):
        return True

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        kwargs, there = kwargs or {}, any(getattr(a, "_vramlab_there", False) for a in args)
        if kwargs.get("device") is not None and torch.device(kwargs["device"]).type == "cuda":
            kwargs, there = {**kwargs, "device": torch.device("cpu")}, True
        result = op(*args, **kwargs)
        if there and type(result) is torch.Tensor:
            result._vramlab_there = True
            self.follow.record_host(op, result)
        return result
