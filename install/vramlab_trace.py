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
"""
import argparse, ast, collections, concurrent.futures, contextlib, copy, ctypes, functools, gc, gzip, importlib, inspect, io, itertools
import json, linecache, math, operator, os, re, runpy, shutil, sys, tempfile, threading, time, traceback, warnings, weakref

import torch
from torch._subclasses import fake_tensor
from torch._prims_common import suggest_memory_format
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

FORMAT = 1
HERE = os.path.abspath(__file__)
TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
aten = torch.ops.aten

# name: (what CUDA calls it, compute capability, multiprocessors, bytes)
DEVICES = {
    "H200": ("NVIDIA H200", (9, 0), 132, 150109880320),
    "H100-80GB": ("NVIDIA H100 80GB HBM3", (9, 0), 132, 85017493504),
    "H100-NVL-94GB": ("NVIDIA H100 NVL", (9, 0), 132, 99964944384),
    "H100-PCIE-80GB": ("NVIDIA H100 PCIe", (9, 0), 114, 84943044608),
    "GH200-96GB": ("NVIDIA GH200 480GB", (9, 0), 132, 101468602368),
    "H20-96GB": ("NVIDIA H20", (9, 0), 78, 102010716160),
    "B200": ("NVIDIA B200", (10, 0), 148, 191502483456),
    "A100-40GB": ("NVIDIA A100-SXM4-40GB", (8, 0), 108, 42298834944),
    "A100-80GB": ("NVIDIA A100-SXM4-80GB", (8, 0), 108, 85095874560),
    "A30": ("NVIDIA A30", (8, 0), 56, 25339887616),
    "V100-16GB": ("Tesla V100-SXM2-16GB", (7, 0), 80, 16935682048),
    "V100-32GB": ("Tesla V100-SXM2-32GB", (7, 0), 80, 34072428544),
    "L40S": ("NVIDIA L40S", (8, 9), 142, 47697362944),
    "L4": ("NVIDIA L4", (8, 9), 58, 23580639232),
    "A40": ("NVIDIA A40", (8, 6), 84, 47622127616),
    "A10": ("NVIDIA A10", (8, 6), 72, 23684186112),
    "A10G": ("NVIDIA A10G", (8, 6), 80, 23684186112),
    "T4": ("Tesla T4", (7, 5), 40, 15828320256),
    "RTX-PRO-6000": ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", (12, 0), 188, 101974016000),
    "RTX-6000-Ada": ("NVIDIA RTX 6000 Ada Generation", (8, 9), 142, 50983862272),
    "RTX-A6000": ("NVIDIA RTX A6000", (8, 6), 84, 51040485376),
    "RTX-A5000": ("NVIDIA RTX A5000", (8, 6), 64, 25285361664),
    "RTX-A4000": ("NVIDIA RTX A4000", (8, 6), 48, 16761487360),
    "RTX-5090": ("NVIDIA GeForce RTX 5090", (12, 0), 170, 33679212544),
    "RTX-5080": ("NVIDIA GeForce RTX 5080", (12, 0), 84, 16651386880),
    "RTX-5070-Ti": ("NVIDIA GeForce RTX 5070 Ti", (12, 0), 70, 16611540992),
    "RTX-5070": ("NVIDIA GeForce RTX 5070", (12, 0), 48, 12336496640),
    "RTX-4090": ("NVIDIA GeForce RTX 4090", (8, 9), 128, 25393692672),
    "RTX-4080": ("NVIDIA GeForce RTX 4080", (8, 9), 76, 16828596224),
    "RTX-4070-Ti": ("NVIDIA GeForce RTX 4070 Ti", (8, 9), 60, 12594446336),
    "RTX-4070": ("NVIDIA GeForce RTX 4070", (8, 9), 46, 12451840000),
    "RTX-4060-Ti-16GB": ("NVIDIA GeForce RTX 4060 Ti", (8, 9), 34, 16718495744),
    "RTX-4060-8GB": ("NVIDIA GeForce RTX 4060", (8, 9), 24, 8318222336),
    "RTX-3090": ("NVIDIA GeForce RTX 3090", (8, 6), 82, 25438126080),
    "RTX-3080-10GB": ("NVIDIA GeForce RTX 3080", (8, 6), 68, 10350493696),
    "RTX-3070": ("NVIDIA GeForce RTX 3070", (8, 6), 46, 8196718592),
    "RTX-3060-12GB": ("NVIDIA GeForce RTX 3060", (8, 6), 28, 12622168064),
    "RTX-2080-Ti": ("NVIDIA GeForce RTX 2080 Ti", (7, 5), 68, 11348738048),
}
# What people and CUDA call some of them besides, as in KnownGpus.java.
CALLED = {"h100": "H100-80GB", "h10080gbpcie": "H100-PCIE-80GB", "h20": "H20-96GB", "h200141gb": "H200", "b200180gb": "B200", "gh200480gb": "GH200-96GB",
          "gh200120gb": "GH200-96GB", "rtx4060": "RTX-4060-8GB"}
# Their caches of the second level, in bytes, which Inductor clears while it tries kernels; the H200's is measured.
L2_CACHE = {DEVICES[name][0]: int(mebibytes * (1 << 20)) for name, mebibytes in (
    ("H200", 60), ("H100-80GB", 50), ("H100-NVL-94GB", 60), ("H100-PCIE-80GB", 50), ("GH200-96GB", 60), ("H20-96GB", 60), ("B200", 126.5), ("A100-40GB", 40),
    ("A100-80GB", 40), ("A30", 24), ("V100-16GB", 6), ("V100-32GB", 6), ("L40S", 96), ("L4", 48), ("A40", 6), ("A10", 6), ("A10G", 6), ("T4", 4),
    ("RTX-PRO-6000", 128), ("RTX-6000-Ada", 96), ("RTX-A6000", 6), ("RTX-A5000", 6), ("RTX-A4000", 4), ("RTX-5090", 96), ("RTX-5080", 64),
    ("RTX-5070-Ti", 48), ("RTX-5070", 48), ("RTX-4090", 72), ("RTX-4080", 64), ("RTX-4070-Ti", 48), ("RTX-4070", 36), ("RTX-4060-Ti-16GB", 32),
    ("RTX-4060-8GB", 24), ("RTX-3090", 6), ("RTX-3080-10GB", 5), ("RTX-3070", 4), ("RTX-3060-12GB", 2.25), ("RTX-2080-Ti", 5.5))}


plain_tolist = torch.Tensor.tolist
TELLS_APART = 8                                                # shares of so many elements for each class are odd numbers, each another
INSTEAD = {                                                    # of operations that are not followed
    "quantize_per": "PyTorch's quantized tensors are not followed. Quantize as training does, by torch.fake_quantize_per_tensor_affine, or leave it out",
    "nested_tensor": "nested tensors are followed where they are jagged. Make them with layout=torch.jagged"}
SHARED_OUT = "of several classes that the largest values are of, each is taken to be met equally often"


class TraceError(RuntimeError):
    """Something this recorder cannot follow; the text names the line of the program."""


class _Follow(TorchDispatchMode):
    """Sees each operation as it is dispatched, and each storage from the operation that makes it to its release."""

    def __init__(self, out, device):
        super().__init__()
        self.out, self.device = out, device
        self.ids, self.refs, self.sizes = {}, {}, {}          # by the storage's address
        self.tables = {"O": {}, "T": {}, "F": {}, "M": {}}
        self.next = 1
        self.live = self.peak = self.recent = 0                # bytes now, at most, and at most since the program reset its peak
        self.kinds, self.modules, self.names, self.params = {}, [], weakref.WeakKeyDictionary(), {}
        self.where = {}                                        # autograd's sequence number -> (stack, module) of forward
        self.noted, self.optimizing = set(), 0
        self.whole = set()
        self.linear, self.modes = 0, math.inf                  # sums that write into their operand, and how many modes of dispatch are the recorder's
        self.casts, self.set_autocast = False, torch.set_autocast_enabled    # whether the program is inside of autocast
        self.made_in = {}                                      # storage -> the node of autograd's graph that made it, and in which of its runs
        self.running, self.runs = None, 0                      # the node of the last operation, and how many ran: numbers of nodes repeat in other threads
        self.restrided = set()                                 # sequence numbers of CopySlices behind views that were written to
        self.replayed = set()                                  # and those of the views between them and what reads them
        self.dropout = {}                                      # cuDNN's random state, one for the whole process
        self.stream = self.told = 0                            # the current stream, and the one that the file's lines belong to
        self.loops = None                                      # how loops go that end by unknown values; its file lies beside this one
        self.values = 0                                        # inside of what wants values of factorizations without vectors
        self.hooks = 0                                         # streams that a hook in backward has turned to
        self.streams_of = {}                                   # autograd's sequence number -> the stream of forward
        self.home = {}                                         # storage -> its stream, where that is not the default one
        self.progress = None
        self.hidden = (TORCH, HERE, "<frozen", os.path.join(os.path.dirname(HERE), "vramlab_compile"), os.path.join(tempfile.gettempdir(), "vramlab_compile"))
        self.cudnn = CUDNN_AS_IT_IS                            # the settings that the file's lines belong to
        self.searching = 0                                     # in LBFGS, one more than the values that it has asked for
        self.graphs = 0                                        # captured ones
        self.compiled = lambda: False                          # whether what runs was handed to torch.compile
        self.silent = 0                                        # while the recorder itself makes tensors
        vramlab_zeros = _beside("vramlab_zeros")               # without it masks whose making does not tell are taken to be set everywhere
        self.zeros = vramlab_zeros and vramlab_zeros.Zeros(_known.of, _plainly, lambda mask: self.hinted(mask)[0])
        self.shared = False                                    # whether a storage was used on a stream that it does not belong to

    # ---- the file

    def line(self, *values):
        self.out.write(json.dumps(values, separators=(",", ":"), ensure_ascii=False) + "\n")

    def number(self, table, key, *values):
        known = self.tables[table]
        if key not in known:
            known[key] = len(known) + 1
            self.line(table, known[key], *(values or (key,)))
        return known[key]

    def note(self, text):
        stack = self.stack()
        if (stack, text) not in self.noted:
            self.noted.add((stack, text))
            self.line("n", stack, text)

    # ---- where

    def stack(self):
        frame, found = sys._getframe(1), []
        while frame is not None and len(found) < 8:
            code = frame.f_code
            name = code.co_filename
            if not name.startswith(self.hidden):
                found.append((name, frame.f_lineno, code.co_name))
            frame = frame.f_back
        found = tuple(found)
        return self.number("F", found, [list(f) for f in found])

    def module(self):
        return self.number("M", self.modules[-1]) if self.modules else 0

    # ---- storages

    def storage(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self.ids:
            number, self.ids[key] = self.next, self.next
            self.next += 1
            size = self.sizes[key] = storage.nbytes()
            self.live += size
            self.peak, self.recent = max(self.peak, self.live), max(self.recent, self.live)
            self.refs[key] = weakref.ref(storage, lambda _, key=key: self.gone(key))
            if self.told:
                self.home[number] = self.told
            return number, [number, size]
        size = storage.nbytes()
        if size != self.sizes[key]:
            self.live += size - self.sizes[key]
            self.sizes[key] = size
            self.line("r", self.ids[key], size)
        return self.ids[key], None

    def resized(self, storage):
        """A program gave a storage another size, as sharded models do to let what they gathered go and to take it again."""
        key = storage._cdata
        if key in self.ids and storage.nbytes() != self.sizes[key]:
            self.turn(None)
            self.live += storage.nbytes() - self.sizes[key]
            self.peak, self.recent = max(self.peak, self.live), max(self.recent, self.live)
            self.sizes[key] = storage.nbytes()
            self.line("r", self.ids[key], self.sizes[key])

    def gone(self, key):
        self.refs.pop(key, None)
        number = self.ids.pop(key, None)
        if number is not None:
            self.live -= self.sizes.pop(key)
            self.made_in.pop(number, None)
            self.home.pop(number, None)
            if number:                                         # what stands for nothing on a GPU has none
                self.line("f", number)

    def value(self, v, made):
        if isinstance(v, torch.Tensor):
            host = v.device.type != "cuda"
            if v.layout != torch.strided:                      # its parts are tensors of their own, seen where they are made
                meta = (str(v.dtype)[6:], tuple(v.shape), (0,) * v.dim(), 0, 1)
            else:
                meta = (str(v.dtype)[6:], tuple(v.shape), tuple(v.stride()), v.storage_offset(), 1 if host else 0)
            number = self.number("T", meta, *meta)
            if host or v.layout != torch.strided:
                return {"t": [0, number]}
            storage, new = self.storage(v)
            if new is not None and made is not None:
                made.append(new)
            elif new is not None:                              # a storage that came from outside of the recording
                self.line("b", *new)
            return {"t": [storage, number]}
        if isinstance(v, (list, tuple)):
            return [self.value(x, made) for x in v]
        if v is None or isinstance(v, (bool, str)):
            return v
        if isinstance(v, int):
            return int(v)
        if isinstance(v, float):
            return v if v - v == 0 else str(v)
        return {"d": str(v)}

    # ---- streams

    def turn(self, node):
        """The lines that follow belong to the current stream; in backward a node runs on the stream of its forward."""
        stream = self.stream if node is None or self.hooks else self.streams_of.get(node._sequence_nr(), self.stream)
        if stream != self.told:
            self.told = stream
            self.line("s", stream)

    def used(self, tensor, stream):
        """record_stream: when the storage is let go, its memory waits for that stream as well."""
        if isinstance(tensor, FakeTensor) and tensor.device.type == "cuda":
            self.turn(None)
            self.mark_used(self.storage(tensor)[0], stream)

    def mark_used(self, number, stream):
        if self.home.get(number, 0) != stream:
            self.shared = True
            self.line("u", number, stream)

    def lingers(self, tensor):
        """Once let go it may stay until the optimizer has stepped."""
        if tensor.device.type == "cuda":
            self.line("l", self.storage(tensor)[0])

    def engine_shares(self, args, node):
        """A gradient that comes from a node on another stream is recorded on the one that takes it (InputBuffer::add)."""
        stream = self.told
        for t in args:
            if isinstance(t, FakeTensor) and t.device.type == "cuda":
                number = self.ids.get(t.untyped_storage()._cdata)
                maker = self.made_in.get(number)
                if maker is not None and maker[1] != node._sequence_nr():
                    self.mark_used(number, stream)

    def waited(self):
        """The host has waited for the device: what the streams had to do is done."""
        if self.shared:
            self.mark("synchronize")

    # ---- operations

    supports_higher_order_operators = True

    @classmethod
    def ignore_compile_internals(cls):
        return True

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if kwargs.get("pin_memory"):                           # of the host, which nothing copies from here
            kwargs = {**kwargs, "pin_memory": False}
        if any(_wraps(t) for t in types):                      # what it does with the tensors that it wraps comes by itself
            return NotImplemented
        if isinstance(op, torch._ops.HigherOrderOperator):
            return self.higher(op, args, kwargs)
        if self.silent or op.namespace in ("prim", "profiler"):
            return op(*args, **kwargs)
        sparse = _how_compressed(op, args) or AS_OTHERS.get(op) or _how_sparse(op, args)
        if sparse is not None:
            with self:
                return sparse(self, *args, **kwargs)
        if op not in self.whole:
            if _is_composed(op):                               # in inference mode, which dispatches composed operations whole
                with self, self.casting_inside(op):
                    if op is aten.linear.default and args[0].dim() > 2 and args[1].requires_grad and not args[0].is_contiguous():
                        return _folded(*args)
                    return op._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)
            self.whole.add(op)
        if self.values and op in WITH_VECTORS and not args[0].requires_grad:
            args = (args[0], args[1] if len(args) > 1 else WITH_VECTORS[op], False)    # tensor subclasses are given vectors wherever a gradient may be wanted
        if op in OPENED:
            with self:
                return op._op_dk(OPENED[op], *args, **kwargs)
        if op is aten._to_copy.default and isinstance(args[0], torch.Tensor) and args[0]._is_zerotensor():    # is made of one zero (ZeroTensorFallback.cpp)
            with self:
                zero = aten.zeros.default([], dtype=args[0].dtype, layout=args[0].layout, device=args[0].device)
                args = (aten.expand.default(zero, args[0].shape), *args[1:])
                del zero
        node = torch._C._current_autograd_node()
        in_backward = torch._C._current_graph_task_id() != -1
        if self.linear and op is aten.add.Tensor and torch.broadcast_shapes(args[0].shape, args[1].shape) == args[0].shape:
            op = aten.add_.Tensor
        if node is not None:
            replaced = self.as_the_engine_would(op, args, kwargs, node)
            if replaced is not None:
                op, args, kwargs = replaced
        self.turn(node)
        if node is not None and (self.home or self.told):
            self.engine_shares(args, node)
        if op in ASKS_CTC:
            return cudnn_computes_ctc(*args)
        if op in ASKS_AMD:
            return False
        if op in CONVOLUTIONS and _on_device(args):
            self.tell_cudnn()
        result = self.laid(op, args, self.computed(op, args, kwargs))
        result = self.remembered(op, args, kwargs, result)
        if in_backward:
            if op is aten.new_empty_strided.default and node is not None and node.name() == COPY_SLICES and node._sequence_nr() in self.restrided:
                self.lay_again(args[0], args[1])
            elif op is aten.clone.default and node is not None and node._sequence_nr() in self.replayed:
                self.hand_over(args[0], result)
                return result
        else:
            self.follow_rewritten(op, args)
        self.record(op, args, kwargs, result, node, in_backward)
        return result

    @contextlib.contextmanager
    def casting_inside(self, op):
        """Autocast is off where operations arrive here; what has no cast of its own (einsum, upsampling) is cast by what it is composed of."""
        if not self.casts or torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "AutocastCUDA"):
            yield
            return
        self.set_autocast("cuda", True)
        try:
            yield
        finally:
            self.set_autocast("cuda", False)

    def higher(self, op, args, kwargs):
        if op.name() == "graphsafe_run_with_rng_state":        # one operation with another state of the generator
            with self:
                return args[0](*args[1:], **{name: value for name, value in kwargs.items() if name != "rng_state"})
        result = op(*args, **kwargs)
        if self.zeros is not None:                             # whatever it writes to
            self.zeros.forget([*args, *kwargs.values()])
        node = torch._C._current_autograd_node()
        self.turn(node)
        self.record(f"higher.{op.name()}.default", args, kwargs, result, node, torch._C._current_graph_task_id() != -1)
        return result

    def computed(self, op, args, kwargs):
        if args and isinstance(args[0], FakeTensor) and args[0]._is_zerotensor() and self.fake_mode.cache_enabled:    # which the cache does not tell from others
            with fake_tensor.disable_fake_tensor_cache(self.fake_mode):
                return self.computed(op, args, kwargs)
        try:
            return COMPUTED[op](*args, **kwargs) if op in COMPUTED else op(*args, **kwargs)
        except (fake_tensor.DataDependentOutputException, fake_tensor.DynamicOutputShapeException):
            return self.unknown(op, args, kwargs)
        except (fake_tensor.UnsupportedOperatorException, NotImplementedError, RuntimeError) as e:
            if not isinstance(e, (fake_tensor.UnsupportedOperatorException, NotImplementedError)) and "NVIDIA driver" not in str(e):
                raise                                          # the program's own mistake
            instead = next((words for name, words in INSTEAD.items() if name in str(op)), e)
            raise TraceError(f"{op} cannot be recorded without a GPU, at {self.text(self.stack())}: {instead}") from None

    def laid(self, op, args, result):
        """The result in the order of memory that a GPU gives it."""
        if op in PACKED:
            return _packed_first(result)
        if op in AS_GRADIENT:
            return _as_gradient(args[0], result)
        if POINTWISE in op.tags and isinstance(result, FakeTensor) and result.dim() in (4, 5) and not op._schema.is_mutable:
            return _as_iterated(args, result)
        if op in CONVOLUTIONS:
            return _as_cudnn_lays(op, args, result)
        return result

    def remembered(self, op, args, kwargs, result):
        """The result, with what is known of its values."""
        if op in FACTORIES and isinstance(result, FakeTensor) and result.device.type == "cpu" and result.numel() <= MOST_KNOWN:
            with fake_tensor.unset_fake_temporarily():         # so that what the host computes from it has values
                result.constant = op(*args, **kwargs)
            result.fake_mode.fake_tensor_converter.add_constant_storage_mapping(result)
        self.expect(op, args, result)
        _share_out(op, args, result)
        _rank_out(op, args, result, self.zeros)
        if isinstance(result, FakeTensor) and args and isinstance(args[0], torch.Tensor):
            self.sum_up(op, args, result)
        _bound(op, args, result)
        if op in SPLITS and any(hasattr(args[0], name) for name in OF_DRAWN):
            for part in result:
                _draw_out(op, args, part)
        if op in WITH_PLACES and isinstance(args[0], FakeTensor):
            _draw_out(op, args, result)
        if isinstance(result, FakeTensor):
            if not (op in PARTS and self.zeros is not None and self.zeros.left(args[0]) is not None):    # of which many were made zero
                _draw_out(op, args, result)
            if _pad_out(op, args, result):
                self.note("where a tensor is zero is not known without a GPU; taken as wherever a known mask made it so, and nowhere else")
        _count_at_most(op, args, result)
        if op is aten.eq.Scalar and getattr(args[0], "_vramlab_all", None) == args[1]:    # another way to ask whether all are true
            result._vramlab_true = True
        if self.zeros is not None and op._schema.is_mutable:
            self.zeros.follow(op, args, kwargs, result)
        _known.follow(op, args, kwargs, result)
        if self.zeros is not None and not op._schema.is_mutable:
            self.zeros.follow(op, args, kwargs, result)
        if op is aten.neg.default and isinstance(result, FakeTensor):
            result._vramlab_negative = True
        if isinstance(result, FakeTensor) and result.dtype in MASKS:
            _count_written(op, args, result)
        if op is aten._sparse_coo_tensor_with_dims_and_tensors.default:
            result._vramlab_rows = _known.of(args[3])
        elif op is aten._indices.default and getattr(args[0], "_vramlab_rows", None) is not None:
            result._vramlab_value = args[0]._vramlab_rows
        if op is aten._cudnn_rnn_backward.default and _has_biases(args[2], args[12]):
            for part in result[3]:
                part._vramlab_part_of_another = True
        apart = op is aten._cudnn_rnn.default and len({w.untyped_storage()._cdata for w in args[1]}) > 1
        if apart and not self.casts:                           # no buffer of all: one is made, which backward reads too; autocast's casts are one
            result = (*result[:4], args[1][0].new_empty(_room_for_biases(args[1], args[2], args[8])))
        if op is aten._cudnn_rnn.default and args[FIRST_OF_RNN]:   # the batch is turned outwards afterwards, not copied
            out = result[0]
            turned = out.new_empty((out.shape[1], out.shape[0], *out.shape[2:])).transpose(0, 1)
            result = (turned, *result[1:])
        if op in COMPARES and isinstance(result, FakeTensor) and result.dim() == 0 and args[0].dtype.is_floating_point:
            result._vramlab_true = COMPARES[op](1.0, args[1])  # as where its value is asked for
        if self.searching:
            self.as_if_found(op, args, result)
        return result

    def expect(self, op, args, result):
        """What programs ask of all elements, or negate, is what they expect."""
        if isinstance(result, FakeTensor) and result.dtype == torch.bool and (op in TRUE_OF_ALL or result.dim() == 0 and op in TRUE_OF_ONE):
            result._vramlab_true = True
        if _is_finite(op, args):
            result._vramlab_true = True
        if op is aten.sum.default and args[0].dtype == torch.bool:
            result._vramlab_all = args[0].numel()
        if op is aten.eq.Scalar and result.dim() and not args[0].dtype.is_floating_point:    # classes of one tensor are together all that it has
            first = args[0].__dict__.setdefault("_vramlab_class", args[1])
            result._vramlab_none = first != args[1]

    def tell_cudnn(self):
        """A line for the settings by which cuDNN's plans are chosen, where they are others than before."""
        settings = _cudnn_settings()
        if settings != self.cudnn:
            self.cudnn = settings
            self.line("c", *settings)
            if settings[0]:
                self.note("torch.backends.cudnn.benchmark is on: where a shape is met first, cuDNN tries its plans with the largest workspace of all, and PyTorch empties its cache; "
                          "which plan it keeps is a matter of time: counted is the first, the range has all that it tries")

    def follow_rewritten(self, op, args):
        """A view that was written to is seen through its base from then on: by AsStridedBackward0 on a GPU, by views again with fake tensors."""
        mutable = op._schema.is_mutable
        for i, t in enumerate(args):
            if not isinstance(t, FakeTensor) or t.device.type != "cuda":
                continue
            if mutable and i == 0:
                if t._is_view() and torch.is_grad_enabled():
                    t._vramlab_rewritten = True
            elif getattr(t, "_vramlab_rewritten", False) and t.grad_fn is not None:
                node, views = t.grad_fn, []
                while node is not None and node.name() != COPY_SLICES and node.next_functions and len(views) < 8:
                    views.append(node._sequence_nr())
                    node = node.next_functions[0][0]
                if node is not None and views and node.name() == COPY_SLICES:
                    self.restrided.add(node._sequence_nr())
                    self.replayed.update(views)

    def lay_again(self, gradient, sizes):
        """as_strided_backward: the gradient of such a view is laid into one of its base, and goes."""
        key = gradient.untyped_storage()._cdata
        if key not in self.ids:
            return
        number, elements = self.next, 1
        self.next += 1
        for n in sizes:
            elements *= n
        self.line("o", self.number("O", "aten.new_zeros.default"), self.stack(), self.module(), 1, [], {}, None,
                  [[number, elements * gradient.element_size()]], "AsStridedBackward0")
        if self.ids[key]:
            self.line("f", self.ids[key])
        self.ids[key] = number

    def hand_over(self, gradient, copy):
        """Views that a GPU does not go back through copy nothing there: the gradient stays what it is, or a part of another."""
        key, copied = gradient.untyped_storage()._cdata, copy.untyped_storage()._cdata
        if key not in self.ids:
            return
        self.storage(copy)
        if gradient.untyped_storage().nbytes() == copy.untyped_storage().nbytes():
            self.live -= self.sizes.pop(key)
            self.ids[copied] = self.ids.pop(key)
        else:
            self.ids[copied] = 0

    def record(self, op, args, kwargs, result, node, in_backward):
        if not (_on_device(args) or _on_device(kwargs.values()) or _on_device((result,))):
            return
        ins = [self.value(a, None) for a in args]
        named = {k: self.value(v, None) for k, v in kwargs.items()}
        if op in PUTS:
            mask = next((i for i in args[1] if i is not None and i.dtype in (torch.bool, torch.uint8)), None)
            if mask is not None and mask.device.type == "cuda" and args[2].dim() <= args[0].dim() - mask.dim():    # the values do not say how many places are set
                named["places"] = self.chosen(mask, "how many elements a mask selects")
        if op is aten.masked_scatter_backward.default and args[1].device.type == "cuda":
            count, how = self.counted(args[1])
            if how is None:                                    # else as many as the source has are taken
                named["places"] = count * args[0].numel() // max(1, args[1].numel())    # of a mask that is broadcast
        made = []
        outs = self.value(result, made)
        stack, module = None, None
        running = None if node is None else (node.name(), node._sequence_nr())
        if running != self.running:
            self.running, self.runs = running, self.runs + 1
        if node is not None:
            stack, module = self.where.get(node._sequence_nr(), (None, None))
        if stack is None:
            stack, module = self.stack(), self.module()
            if not in_backward:
                self.where[torch.autograd._get_sequence_nr() - 1] = (stack, module)
                self.streams_of[torch.autograd._get_sequence_nr() - 1] = self.stream
        phase = 1 if in_backward else 2 if self.optimizing else 0    # backward of a closure has its own thread too
        by = "" if node is None or self.is_engine_s(op, args[0], ins, node) else node.name()
        if node is not None:
            for number, _ in made:
                self.made_in[number] = (*running, self.runs)
        self.line("o", self.number("O", str(op)), stack, module, phase, ins, named, outs, made, by)

    def record_host(self, op, result):
        """An operation that was computed on the host here and is on the device otherwise."""
        _, new = self.storage(result)
        if new is not None:
            self.line("o", self.number("O", str(op)), self.stack(), self.module(), 0, [], {}, None, [new], "")

    def is_engine_s(self, op, first, ins, node):
        """Whether autograd's engine itself adds gradients that meet: it does so out of place only while it is recording."""
        if op is not aten.add.Tensor or torch.is_grad_enabled() or not (isinstance(ins[0], dict) and "t" in ins[0]):
            return False
        targets = [edge for edge in node.next_functions if edge[0] is not None]
        part = hasattr(first, "_vramlab_part_of_another") and torch._C._storage_Use_Count(first.untyped_storage()._cdata) > LAST_OF_A_STORAGE
        if first._is_view() or part or _inside_of_a_wrapper():     # which shares its storage, so that nothing may be written there
            return False
        here = self.made_in.get(ins[0]["t"][0]) == (*self.running, self.runs)
        return not here or len(set(targets)) < len(targets)

    def text(self, stack):
        for key, number in self.tables["F"].items():
            if number == stack and key:
                return "%s:%d" % key[0][:2]
        return "an unknown line"

    @contextlib.contextmanager
    def adding_in_place(self):
        """Sums in here write into their first operand, but where a mode of the program's own is on, which PyTorch takes for a tensor subclass (TensorSubclassLikeUtils.h)."""
        alone = torch._C._len_torch_dispatch_stack() <= self.modes
        self.linear += alone
        try:
            yield
        finally:
            self.linear -= alone

    @contextlib.contextmanager
    def unseen(self):
        self.silent += 1
        try:
            yield
        finally:
            self.silent -= 1

    def as_the_engine_would(self, op, args, kwargs, node):
        """Formulas of autograd work in place where they may, but never with tensor subclasses, as fake tensors are."""
        name = node.name()
        if op is aten.index_put.default and name == "IndexBackward0":
            return aten._index_put_impl_.default, (*args[:3], True, True), {}
        if op in IN_PLACE.get(name, ()):
            if op is aten.mul.Tensor and not self.is_for_itself(args[0], node):
                return None                                    # the weights of the positive class times the target; minus the scores times the gradient
            return IN_PLACE[name][op], args, kwargs
        return None

    def is_for_itself(self, tensor, node):
        """Whether the node made it, and not as what is to be multiplied by the gradient: formulas write into nothing else."""
        made = self.made_in.get(self.ids.get(tensor.untyped_storage()._cdata)) if isinstance(tensor, FakeTensor) else None
        return made is not None and made[:2] == (node.name(), node._sequence_nr()) and not getattr(tensor, "_vramlab_negative", False)

    def as_if_found(self, op, args, result):
        """LBFGS goes down with each iteration, and its line search ends with the first step."""
        if op is aten.gt.Scalar and args[1] < 0:               # the slope
            result._vramlab_true = False
        elif op is aten.lt.Scalar and args[1] == 1:            # the first step's length, by the gradient's
            result._vramlab_true = True
        elif op is aten.le.Tensor and result.dim() == 0:       # the second condition of Wolfe
            result._vramlab_true = True

    def unknown(self, op, args, kwargs):
        """Values and shapes that depend on data. Values are plausible, shapes as large as they can be; both are noted."""
        if op is aten._local_scalar_dense.default:
            if args[0].device.type == "cuda":
                self.waited()
            known = _known.of(args[0])
            if known is not None:
                return _plainly(known.item)
            dtype = args[0].dtype
            scaler = any(f.f_code.co_filename.endswith("grad_scaler.py") for f in _frames(12))
            if not scaler and not self.searching and not dtype.is_complex:
                ends = self.as_a_loop_goes(bool if dtype == torch.bool else float if dtype.is_floating_point else int, getattr(args[0], "_vramlab_true", None))
                if ends is not None:
                    return ends
            if getattr(args[0], "_vramlab_most", None) is not None:
                self.note(f"how many elements of a mask are set is not known without a GPU; taken as all, {args[0]._vramlab_most}")
                return args[0]._vramlab_most
            failing = _fails_if() if dtype == torch.bool else None
            if self.searching and dtype.is_floating_point:
                self.searching += 1
                self.note("LBFGS is taken to use all its iterations, and to end each line search with its first step")
                return 1.0 / self.searching
            count = self.zeros.one(args[0]) if self.zeros is not None else None
            if count is not None:
                return bool(count) if dtype == torch.bool else float(count) if dtype.is_floating_point else count
            if hasattr(args[0], "_vramlab_rank") and dtype.is_floating_point:
                value = 1 + (len(_ranks) + 1) * FINE
                _ranks[value] = args[0]._vramlab_rank
                self.note("the value of a tensor is not known without a GPU; taken as 1.0, of the rank that it has")
                return value
            if hasattr(args[0], "_vramlab_about"):
                self.note(f"how many elements of a mask are set is not known without a GPU; taken as {args[0]._vramlab_about}")
                return float(args[0]._vramlab_about) if dtype.is_floating_point else round(args[0]._vramlab_about)
            value = failing if failing is not None else getattr(args[0], "_vramlab_true", False) if dtype == torch.bool else (0.0 if scaler else 1.0) if dtype.is_floating_point else 1
            self.note(f"the value of a tensor is not known without a GPU; taken as {value}")
            return value
        if op is aten.equal.default:
            first, second = _known.of(args[0]), _known.of(args[1])
            if first is not None and second is not None:
                return _plainly(torch.equal, first, second)
            ends = self.as_a_loop_goes(bool)
            if ends is not None:
                return ends
            expected = getattr(args[0], "_vramlab_true", None)     # is_scalar_tensor_true, by which operations check what they are given
            equal = True if expected is None or args[1].dim() else expected
            self.note(f"whether two tensors are equal is not known without a GPU; taken as {equal}")
            return equal
        if op is aten.nonzero.default:
            places = args[0].new_empty((self.chosen(args[0], "how many elements are not zero"), args[0].dim()), dtype=torch.int64)
            if places.shape[0] == args[0].numel() <= KNOWN_VALUES:    # where all are taken to be, they are in all places
                places._vramlab_value = _plainly(lambda: torch.ones(args[0].shape).nonzero())
            return places
        if op is aten._ctc_loss.default:
            scores = args[0]
            return scores.new_empty((scores.shape[1],)), scores.new_empty((scores.shape[1], scores.shape[0], 2 * max(args[3]) + 1))
        if op is aten.linalg_lstsq.default:
            a, b = args[:2]
            tall = a.shape[-2] > a.shape[-1]
            return (b.new_empty((*a.shape[:-2], a.shape[-1], *b.shape[a.dim() - 1:])), a.new_empty((*a.shape[:-2], b.shape[-1]) if tall else (0,)),
                    a.new_empty((0,), dtype=torch.int64), a.new_empty((0,)))
        if op.name() == "torchvision::nms":
            self.note("how many boxes are left after overlapping ones are dropped is not known without a GPU; taken as all")
            return args[0].new_empty((args[0].shape[0],), dtype=torch.int64)
        if op is aten.masked_select.default:
            return args[0].new_empty((self.chosen(args[1], "how many elements a mask selects"),))
        if op is aten.index.Tensor:
            indices = []
            for i in args[1]:
                if i is not None and i.dtype in (torch.bool, torch.uint8):
                    count = self.chosen(i, "how many elements a mask selects")
                    indices += [i.new_empty((count,), dtype=torch.int64) for _ in range(i.dim())]
                else:
                    indices.append(i)
            return op(args[0], indices)
        if op is aten.repeat_interleave.Tensor:
            known = _known.of(args[0])
            if known is None:
                self.note("how often each element is repeated is not known without a GPU; taken as once")
            return args[0].new_empty((args[0].numel() if known is None else _plainly(lambda: known.sum().item()),))
        if op in SORTS_OUT:
            known = _known.of(args[0])
            if known is not None and not _has_tensor(args[1:]):
                found = _plainly(op, known, *args[1:], **kwargs)
                return args[0].new_empty(found.shape, dtype=found.dtype) if isinstance(found, torch.Tensor) else tuple(
                    args[0].new_empty(f.shape, dtype=f.dtype) for f in found)
            self.note("how many different values there are is not known without a GPU; taken as all, or as the least length of bincount, each equally often")
            whole = lambda: args[0].new_empty((args[0].numel(),), dtype=torch.int64)
            if op is aten.bincount.default:                    # with a least length it is mostly that of the classes there are
                least = max(kwargs.get("minlength", args[2] if len(args) > 2 else 0), _below(args[0]) or 0)
                counts = args[0].new_empty((least or args[0].numel(),), dtype=torch.int64 if len(args) < 2 or args[1] is None else args[1].dtype)
                if least and not counts.dtype.is_floating_point:
                    counts._vramlab_value = _shared_out(args[0].numel(), least)
                return counts
            different = min(args[0].numel(), _kinds(args[0]) or _below(args[0]) or args[0].numel()) if op is aten._unique2.default else args[0].numel()
            found = args[0].new_empty(args[0].shape if op in (aten.unique_dim.default, aten.unique_dim_consecutive.default) else (different,))
            if op is aten._unique2.default and different:
                found._vramlab_each = different
            return found, whole(), whole()[:different].clone()
        raise TraceError(f"{op} has a result whose size depends on data, at {self.text(self.stack())}")

    def as_a_loop_goes(self, kind, told=None):
        """What an unknown value is taken to be where a loop may end by it; None where it is not, or not yet. told: a truth value that something else tells."""
        if self.loops is None:
            return None
        program = [f for f in _frames(60) if not f.f_code.co_filename.startswith((*self.hidden, "<"))]
        value, rounds = self.loops.answer(program, kind, told)
        if rounds is not None:
            self.note(f"how often a loop goes round is not known without a GPU; taken as {rounds} times")
        elif value is not None:
            self.note(f"the value of a tensor is not known without a GPU; taken as {value}")
        return value

    def lengths(self, tensor, most):
        if not isinstance(tensor, torch.Tensor):
            return list(tensor)
        known = _known.of(tensor)
        if known is not None:
            return _plainly(plain_tolist, known)
        self.note(f"lengths of sequences are not known without a GPU; taken as {most}")
        return [most] * tensor.numel()

    def counted(self, mask):
        """How many elements of a mask are set, and how that was taken; None for how where it is known."""
        known = _known.of(mask)
        if known is not None:
            return _plainly(lambda: torch.count_nonzero(known).item()), None
        count, how = self.hinted(mask)
        left = self.zeros.left(mask) if self.zeros is not None and (count is None or mask.dtype not in MASKS) else None
        if left is not None:
            return left[0], "taken as many as are left where zeros were written or multiplied in"
        return (mask.numel(), "taken as all") if count is None else (count, how)

    def hinted(self, mask):
        """The same, of a mask whose values are not known, by how it was made; None for both where that does not tell."""
        if getattr(mask, "_vramlab_written", None) is not None:
            return min(mask._vramlab_written, mask.numel()), "taken as all the places that were written into it, each once"
        part = _part_of(mask)
        if part is not None:
            return round(part * mask.numel()), "taken as many as of numbers that are drawn as these are"
        beyond = getattr(mask, "_vramlab_beyond", None)
        if beyond is not None:
            return beyond, "taken as many as lie on that side of a value of that rank"
        share = getattr(mask, "_vramlab_share", None)
        if share is not None:
            return share, SHARED_OUT
        if getattr(mask, "_vramlab_none", False):
            return 0, "of several classes all are taken to be of the first"
        return None, None

    def chosen(self, mask, what):
        count, how = self.counted(mask)
        if how is not None:
            self.note(f"{what} is not known without a GPU; {how}")
            of = getattr(mask, "_vramlab_class", None)
            if how is SHARED_OUT and of is not None and count >= (TELLS_APART - 2) * of[1]:
                self.line("g", *of)
        return count

    def sum_up(self, op, args, result):
        """Sums of masks, and of classes that were written as ones, go by what the masks are taken to select."""
        if op in SUMS and (args[0].dtype == torch.bool or hasattr(args[0], "_vramlab_part")) and _known.of(args[0]) is None:
            result._vramlab_about = self.counted(args[0])[0]
        elif op in SUMS and hasattr(args[0], "_vramlab_about"):
            result._vramlab_about = args[0]._vramlab_about
        elif op in (*SUMS, aten.mean.default) and self.zeros is not None and self.zeros.ones(args[0]) is not None and _known.of(args[0]) is None:
            result._vramlab_about = self.zeros.ones(args[0]) / (max(args[0].numel(), 1) if op is aten.mean.default else 1)
        elif op is aten.count_nonzero.default and self.zeros is not None and self.zeros.left(args[0]) is not None and _known.of(args[0]) is None:
            result._vramlab_about = self.zeros.left(args[0])[0]
        elif op is aten._to_copy.default and result.dtype != torch.bool and result.dim() and args[0].dtype == torch.bool and _known.of(args[0]) is None:
            result._vramlab_about = self.counted(args[0])[0]
        elif op in COMPARES and hasattr(args[0], "_vramlab_about") and result.dim() == 0:
            result._vramlab_true = COMPARES[op](args[0]._vramlab_about, args[1])
        elif op in (aten.scatter.value, aten.scatter_.value) and args[3] == 1 and hasattr(args[2], "_vramlab_classes") and not _holds_more_than_zeros(args[0]):
            result._vramlab_ones = args[2].numel()
        elif op in (aten._to_copy.default, aten.clone.default, aten.sum.dim_IntList) and hasattr(args[0], "_vramlab_ones"):
            if op is not aten.sum.dim_IntList:
                result._vramlab_ones = args[0]._vramlab_ones
            elif args[1] and result.dim() and (args[0].dim() - 1) not in [d % args[0].dim() for d in args[1]]:    # those of all classes stay apart
                result._vramlab_ones = args[0]._vramlab_ones
                if result.dim() == 1 and not result.dtype.is_floating_point:
                    self.note("how often each class is met is not known without a GPU; taken as equally often")
                    result._vramlab_value = _shared_out(result._vramlab_ones, result.numel(), result.dtype)

    # ---- what holds what

    def kind(self, tensor, kind, name):
        if _wraps(type(tensor)):
            for part in tensor.__tensor_flatten__()[0]:
                self.kind(getattr(tensor, part), kind, name)
            return
        if (isinstance(tensor, torch.Tensor) and tensor.device.type == "cuda" and tensor.layout == torch.strided
                and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)):    # by vmap and grad: what it wraps is known
            number, new = self.storage(tensor)
            if new is not None:
                self.line("b", *new)
            if self.kinds.get(number, ("",))[0] != kind:
                self.kinds[number] = (kind, name)
                self.line("k", number, kind, name)

    def holders(self):
        for name, parameter in list(self.params.values()):
            parameter = parameter()
            if parameter is not None:
                self.kind(parameter, "parameter", name)
                if parameter.grad is not None:
                    self.kind(parameter.grad, "gradient", name)

    def states(self, optimizer):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                for key, state in optimizer.state.get(parameter, {}).items():
                    self.kind(state, "optimizer", key)

    def name_modules(self, root):
        for name, module in root.named_modules(prefix=type(root).__name__):
            self.names[module] = name
        for name, p in root.named_parameters(prefix=type(root).__name__):
            self.params[id(p)] = (name, weakref.ref(p))
            self.kind(p, "parameter", name)
        for name, b in root.named_buffers(prefix=type(root).__name__):
            self.kind(b, "buffer", name)

    @contextlib.contextmanager
    def inside(self, module):
        if module not in self.names:
            self.name_modules(module)
        self.modules.append(self.names[module])
        try:
            yield
        finally:
            self.modules.pop()

    # ---- marks

    def mark(self, what, *values):
        self.line("m", what, self.stack(), *values)

    def reset_peak(self):
        self.recent = self.live
        self.mark("reset_peak")

    def step(self):
        """Tells the plan that one step is over."""
        self.mark("step")


# Where autograd's formulas ask whether a tensor is a subclass (areAnyTensorSubclassLike in PyTorch's sources).
_SELECTED = {aten.scatter.src: aten.scatter_.src, aten.scatter.value: aten.scatter_.value}
IN_PLACE = {
    "GatherBackward0": {aten.scatter_add.default: aten.scatter_add_.default},
    "IndexSelectBackward0": {aten.index_add.default: aten.index_add_.default},
    "BinaryCrossEntropyWithLogitsBackward0": {aten.sub.Tensor: aten.sub_.Tensor, aten.mul.Tensor: aten.mul_.Tensor, aten.div.Tensor: aten.div_.Tensor,
                                              aten.div.Scalar: aten.div_.Scalar},
    **{name: {aten.logical_and.default: aten.logical_and_.default} for name in ("MaxBackward1", "MinBackward1", "MedianBackward0", "NanmedianBackward0")},
    "BinaryCrossEntropyBackward0": {aten.mul.Tensor: aten.mul_.Tensor},    # of the targets
    **{name: {aten.logical_and.default: aten.logical_and_.default, aten.logical_or.default: aten.logical_or_.default} for name in ("ClampBackward0", "ClampBackward1")},
    **{name: {aten.scatter_add.default: aten.scatter_add_.default} for name in ("CummaxBackward0", "CumminBackward0")},
    "Atan2Backward0": {aten.masked_fill.Scalar: aten.masked_fill_.Scalar},
    "MaskedSelectBackward0": {aten.masked_scatter.default: aten.masked_scatter_.default},
    "TakeBackward0": {aten.put.default: aten.put_.default},
    "TraceBackward0": {aten.index_fill.int_Tensor: aten.index_fill_.int_Tensor},
    **{name: _SELECTED for name in ("MaxBackward0", "MinBackward0", "MedianBackward1", "ModeBackward0", "KthvalueBackward0", "TopkBackward0",
                                    "SortBackward0", "SortBackward1")},
}
PUTS = {aten.index_put.default, aten.index_put_.default, aten._index_put_impl_.default}
SORTS_OUT = {aten._unique2.default, aten.unique_dim.default, aten.unique_dim_consecutive.default, aten.unique_consecutive.default, aten.bincount.default}
FIRST_OF_RNN = 10                                              # the argument batch_first of _cudnn_rnn
# Operations that write their first result side by side whatever their inputs' order; fake ones follow the inputs.
PACKED = {aten._softmax.default, aten._log_softmax.default, aten._softmax_backward_data.default, aten._log_softmax_backward_data.default,
          aten.mse_loss_backward.default, aten.smooth_l1_loss_backward.default, aten.huber_loss_backward.default, aten.native_layer_norm.default,
          aten.native_layer_norm_backward.default, aten._fused_rms_norm.default, aten._fused_rms_norm_backward.default,
          aten.native_group_norm.default, aten.native_group_norm_backward.default, aten.pixel_shuffle.default, aten.pixel_unshuffle.default,
          aten.glu_backward.default}
# Operations whose result lies as the gradient does, which comes first.
AS_GRADIENT = {aten.hardswish_backward.default, aten.elu_backward.default, aten.softplus_backward.default, aten.hardtanh_backward.default}
COPY_SLICES = "torch::autograd::CopySlices"
COMPARES = {aten.gt.Scalar: operator.gt, aten.ge.Scalar: operator.ge, aten.lt.Scalar: operator.lt, aten.le.Scalar: operator.le}
TRUE_OF_ALL = {aten.all.default, aten.all.dim, aten.all.dims, aten._is_all_true.default}
TRUE_OF_ONE = {aten.any.default, aten.bitwise_not.default, aten.logical_not.default, aten.bitwise_and.Tensor, aten.logical_and.default}
# Numbers up to this many keep their values, for shapes and settings are computed from them: those of the device; those that a parameter is filled with on
# the host; and those that the host draws, is given or computes, where programs make their data and draw by it, and what the device copies or computes one by one of it.
KNOWN_VALUES = 4096
PARAMETER_VALUES = 1 << 18
MOST_KNOWN = 1 << 21
FACTORIES = {aten.arange.default, aten.arange.start, aten.arange.start_step, aten.linspace.default, aten.logspace.default,
             aten.ones.default, aten.zeros.default, aten.full.default, aten.eye.default, aten.randperm.default,
             aten.scalar_tensor.default}
# Random numbers of the host, which programs decide by: drawn as the program would.
_UNIFORM = (aten.rand.default, aten.rand.generator, aten.rand_like.default)
_NORMAL = (aten.randn.default, aten.randn.generator, aten.randn_like.default)
_BELOW = (aten.randint.default, aten.randint.generator, aten.randint_like.default)
_BETWEEN = (aten.randint.low, aten.randint.low_generator, aten.randint_like.low_dtype)
PERMUTED = {aten.randperm.generator}
_numbers = lambda args: [a for a in args if isinstance(a, int)]
IN_PLACE_DRAWS = {**{op: lambda t, args, g: t.uniform_(generator=g) for op in _UNIFORM}, **{op: lambda t, args, g: t.normal_(generator=g) for op in _NORMAL},
                  **{op: lambda t, args, g: t.random_(0, _numbers(args)[0], generator=g) for op in _BELOW},
                  **{op: lambda t, args, g: t.random_(*_numbers(args)[:2], generator=g) for op in _BETWEEN}}
DRAWN = {*IN_PLACE_DRAWS, *PERMUTED, aten.uniform_.default, aten.normal_.default, aten.bernoulli_.float, aten.exponential_.default, aten.random_.default,
         aten.random_.to, getattr(aten.random_, "from")}
DRAWN_BY_OTHERS = {aten.bernoulli.default, aten.bernoulli.p, aten.bernoulli_.Tensor, aten.multinomial.default, aten.poisson.default, aten.normal.Tensor_float,
                   aten.normal.float_Tensor, aten.normal.Tensor_Tensor}
MOST_DRAWN = 1 << 29                                           # some seconds
DRAWN_AT_ONCE = 1 << 26


COUNTED_ON = {aten.max.default, aten.amax.default, aten.min.default, aten.add.Tensor, aten._to_copy.default, aten.detach.default}
LARGEST = {aten.topk.default: 2, aten.argmax.default: 1, aten.argmin.default: 1, aten.max.dim: 1, aten.min.dim: 1}
WITH_VALUES = {aten.topk.default, aten.max.dim, aten.min.dim}    # before the places
SUMS = {aten.sum.default, aten.count_nonzero.default}
SAME_CLASSES = {aten.view.default, aten._unsafe_view.default, aten.clone.default, aten.detach.default, aten.unsqueeze.default, aten.squeeze.dim, aten.t.default,
                aten.transpose.int, aten.permute.default, aten._to_copy.default}


def _count_at_most(op, args, result):
    """A row's count of what is set in a mask, its greatest, and that with a number more: lengths are asked for so. All are taken to be set."""
    if op is aten.sum.dim_IntList and args[0].dtype == torch.bool and args[1]:
        result._vramlab_most = math.prod(args[0].shape[d] for d in args[1])
    elif op in COUNTED_ON and getattr(args[0], "_vramlab_most", None) is not None:
        more = args[1] if op is aten.add.Tensor else 0
        result._vramlab_most = args[0]._vramlab_most + more if isinstance(more, int) else None


def _share_out(op, args, result):
    """Which classes' values are largest is not known. Of n classes each has a part of n: a router, untrained or balanced, shares tokens out so."""
    if op in LARGEST and args[0].dim():
        dim = args[LARGEST[op]] if len(args) > LARGEST[op] else -1 if op is aten.topk.default else None
        if dim is not None:
            found = result[1] if op in WITH_VALUES else result
            found._vramlab_classes = args[0].shape[dim]
            found._vramlab_picks = found.shape[dim] if op is aten.topk.default else 1
    elif op in SAME_CLASSES and hasattr(args[0], "_vramlab_classes"):
        result._vramlab_classes, result._vramlab_picks = args[0]._vramlab_classes, getattr(args[0], "_vramlab_picks", 1)
    elif op is aten.eq.Scalar and hasattr(args[0], "_vramlab_classes"):
        result._vramlab_class = int(args[1]), args[0]._vramlab_classes
        result._vramlab_share = _share_of(*result._vramlab_class, result.numel())
        result._vramlab_class += (getattr(args[0], "_vramlab_picks", 1),)
    elif op is aten.eq.Tensor and any(hasattr(a, "_vramlab_each") and not a.dim() for a in args[:2]):    # one of the different values that there are
        result._vramlab_share = -(-result.numel() // max(getattr(a, "_vramlab_each", 0) for a in args[:2]))
    elif op is aten.eq.Tensor and any(hasattr(a, "_vramlab_classes") for a in args[:2]):    # a class is met by chance
        result._vramlab_part = 1 / max(a._vramlab_classes for a in args[:2] if hasattr(a, "_vramlab_classes"))
    elif op is aten.any.dim and hasattr(args[0], "_vramlab_share"):    # the largest of one row are different ones
        result._vramlab_share = min(args[0]._vramlab_share, result.numel())
        result._vramlab_class = getattr(args[0], "_vramlab_class", None)


# Operations whose first result is in order, as (dimension, whether it falls); and values of a known rank, as (rank, dimension).
ORDERS = {aten.sort.default: lambda t, dim=-1, falls=False: (dim, falls), aten.topk.default: lambda t, k, dim=-1, falls=True, *_: (dim, falls)}
RANKED = {aten.kthvalue.default: lambda t, k, dim=-1, *_: (k - 1, dim), aten.median.dim: lambda t, dim, *_: ((t.shape[dim] - 1) // 2, dim)}
PLACED = {aten.gather.default: lambda t, dim, index, *_: index, aten.select.int: lambda t, dim, at: at % t.shape[dim],
          aten.slice.Tensor: lambda t, dim=0, start=0, end=None, *_: range(t.shape[dim])[start:end]}
BLENDS = {aten.lerp.Tensor, aten.lerp_.Tensor, aten.lerp.Scalar, aten.lerp_.Scalar}
BEYOND = {op: beyond for name, beyond in (("gt", lambda rank, n: n - 1 - math.floor(rank)), ("ge", lambda rank, n: n - math.ceil(rank)),
                                          ("lt", lambda rank, n: math.ceil(rank)), ("le", lambda rank, n: math.floor(rank) + 1))
          for op in (getattr(aten, name).Tensor, getattr(aten, name).Scalar)}
BEYOND_ZERO = {"aten::gt": lambda left, n: left, "aten::ge": lambda left, n: n, "aten::lt": lambda left, n: 0, "aten::le": lambda left, n: n - left}
FINE = 2.0 ** -40                                              # by which they differ from 1, less than anybody prints
_ranks = {}                                                    # values of known rank that the program asked for: each is given a number of its own


def _zeros_of(zeros, ranked, n):
    """How many of n numbers that are put in order are zero, where none is negative."""
    left = zeros and zeros.left(ranked)
    return round(n * (1 - left[0] / max(ranked.numel(), 1))) if left and left[1] else 0


def _beyond(op, rank, n, none, count, left):
    """How many of so many numbers lie on that side of the value of that rank of n others like them, `none` of which were zero; `left` tells how many are not."""
    if not left or not left[1]:                                # zeros may lie anywhere
        return round(BEYOND[op](rank, n) * count / n)
    if none and rank < none:                                   # that value is itself a zero
        return BEYOND_ZERO[op._schema.name](left[0], count)
    if none:
        return round(BEYOND[op](rank, n) * count / n)
    return round(BEYOND[op](rank, n) * left[0] / n) + (count - left[0]) * (op._schema.name in ("aten::lt", "aten::le"))    # those that are zero lie below


def _rank_out(op, args, result, zeros):
    """Where a value stands among those of its row: medians, quantiles, the least of the largest. As many are larger as its rank says, whatever they are; equal ones are not expected."""
    first = args[0] if args and isinstance(args[0], FakeTensor) else None
    if first is None:
        return
    if op in ORDERS and first.dim():
        dim, falls = ORDERS[op](*args)
        result[0]._vramlab_order = dim % first.dim(), first.shape[dim], falls, _zeros_of(zeros, first, first.shape[dim])
    elif op in RANKED and first.dim():
        rank, dim = RANKED[op](*args)
        result[0]._vramlab_rank = rank, first.shape[dim], _zeros_of(zeros, first, first.shape[dim])
    elif op is aten.median.default:
        result._vramlab_rank = (first.numel() - 1) // 2, first.numel(), _zeros_of(zeros, first, first.numel())
    elif op in PLACED and hasattr(first, "_vramlab_order"):
        dim, n, falls, none = first._vramlab_order
        at = PLACED[op](*args) if len(args) > 1 and args[1] % first.dim() == dim else None
        known = _known.of(at) if isinstance(at, torch.Tensor) else None
        at = set(at if isinstance(at, range) else (at,) if isinstance(at, int) else () if known is None or known.numel() > KNOWN_VALUES else _plainly(lambda: plain_tolist(known.reshape(-1))))
        if len(at) == 1:
            result._vramlab_rank = n - 1 - min(at) if falls else min(at), n, none
    elif op in BLENDS:
        ranks, weight = [getattr(a, "_vramlab_rank", None) for a in args[:2]], _known.one(args[2])
        weight = weight if not isinstance(weight, torch.Tensor) else _plainly(weight.item) if weight.numel() == 1 else UNKNOWN
        if None not in ranks:
            (low, *of), (high, *_) = ranks
            result._vramlab_rank = low + (high - low) * (0.5 if weight is UNKNOWN else weight), *of
    elif op._schema.is_mutable and torch.Tag.inplace_view not in op.tags:
        first.__dict__.pop("_vramlab_rank", None)
    elif op in AS_DRAWN and hasattr(first, "_vramlab_order") and result.dim() and first._vramlab_order[:2] == (first.dim() - 1, result.shape[-1]):
        result._vramlab_order = result.dim() - 1, *first._vramlab_order[1:]
    elif op in AS_DRAWN and hasattr(first, "_vramlab_rank"):
        result._vramlab_rank = first._vramlab_rank
    elif op in BEYOND and first.numel() == result.numel():
        rank, n, none = getattr(args[1], "_vramlab_rank", (0, 0, 0)) if isinstance(args[1], torch.Tensor) else _ranks.get(args[1], (0, 0, 0))
        values = args[1].numel() if isinstance(args[1], torch.Tensor) else 1
        if n and (values == 1 or first.numel() == n * values):
            result._vramlab_beyond = _beyond(op, rank, n, none, first.numel(), zeros and zeros.left(first))
    elif op in OTHERWISE and hasattr(first, "_vramlab_beyond"):
        result._vramlab_beyond = first.numel() - first._vramlab_beyond
    elif op is aten.masked_fill.Scalar and getattr(args[1], "_vramlab_part", None) == 0 and _known.of(first) is not None and first.shape == result.shape:
        result._vramlab_value = _known.of(first)               # set nowhere


def _below(t):
    """What whole numbers, none of them negative, lie below; None where that is not known. Views share it with what they are views of."""
    if not isinstance(t, torch.Tensor):
        return int(t) + 1 if isinstance(t, (int, bool)) and t >= 0 else None
    if t.dtype == torch.bool:
        return 2
    if t.dtype.is_floating_point or t.dtype.is_complex:
        return None
    root = t if t.is_inference() or t._base is None else t._base
    known = None if hasattr(root, "_vramlab_below") else _known.of(t)
    if known is not None and known.numel() and _plainly(lambda: known.min().item()) >= 0:
        return _plainly(lambda: known.max().item()) + 1
    return getattr(root, "_vramlab_below", None)


def _below_all(ts):
    found = [_below(t) for t in ts]
    return None if None in found else max(found, default=None)


def _masked_by(a, b):
    """The other one of two, if one is 0 or 1."""
    bounds = _below(a), _below(b)
    return max(bounds) if None not in bounds and min(bounds) <= 2 else None


BELOW = {aten.multinomial.default: lambda p, *_: p.shape[-1], aten.remainder.Scalar: lambda t, by: by if by > 0 else None, aten.cat.default: lambda ts, *_: _below_all(ts),
         aten.where.self: lambda _, *both: _below_all(both), aten.masked_fill.Scalar: lambda t, _, value: _below_all((t, value)), aten.mul.Tensor: _masked_by,
         aten.rsub.Scalar: lambda t, by, *_: 2 if by == 1 and _below(t) == 2 else None,
         aten.bitwise_and.Tensor: lambda *both: min((b for b in map(_below, both) if b is not None), default=None),
         **{op: lambda t, *_: _below(t) for op in (*SAME_CLASSES, aten.slice.Tensor, aten.select.int, aten.expand.default, aten.alias.default, aten.gather.default,
                                                   aten.index_select.default, aten.index.Tensor, aten.repeat_interleave.self_int)}}
WRITES_BELOW = {aten.copy_.default: 1, aten.fill_.Scalar: 1, aten.fill_.Tensor: 1, aten.masked_fill_.Scalar: 2, aten.index_put_.default: 2, aten.scatter_.src: 3, aten.scatter_.value: 3}
DECIDED = {**{op: False for op in (aten.ge.Scalar, aten.eq.Scalar)}, **{op: True for op in (aten.lt.Scalar, aten.ne.Scalar)}}


def _tensors(values):
    for v in values:
        if isinstance(v, torch.Tensor):
            yield v
        elif isinstance(v, (list, tuple)):
            yield from _tensors(v)


def _kinds(t):
    """How many different values there are of which some were chosen; None where that is not known."""
    known = _known.of(t)
    return getattr(t, "_vramlab_kinds", None) if known is None else _plainly(lambda: known.unique().numel())


def _bound(op, args, result):
    """Places of the largest values and what is drawn by weights lie below the number of classes, wherever they go: a program that asks for others finds none."""
    if op in BELOW or op in WRITES_BELOW:
        if all(_known.of(t) is not None for t in _tensors(args)):
            return                                             # and so is the result
    if op._schema.is_mutable:
        if isinstance(args[0], FakeTensor) and not args[0].dtype.is_floating_point and args[0].dtype != torch.bool:
            root = args[0] if args[0].is_inference() or args[0]._base is None else args[0]._base
            root._vramlab_below = _below_all((args[0], args[WRITES_BELOW[op]])) if op in WRITES_BELOW else None
        return
    if op in LARGEST and args[0].dim():
        places = result[1] if op in WITH_VALUES else result
        dim = args[LARGEST[op]] if len(args) > LARGEST[op] else None
        places._vramlab_below = args[0].shape[-1 if dim is None else dim] if dim is not None or op is aten.topk.default else args[0].numel()
    elif not isinstance(result, FakeTensor):
        return
    elif op in DECIDED and isinstance(args[1], int) and result.numel() <= MOST_KNOWN and _known.of(args[0]) is None:
        below = _below(args[0])
        if below is not None and below <= args[1]:
            result._vramlab_value = _plainly(torch.full, result.shape, DECIDED[op])
    elif op in BELOW and result.dtype in (torch.int64, torch.int32):
        result._vramlab_below = BELOW[op](*args)
        if op is aten.index.Tensor and result._vramlab_below is not None:
            result._vramlab_kinds = _kinds(args[0])
        result._vramlab_masked = op is aten.mul.Tensor
    elif op is aten.add.Tensor and any(getattr(a, "_vramlab_masked", False) for a in args[:2]) and all(
            getattr(a, "_vramlab_masked", False) or isinstance(a, torch.Tensor) and _known.of(a) is not None for a in args[:2]):    # x * mask + other * (1 - mask)
        result._vramlab_below = _below_all(args[:2])


# Of numbers that are drawn it is known which part of them lies below a bound, wherever they are drawn: part(bound, whether the bound is meant too).
def _evenly(low=0, high=1, *_):
    return lambda bound, within: min(max((bound - low) / (high - low), 0.0), 1.0) if high > low else float(bound > low)


def _by_the_curve(mean=0, deviation=1, *_):
    return lambda bound, within: 0.5 * math.erfc((mean - bound) / (deviation * math.sqrt(2))) if deviation else float(bound > mean)


def _whole(numbers):
    low, high = numbers[:2] if len(numbers) > 1 else (0, numbers[0])
    return lambda bound, within: min(max(((math.floor(bound) + 1 if within else math.ceil(bound)) - low) / (high - low), 0.0), 1.0)


def _coins(ones=0.5, *_):
    return lambda bound, within: 0.0 if bound < 0 or bound == 0 and not within else 1.0 if bound > 1 or bound == 1 and within else 1 - ones


DRAWN_HOW = {**{op: lambda args: _evenly() for op in _UNIFORM}, **{op: lambda args: _by_the_curve() for op in _NORMAL},
             **{op: lambda args: _whole(_numbers(args)) for op in (*_BELOW, *_BETWEEN, aten.random_.to, getattr(aten.random_, "from"))},
             aten.uniform_.default: lambda args: _evenly(*args[1:]), aten.normal_.default: lambda args: _by_the_curve(*args[1:]),
             aten.bernoulli.p: lambda args: _coins(*args[1:]), aten.bernoulli_.float: lambda args: _coins(*args[1:])}
PARTS = {aten.lt.Scalar: lambda below, x: below(x, False), aten.le.Scalar: lambda below, x: below(x, True),
         aten.gt.Scalar: lambda below, x: 1 - below(x, True), aten.ge.Scalar: lambda below, x: 1 - below(x, False),
         aten.eq.Scalar: lambda below, x: below(x, True) - below(x, False), aten.ne.Scalar: lambda below, x: 1 - below(x, True) + below(x, False)}
BOTH = {aten.bitwise_and.Tensor: lambda a, b: a * b, aten.logical_and.default: lambda a, b: a * b,
        aten.bitwise_or.Tensor: lambda a, b: a + b - a * b, aten.logical_or.default: lambda a, b: a + b - a * b}
OTHERWISE = {aten.bitwise_not.default, aten.logical_not.default}
NOT_NUMBERS = {aten.isnan.default, aten.isinf.default, aten.ne.Tensor, aten.eq.Scalar}    # isnan(x) is x != x, isinf(x) is abs(x) == inf
ANY = {aten.any.default, aten.any.dim, aten.any.dims}
AS_DRAWN = {*SAME_CLASSES, aten.slice.Tensor, aten.select.int, aten.expand.default, aten.alias.default}
SURE = {aten.max.dim, aten.amax.default}
WITH_PLACES = {aten.max.dim, aten.sort.default, aten.sort.stable}
OUTDONE = {aten.gt.Tensor, aten.ge.Tensor, aten.lt.Tensor}
CHOSEN = {aten.gather.default, aten.index_select.default, aten.index.Tensor}
SPLITS = {aten.split.Tensor, aten.split_with_sizes.default, aten.unbind.int}
OF_DRAWN = ("_vramlab_drawn", "_vramlab_part", "_vramlab_each")
WRITTEN_IN_PLACES = {aten.index_put_.default, aten.masked_fill_.Scalar, aten.masked_fill_.Tensor}
WRITTEN_WHOLE = {aten.fill_.Scalar, aten.fill_.Tensor, aten.zero_.default, aten.copy_.default}


def _part_of(mask):
    """Which part of a mask is set, where it follows from how numbers were drawn; None elsewhere."""
    if hasattr(mask, "_vramlab_drawn"):
        below = mask._vramlab_drawn
        return min(max(1 - below(0, True) + below(0, False), 0.0), 1.0)
    part = getattr(mask, "_vramlab_part", None)
    if part is None and isinstance(mask, FakeTensor) and mask.dtype == torch.bool:
        known = _known.of(mask)
        return None if known is None or not known.numel() else _plainly(lambda: known.float().mean().item())
    return part


def _is_none_of(drawn, value):
    """Whether a whole number is known not to be one of those that are drawn so."""
    known = _known.of(value) if isinstance(value, torch.Tensor) else value
    if isinstance(known, torch.Tensor):
        known = _plainly(known.item) if known.numel() == 1 else None
    return known is not None and drawn(known, True) == drawn(known, False)


def _holds_more_than_zeros(tensor):
    """Whether a tensor is known to hold something else than zeros."""
    known = _known.of(tensor)
    return known is not None and _plainly(lambda: bool((known != 0).any()))


def _draw_out(op, args, result):
    """Follows drawn numbers to the masks that are made of them."""
    if op is aten.gather.default and args[0].dim():
        result._vramlab_one_of = args[0].untyped_storage()._cdata, args[0].shape[args[1]]
    if op in DRAWN_HOW:
        result._vramlab_drawn = DRAWN_HOW[op](args)
    elif op in (*AS_DRAWN, *CHOSEN) and any(hasattr(args[0], name) for name in OF_DRAWN) or op in SPLITS:
        for name in OF_DRAWN:
            if hasattr(args[0], name):
                setattr(result, name, getattr(args[0], name))
    elif op in PARTS and hasattr(args[0], "_vramlab_drawn"):
        result._vramlab_part = min(max(PARTS[op](args[0]._vramlab_drawn, args[1]), 0.0), 1.0)
    elif op in OTHERWISE and hasattr(args[0], "_vramlab_part"):
        result._vramlab_part = 1 - args[0]._vramlab_part
    elif op in BOTH and any(hasattr(a, "_vramlab_part") for a in args):
        parts = [_part_of(a) for a in args[:2]]
        if None not in parts:
            result._vramlab_part = BOTH[op](*parts)
    elif op in WRITTEN_IN_PLACES and not args[0].dtype.is_floating_point and hasattr(args[0], "_vramlab_drawn"):
        if _is_none_of(args[0]._vramlab_drawn, args[2]):       # then how many are still as they were drawn is not known
            del args[0]._vramlab_drawn
    elif op in WRITTEN_WHOLE:
        for name in OF_DRAWN:
            args[0].__dict__.pop(name, None)
    elif op is aten._softmax.default and args[0].dim():        # of n classes each has about its part
        classes = result._vramlab_of = args[0].shape[args[1]]
        result._vramlab_drawn = lambda bound, within: float(bound * classes > 1)
    elif op in SURE and hasattr(args[0], "_vramlab_of"):       # and the largest is more than a half of it only for who has learnt
        classes = args[0]._vramlab_of
        (result[0] if op is aten.max.dim else result)._vramlab_drawn = lambda bound, within: float(bound * classes > 1 and bound >= 0.5)
    elif op in WITH_PLACES and op is not aten.max.dim and result[1].dim():                # each place once, where all are sorted
        rest = [a for a in args[1:] if isinstance(a, int) and not isinstance(a, bool)]
        result[1]._vramlab_drawn = _whole((0, max(result[1].shape[rest[0] if rest else -1], 1)))
    elif op in OUTDONE and getattr(args[1], "_vramlab_one_of", (0,))[0] == args[0].untyped_storage()._cdata:
        result._vramlab_rank_of = args[1]._vramlab_one_of[1]
    elif op is aten.sum.dim_IntList and hasattr(args[0], "_vramlab_rank_of"):    # how many outdo the one that is looked for: as many as chance has it
        result._vramlab_drawn = _whole((0, args[0]._vramlab_rank_of))
    elif op is aten.any.dim and getattr(args[0], "_vramlab_part", 0) > 0 and result.numel():
        result._vramlab_part = 1 - (1 - args[0]._vramlab_part) ** (args[0].numel() / result.numel())
    elif op in NOT_NUMBERS and (op is not aten.ne.Tensor or args[0] is args[1]) and (op is not aten.eq.Scalar or args[1] == float("inf")):
        result._vramlab_part = 0.0                             # as with truth: what programs look for in this way they do not find
    elif op in ANY and getattr(args[0], "_vramlab_part", None) == 0:
        result._vramlab_true, result._vramlab_part = False, 0.0


PADDED_LIKE = {aten._to_copy.default, aten.clone.default, aten.detach.default, aten.alias.default}
NOT_ZERO = {aten.ne.Scalar: True, aten.eq.Scalar: False}


def _kept_of(tensor):
    """Where numbers are that were not made zero, unless they were written to since."""
    kept, version = getattr(tensor, "_vramlab_kept", (None, None))
    return kept if kept is None or tensor.is_inference() or tensor._version == version else None


def _pad_out(op, args, result):
    """Follows what is made zero outside of a known mask to the masks that ask where it is not; says whether it found one. Within it nothing is taken to be zero."""
    kept = None
    if op is aten.mul.Tensor and all(isinstance(a, torch.Tensor) for a in args[:2]):
        known = [_known.of(a) for a in args[:2]]
        if (known[0] is None) != (known[1] is None):           # of the other one it may be known, too
            mask, other = (args[0], args[1]) if known[1] is None else (args[1], args[0])
            if not mask.dtype.is_floating_point and mask.dim() and result.numel() <= MOST_KNOWN:
                kept = _plainly(lambda: (_known.of(mask) != 0).expand(result.shape))
                before = _kept_of(other)
                kept = kept if before is None else _plainly(lambda: kept & before)
    elif op is aten.masked_fill.Scalar and args[2] == 0 and _known.of(args[1]) is not None and _known.of(args[0]) is None:
        kept = _plainly(lambda: ~_known.of(args[1]).expand(result.shape)) if result.numel() <= MOST_KNOWN else None
    elif args and isinstance(args[0], torch.Tensor) and _kept_of(args[0]) is not None:
        if op in NOT_ZERO and args[1] == 0 or op is aten._to_copy.default and result.dtype == torch.bool:
            result._vramlab_value = _plainly(torch.eq, _kept_of(args[0]), NOT_ZERO.get(op, True))
            return True
        if op in PADDED_LIKE:
            kept = _kept_of(args[0])
        elif op in AS_DRAWN:
            kept = _plainly(lambda: op(_kept_of(args[0]).contiguous(), *args[1:]))    # which may lie otherwise than the numbers do
    if kept is not None:
        result._vramlab_kept = (kept, 0 if result.is_inference() else result._version)
    return False


def _is_finite(op, args):
    """isfinite(x) is (x == x) * (abs(x) != inf); what a program asks for is that it is."""
    if op is aten.mul.Tensor:
        return all(getattr(a, "_vramlab_true", False) for a in args)
    return op is aten.eq.Tensor and args[0] is args[1] or op is aten.ne.Scalar and args[1] == float("inf")


def _is_composed(op):
    """Whether a CUDA tensor runs this operation as others; some have a kernel besides."""
    has = lambda key: torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)
    return has("CompositeImplicitAutograd") and not has("CUDA")


@functools.cache
def _wraps(kind):
    """Whether tensors of that class hold others, as jagged and distributed ones do."""
    return kind is not FakeTensor and hasattr(kind, "__tensor_flatten__") and hasattr(kind, "__tensor_unflatten__")


WRAPPERS = tuple(os.path.join(*path) for path in (("nested", "_internal", "ops.py"), ("distributed", "tensor", "_dispatch.py")))


def _inside_of_a_wrapper():
    return any(frame.f_code.co_filename.endswith(WRAPPERS) for frame in _frames(20))


# What computes singular values or eigenvalues alone (BatchLinearAlgebra.cpp, LinearAlgebra.cpp).
WITH_VECTORS = {aten._linalg_svd.default: False, aten._linalg_eigh.default: "L"}    # and their second argument, if it is not given
VALUES_ALONE = ("svdvals", "eigvalsh", "cond", "matrix_norm", "norm", "matrix_rank")
# Operations that a CUDA tensor too runs as others, below autograd.
OPENED = {aten.linalg_pinv.atol_rtol_tensor: torch._C.DispatchKey.CompositeExplicitAutogradNonFunctional}


CONVOLUTIONS = {aten.convolution.default: (0, 1), aten.convolution_backward.default: (1, 2)}
CUDNN_AS_IT_IS = (0, False, True)                              # how many plans are tried, whether only those of one order of sums, whether float32 may be TF32
TRIED_PLANS, ALL_PLANS = 10, 10000


def _cudnn_settings():
    """As PyTorch hands them to cuDNN's convolutions; the limit of 0 stands for all plans (Convolution.cpp, Conv_v8.cpp)."""
    cudnn = torch.backends.cudnn
    limit = getattr(cudnn, "benchmark_limit", None)
    tried = (TRIED_PLANS if limit is None else limit or ALL_PLANS) if cudnn.benchmark else 0
    try:
        tf32 = cudnn.allow_tf32
    except RuntimeError:                                       # set by the newer names
        tf32 = cudnn.conv.fp32_precision == "tf32"
    return tried, cudnn.deterministic or torch.are_deterministic_algorithms_enabled(), tf32


def _as_cudnn_lays(op, args, result):
    """Channels side by side where the input or the weight has them so (cudnn_conv_suggest_memory_format); whichever device it is."""
    input, weight = (args[i] for i in CONVOLUTIONS[op])
    if input.device.type != "cuda" or weight.dim() not in (4, 5) or input.dtype == torch.float64:
        return result
    formats = {suggest_memory_format(input), suggest_memory_format(weight)} - {torch.contiguous_format}
    wanted = formats.pop() if formats else torch.contiguous_format
    laid = lambda t: t if t is None or t.dim() < 4 or t.is_contiguous(memory_format=wanted) else torch.empty_like(t, memory_format=wanted)
    return laid(result) if isinstance(result, torch.Tensor) else tuple(laid(t) for t in result)


def _packed_first(result):
    first, *rest = result if isinstance(result, (list, tuple)) else [result]
    if first is None or first.is_contiguous():
        return result
    first = first.new_empty(first.shape)
    return (first, *rest) if isinstance(result, (list, tuple)) else first


POINTWISE = torch.Tag.pointwise


def _as_iterated(args, result):
    """Where all operands are contiguous so is the result, also by steps that a size of 1 leaves open (TensorIterator.cpp, fast_set_up)."""
    given = [a for a in args if isinstance(a, torch.Tensor) and a.dim()]
    packed = result.stride() == torch._prims_common.make_contiguous_strides_for(result.shape)
    if packed or 1 not in result.shape or any(a.shape != result.shape or not a.is_contiguous() for a in given):
        return result
    return result.new_empty(result.shape)


def _as_gradient(gradient, result):
    dense = torch.empty_like(gradient)
    lies = gradient.shape == result.shape and gradient.dtype == result.dtype and dense.stride() == gradient.stride()
    return dense if lies and result.stride() != dense.stride() else result


def _plainly(function, *args, **kwargs):
    """Calls with tensors that hold values."""
    with fake_tensor.unset_fake_temporarily(), torch.no_grad():
        return function(*args, **kwargs)


class _Known:
    """Values of small tensors that follow from the program alone: masks, positions, lengths. They are computed beside the fake ones."""

    def __init__(self):
        self.drawn = 0
        self.device_draws = None                               # the state of the generator that stands for the device's
        self.spoiled = set()                                   # addresses of values into which something unknown was written
        self.kept = []

    def of(self, tensor):
        """The values, or None where they are not known."""
        if not isinstance(tensor, FakeTensor):
            return tensor if isinstance(tensor, torch.Tensor) else None
        value = getattr(tensor, "_vramlab_value", None)
        if value is not None and value.untyped_storage()._cdata not in self.spoiled:
            return value
        return tensor.constant

    def follow(self, op, args, kwargs, result):
        outs = [result] if isinstance(result, torch.Tensor) else [r for r in result if isinstance(r, torch.Tensor)] \
            if isinstance(result, (list, tuple)) else []
        written = [t for given, argument in zip(args, op._schema.arguments) if argument.alias_info is not None and argument.alias_info.is_write
                   for t in (given if isinstance(given, (list, tuple)) else [given]) if hasattr(t, "_vramlab_value")] if op._schema.is_mutable else []
        if not written and not outs or op is aten._amp_update_scale_.default:    # GradScaler skips no step, and its scale stays
            return
        if op in DRAWN and outs[0].device.type == "cpu" and isinstance(outs[0], FakeTensor):
            self.draw(op, args, kwargs, outs[0])
            return
        if op in DRAWN_BY_OTHERS and outs[0].device.type == "cpu" and isinstance(outs[0], FakeTensor):
            self.draw_by_others(op, args, kwargs, outs[0])
            return
        drawn = torch.Tag.nondeterministic_seeded in op.tags
        if drawn and outs and outs[0].device.type == "cuda":
            value = _Drawing.draw(op, args, kwargs, outs[0])
            if value is not None:
                before = self.of(outs[0]) if op._schema.is_mutable else None
                if before is not None:                         # also for who sees it in parts
                    _plainly(before.copy_, value)
                else:
                    outs[0]._vramlab_value = value
                return
            if op in DRAWN_HOW and outs[0].dtype.is_floating_point and outs[0].dim():    # it is known which part lies where
                self.spoil(written)
                return
        if drawn and outs and getattr(outs[0], "constant", None) is not None:
            return                                             # it was drawn when its result was made
        values = self.compute(op, args, kwargs, outs or written)
        if values is not None:
            for out, value in zip(outs, values):
                if isinstance(out, FakeTensor) and value.shape == out.shape and value.dtype == out.dtype and value.layout == torch.strided:
                    out._vramlab_value = value
            return
        self.spoil(written)

    def spoil(self, written):
        for given in written:
            if given._vramlab_value is not None:
                self.kept.append(given._vramlab_value)         # so that its address stays its own
                self.spoiled.add(given._vramlab_value.untyped_storage()._cdata)

    def draw(self, op, args, kwargs, out):
        """The numbers that follow from the program's seed; of those that are not kept as many are drawn, so that the next ones follow, too."""
        named = {k: v for k, v in kwargs.items() if k not in ("device", "pin_memory", "layout", "memory_format") and (k != "generator" or v is None or v.device.type == "cpu")}
        fills = bool(args) and isinstance(args[0], torch.Tensor)
        if any(isinstance(v, FakeTensor) for v in args[1:]) or self.drawn + out.numel() > MOST_DRAWN:
            return
        self.drawn += out.numel()
        kept = out.numel() <= (PARAMETER_VALUES if isinstance(out, torch.nn.Parameter) else MOST_KNOWN)
        if kept or not fills and op in PERMUTED:
            value = _plainly(op, *([_plainly(torch.empty, out.shape, dtype=args[0].dtype)] if fills else []), *args[fills:], **named)
            if kept:
                out._vramlab_value = value
            return
        with fake_tensor.unset_fake_temporarily(), torch.no_grad():    # like the whole, part by part: multiples of 16
            left, part = out.numel(), torch.empty(min(out.numel(), DRAWN_AT_ONCE), dtype=out.dtype)
            while left:
                some = part[:left]
                if fills and op._schema.is_mutable:
                    op(some, *args[1:], **named)
                elif op in IN_PLACE_DRAWS:
                    IN_PLACE_DRAWS[op](some, args, named.get("generator"))
                left -= some.numel()

    def draw_by_others(self, op, args, kwargs, out):
        """Numbers of the host that others say how to draw; where those are not known as many are drawn."""
        size = max(t.numel() for t in (out, *args) if isinstance(t, torch.Tensor))
        if self.drawn + size > MOST_DRAWN:
            return
        self.drawn += size
        fills = op._schema.is_mutable or op is aten.bernoulli.p
        known = [None if not isinstance(a, torch.Tensor) else self.of(a) for a in args]
        given = [a if not isinstance(a, torch.Tensor) else _plainly(torch.full, a.shape, 0.5, dtype=a.dtype) if k is None or fills and i == 0 else k
                 for i, (a, k) in enumerate(zip(args, known))]
        value = _plainly(op, *given, **kwargs)
        missing = any(k is None and isinstance(a, torch.Tensor) for a, k in list(zip(args, known))[fills:])
        if not missing and out.numel() <= _most(out):
            out._vramlab_value = value
        elif fills and hasattr(out, "_vramlab_value"):
            self.spoil([out])

    def elsewhere(self, op, *args, **kwargs):
        """Numbers that the device draws are plausible ones here, and leave the host's as they are."""
        host = torch.get_rng_state()
        if self.device_draws is not None:
            torch.set_rng_state(self.device_draws)
        try:
            return op(*args, **kwargs)
        finally:
            self.device_draws = torch.get_rng_state()
            torch.set_rng_state(host)

    def one(self, v):
        if isinstance(v, torch.Tensor):
            value = self.of(v)
            return UNKNOWN if value is None else value
        if isinstance(v, (list, tuple)):
            return self.all_of(v)
        return torch.device("cpu") if isinstance(v, torch.device) else v

    def all_of(self, values):
        found = [self.one(v) for v in values]
        return UNKNOWN if any(v is UNKNOWN for v in found) else found

    def decided(self, op, args, outs):
        """One argument can be enough: a generation ends at its greatest length, whatever its last token was."""
        for i in range(2 if op in DECIDING else 0):
            value = self.of(args[i]) if isinstance(args[i], torch.Tensor) else None
            if value is not None and value.shape == outs[0].shape and _plainly(lambda: bool((value == DECIDING[op]).all())):
                return [_plainly(torch.full, value.shape, DECIDING[op], dtype=outs[0].dtype)]
        return None

    def compute(self, op, args, kwargs, outs):
        made = MOST_KNOWN if _is_of_data(op, args) else PARAMETER_VALUES if op in FACTORIES or op in LIKE else 0
        if op.namespace != "aten" or any(o.numel() > max(made, _most(o)) for o in outs):
            return None
        if not _has_tensor(args) and not _has_tensor(kwargs.values()) and (outs[0].dtype.is_floating_point and outs[0].dim() and op not in FACTORIES or op in EMPTY):
            return None
        if op in LIKE:                                         # whatever that one holds
            args = (_plainly(torch.empty, args[0].shape, dtype=args[0].dtype), *args[1:])
        if op in FILLS and args[0].numel() == 1:               # whatever was there before; a larger one may have been seen in parts
            args = (_plainly(torch.empty, args[0].shape, dtype=args[0].dtype), *args[1:])
        if isinstance(kwargs.get("out"), FakeTensor) and self.of(kwargs["out"]) is None:
            kwargs = {**kwargs, "out": _plainly(torch.empty, outs[0].shape, dtype=outs[0].dtype)}
        given, args, kwargs = args, self.all_of(args), {k: self.one(v) for k, v in kwargs.items()}
        if args is UNKNOWN or any(v is UNKNOWN for v in kwargs.values()):
            return self.decided(op, given, outs)
        try:
            drawn = torch.Tag.nondeterministic_seeded in op.tags and outs[0].device.type != "cpu"
            values = _plainly(self.elsewhere, op, *args, **kwargs) if drawn else _plainly(op, *args, **kwargs)
        except (RuntimeError, NotImplementedError, IndexError):  # no kernel for the CPU, or values that a GPU would refuse too
            return None
        return [values] if isinstance(values, torch.Tensor) else [v for v in values or () if isinstance(v, torch.Tensor)]


UNKNOWN = object()
DECIDING = {aten.bitwise_or.Tensor: True, aten.logical_or.default: True, aten.bitwise_and.Tensor: 0, aten.logical_and.default: 0, aten.mul.Tensor: 0}
_known = _Known()


def _most(tensor):
    """How many elements a tensor may have for its values to be kept."""
    return KNOWN_VALUES if tensor.dtype.is_floating_point and tensor.device.type != "cpu" else MOST_KNOWN


FILLS = {aten.fill_.Scalar, aten.fill_.Tensor, aten.zero_.default}
MOVES = {aten._to_copy.default, aten.copy_.default, aten.cat.default, aten.cat.out, aten.stack.default, aten.stack.out, aten.repeat.default, aten.index.Tensor, aten.gather.default, aten.index_put_.default}


# What else moves, orders or writes over numbers; of PyTorch's tags these operations have none.
OF_DATA = {"aten::" + name for name in (
    "abs_", "lt_", "le_", "gt_", "ge_", "eq_", "ne_", "fill_", "zero_", "masked_fill", "masked_fill_", "masked_scatter", "masked_scatter_", "cumsum", "cumsum_", "cummax",
    "cummin", "cumprod", "sort", "topk", "kthvalue", "median", "scatter", "scatter_", "scatter_add", "scatter_add_", "scatter_reduce", "scatter_reduce_", "index_add",
    "index_add_", "index_select", "index_copy", "index_copy_", "index_fill", "index_fill_", "roll", "flip", "tril", "triu", "constant_pad_nd", "slice_scatter",
    "select_scatter", "masked_select", "take")}


def _is_of_data(op, args):
    """What masks and targets are made by: copies, numbers one by one, and reductions, of what needs no gradient. Their values are followed on the device as on the host."""
    return (op in MOVES or op.is_view or torch.Tag.pointwise in op.tags or torch.Tag.reduction in op.tags or op._schema.name in OF_DATA) and not _needs_gradient(args)


def _needs_gradient(values):
    return any(v.requires_grad if isinstance(v, torch.Tensor) else isinstance(v, (list, tuple)) and _needs_gradient(v) for v in values)


LIKE = {aten.zeros_like.default, aten.ones_like.default, aten.full_like.default, aten.new_zeros.default, aten.new_ones.default, aten.new_full.default}
EMPTY = {aten.empty.memory_format, aten.empty_strided.default, aten.empty_permuted.default}


def _has_tensor(values):
    return any(isinstance(v, torch.Tensor) or isinstance(v, (list, tuple)) and _has_tensor(v) for v in values)


def _on_device(values):
    for v in values:
        if isinstance(v, torch.Tensor) and v.device.type == "cuda" or isinstance(v, (list, tuple)) and _on_device(v):
            return True
    return False


def _frames(count):
    frame = sys._getframe(1)
    while frame is not None and count:
        yield frame
        frame, count = frame.f_back, count - 1


_branches = {}


def _fails_if():
    """What a truth value has to be so that the program does not raise an error where it asks for it, nor leaves a loop early; None where that does not show in its source."""
    for skipped in (ASKING, (TORCH,)):                         # PyTorch's own functions check their arguments, too
        frame = next((f for f in _frames(40) if not f.f_code.co_filename.startswith((*skipped, HERE, "<"))), None)
        wanted = None if frame is None else _fails_at(frame.f_code.co_filename, frame.f_lineno)
        if wanted is not None:
            return wanted
    return None


# What lies between a truth value that is asked for and who asks.
ASKING = tuple(TORCH + name for name in ("_tensor.py", "_ops.py", "_compile.py", "_dynamo", "_subclasses", "_meta_registrations", "_refs", "_prims", "_decomp",
                                         "overrides.py", "utils" + os.sep + "_"))


@functools.lru_cache(16)
def _tree(file):
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return None


def _fails_at(*place):
    if place not in _branches:
        _branches[place] = None
        tree = _tree(place[0])
        if tree is None:
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.For):
                for test in _ends(node.body, place[1]):
                    _branches[place] = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
            if isinstance(node, ast.If) and node.lineno <= place[1] <= node.test.end_lineno and any(map(_fails, node.body)):
                _branches[place] = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            elif isinstance(node, ast.Assert) and node.lineno <= place[1] <= node.test.end_lineno:
                _branches[place] = not (isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not))
    return _branches[place]


def _ends(body, line):
    """What is asked in that line of a loop over something, so that it ends there; a loop that has no end of its own is not one."""
    for node in body:
        if isinstance(node, ast.If):
            if node.lineno <= line <= node.test.end_lineno and any(isinstance(s, (ast.Break, ast.Return)) for s in node.body):
                yield node.test
            yield from _ends(node.body + node.orelse, line)
        elif isinstance(node, (ast.With, ast.Try)):
            yield from _ends(node.body, line)


def _fails(statement):
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, ast.Raise) or isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "_assert" \
        and isinstance(call.args[0], ast.Constant) and not call.args[0].value


def _values_alone(follow, plain):
    @functools.wraps(plain)
    def call(*args, **kwargs):
        follow.values += 1
        try:
            return plain(*args, **kwargs)
        finally:
            follow.values -= 1
    return call


def _ctc(follow, plain):
    """at::ctc_loss with lengths as the host's numbers, which tensor subclasses would keep as tensors (aten/src/ATen/native/LossCTC.cpp)."""
    def call(scores, targets, inputs, lengths, blank=0, reduction=1, zero_infinity=False):
        if scores.device.type != "cuda":
            return plain(scores, targets, inputs, lengths, blank, reduction, zero_infinity)
        by_cudnn = isinstance(lengths, torch.Tensor) and cudnn_computes_ctc(scores, targets, inputs, lengths, blank)
        batched = scores if scores.dim() == 3 else scores.unsqueeze(1)
        most = targets.shape[-1] if targets.dim() > 1 else targets.shape[0] // batched.shape[1]
        inputs, lengths = follow.lengths(inputs, scores.shape[0]), follow.lengths(lengths, most)
        loss = torch._cudnn_ctc_loss(batched, targets, inputs, lengths, blank, False, zero_infinity)[0] if by_cudnn else \
            torch._ctc_loss(batched, targets, inputs, lengths, blank, zero_infinity)[0]
        if zero_infinity:
            zero = torch.zeros((), dtype=loss.dtype, device=loss.device)
            loss = torch.where(loss == float("inf"), zero, loss)
            del zero
        if reduction == 1:
            return (loss / torch.full((len(lengths),), 1, dtype=loss.dtype, device=loss.device).clamp_min(1)).mean()
        return loss.sum() if reduction == 2 else loss if scores.dim() == 3 else loss.squeeze(0)
    return call


ASKS_CTC = {aten._use_cudnn_ctc_loss.default, aten._use_cudnn_ctc_loss.Tensor}
# Whose lengths are on the host, though their scores are not.
def _grouped(a, b, ends=None, bias=None, out_dtype=None):
    """Other types than bfloat16 go product by product into one result (_grouped_mm_fallback)."""
    if a.dtype == torch.bfloat16:
        return aten._grouped_mm.default(a, b, ends, bias, out_dtype)
    groups = () if a.dim() + b.dim() == 5 else (len(ends),) if a.dim() == 2 else (a.shape[0],)
    return a.new_empty((*groups, a.shape[-2], b.shape[-1]))


COMPUTED = {op: lambda scores, *rest, **named: (scores.new_empty((scores.shape[1],)), torch.empty_like(scores))
            for op in (aten._cudnn_ctc_loss.default, aten._cudnn_ctc_loss.Tensor)}
COMPUTED[aten._grouped_mm.default] = _grouped
COMPUTED[aten._index_put_impl_.default] = lambda self, *rest: self    # also by indices that are on the host
ASKS_AMD = {aten._use_miopen_ctc_loss.default, aten._use_miopen_ctc_loss.Tensor}


def cudnn_computes_ctc(scores, targets, inputs, lengths, blank):
    """aten/src/ATen/native/cudnn/LossCTC.cpp: targets one after the other, of int32."""
    return torch.backends.cudnn.enabled and blank == 0 and targets.dim() == 1 and scores.dtype == torch.float32 and targets.dtype == torch.int32


# ---- sparse tensors, as gradients of embeddings are: indices and values, which are tensors of their own (aten/src/ATen/native/sparse)

def _is_sparse(t):
    return isinstance(t, FakeTensor) and t.layout == torch.sparse_coo


def _has_sparse(values):
    return any(_is_sparse(v) for v in values)


MASKS = {torch.bool, torch.uint8}
EMPTY_MASKS = {aten.zeros.default, aten.zeros_like.default, aten.new_zeros.default}
JOINED_MASKS = {aten.bitwise_or.Tensor, aten.logical_or.default}


def _count_written(op, args, mask):
    """In how many places a mask was set, where it was made of zeros and then written to at places that are not known."""
    count = None
    if op in EMPTY_MASKS:
        count = 0
    elif op is aten.index_put_.default and len(args[1]) == 1 and args[1][0] is not None and args[1][0].dtype not in MASKS:
        before = getattr(args[0], "_vramlab_written", None)
        count = None if before is None else before + args[1][0].numel()
    elif op in (aten.scatter_.value, aten.scatter.value):
        before = getattr(args[0], "_vramlab_written", None)
        count = None if before is None else before + args[2].numel()
    elif op in ANY and getattr(args[0], "_vramlab_written", None) is not None:    # rows in which there is one
        count = min(args[0]._vramlab_written, mask.numel())
    elif op in JOINED_MASKS or op is aten.cat.default:
        counts = [getattr(t, "_vramlab_written", None) for t in (args[0] if op is aten.cat.default else args[:2])]
        count = None if None in counts else sum(counts)
    elif not op._schema.is_mutable:
        return
    mask._vramlab_written = count


def _close(follow, a, b, *args, **kwargs):
    """allclose, which asks for all at the end."""
    near = torch.isclose(a, b, *args, **kwargs)
    whole = near.all()
    answer = bool(whole.item())
    del whole, near
    return answer


BAGS_ARE_SPARSE = 9                                            # the argument sparse of _embedding_bag_backward


def _how_sparse(op, args):
    if _has_sparse(args):
        return SPARSE.get(op)
    if op is aten._embedding_bag_backward.default and args[BAGS_ARE_SPARSE]:
        return lambda follow, gradient, indices, offsets, bags, sizes, most, *rest: _sparse_bags(follow, gradient, indices, offsets, bags, sizes, *rest[:3], *rest[4:])
    name = op._schema.name
    if name.startswith("aten::_foreach_") and isinstance(args[0], (list, tuple)) and _has_sparse(args[0]):
        return lambda follow, *lists, **k: _one_by_one(getattr(torch.Tensor, name[15:]), lists, k)
    return None


def _one_by_one(function, lists, named):
    done = [function(*(v[i] if isinstance(v, (list, tuple)) else v for v in lists), **named) for i in range(len(lists[0]))]
    return None if function.__name__.endswith("_") else done


def _parts(t):
    indices, values = aten._indices.default(t), aten._values.default(t)
    if getattr(t, "_vramlab_rows", None) is not None:
        indices._vramlab_value = t._vramlab_rows
    return indices, values


def _of_parts(t, indices, values, coalesced=None, device=None):
    return aten._sparse_coo_tensor_with_dims_and_tensors.default(
        t.sparse_dim(), t.dense_dim(), list(t.shape), indices, values, dtype=values.dtype, layout=torch.sparse_coo, device=device or t.device,
        is_coalesced=t.is_coalesced() if coalesced is None else coalesced)


def _sparse_copied(t):
    indices, values = _parts(t)
    values = values.clone()
    return _of_parts(t, indices.clone(), values)


def _sparse_clone(follow, t, *, memory_format=None):
    reaches_a_leaf = torch._C._current_autograd_node() is not None    # whose gradient it becomes as it is
    return _of_parts(t, *_parts(t)) if reaches_a_leaf else _sparse_copied(t)


def _sparse_brought(follow, t, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
    """To another device or type: its indices, then its values (Copy.cpp, copy_into_sparse)."""
    indices, values = _parts(t)
    known, indices = _known.of(indices), indices.to(device=device, copy=True)
    values = values.to(device=device, dtype=dtype, copy=True)
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.sparse_dim(), t.dense_dim(), list(t.shape), indices, values, dtype=values.dtype,
                                                                 layout=torch.sparse_coo, device=values.device, is_coalesced=t.is_coalesced())
    made._vramlab_rows = known
    return made


def _sparse_coalesced(follow, t):
    """Rows of one index become one: their number hangs on the indices' values, and is what even draws would leave if they are not known."""
    indices, values = _parts(t)
    known, count = getattr(t, "_vramlab_rows", None), indices.shape[1]
    if getattr(t, "_vramlab_distinct", False):
        distinct = count
    elif known is not None:
        distinct = _plainly(lambda: torch.unique(known, dim=1).shape[1])
    else:
        rows = 1
        for n in t.shape[:t.sparse_dim()]:
            rows *= n
        distinct = min(count, round(-rows * math.expm1(count * math.log1p(-1 / rows)))) if rows > 1 else min(count, 1)
        follow.note("how many different rows a sparse gradient has is not known without a GPU; taken as even draws leave")
    flat = t.sparse_dim() == 1                                 # where the sorted indices stay where they were sorted
    with follow.unseen():
        kept = indices.new_empty((1, count))[:, :distinct] if flat else indices.new_empty((t.sparse_dim(), distinct))
        merged = values.new_empty((distinct, *values.shape[1:]))
    follow.record(aten._coalesce.default, (indices, values), {}, (kept, merged), torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
    return _of_parts(t, kept, merged, True)


def _sparse_added(follow, a, b, *, alpha=1):
    if not _is_sparse(a):                                      # rows are added to a copy
        return a.clone()
    (i, v), (j, w) = _parts(a), _parts(b)
    if alpha != 1:
        w = w * alpha
    indices = torch.cat([i, j], 1)
    return _of_parts(a, indices, torch.cat([v, w]), False)


def _sparse_scaled(follow, t, by):
    indices, values = _parts(t)
    indices = indices.clone()
    return _of_parts(t, indices, values * by)


def _sparse_bags(follow, gradient, indices, offsets, bags, sizes, rows, scale, mode, weights=None, padding=-1):
    """_embedding_bag_sparse_backward: the gradient of each entry's bag, by the bag's size for a mean, but for entries that pad (EmbeddingBag.cpp)."""
    known = _known.of(indices)
    values = gradient.index_select(0, bags)
    if mode == 1:
        inverse = (1 / sizes.to(gradient.dtype)).unsqueeze(1).index_select(0, bags)
        values.mul_(inverse)
    elif weights is not None:
        values.mul_(weights.unsqueeze(1))
    if padding != -1:
        kept = indices != padding
        known = None if known is None else _plainly(lambda: known[known != padding])
        indices, values = indices[kept], values[kept]
    indices = indices.reshape(1, -1)
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(1, gradient.dim() - 1, [rows, *gradient.shape[1:]], indices, values, dtype=values.dtype,
                                                                 layout=torch.sparse_coo, device=values.device)
    made._vramlab_rows = None if known is None else _plainly(known.reshape, 1, -1)
    return made


def _sparse_masked(follow, t, mask):
    indices, _ = _parts(mask)
    one = torch.ones((1,), dtype=t.dtype, device=t.device)
    rows = t.index_select(0, indices[0]) if mask.sparse_dim() == 1 else t[tuple(indices)]
    indices = indices.clone()
    return _of_parts(mask, indices, rows * one)


def _sparse_turned(follow, t, first=0, second=1):
    made = _sparse_copied(t)
    indices, values = _parts(made)
    indices[0].clone()                                         # a row, while two change places
    with follow.unseen():
        shape = list(t.shape)
        shape[first], shape[second] = shape[second], shape[first]
        turned = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.sparse_dim(), t.dense_dim(), shape, indices, values, dtype=values.dtype,
                                                                       layout=torch.sparse_coo, device=t.device, is_coalesced=False)
    turned._vramlab_distinct = t.is_coalesced()
    return turned


def _sparse_times(follow, t, dense):
    """A sparse matrix by a dense one: zeros that the product is added to (SparseBlasImpl.cpp, s_addmm_out_sparse_dense_cuda).

    A dense one by a sparse one is the same, turned (SparseTensorMath.cpp, _sparse_mm)."""
    if not _is_sparse(t):
        zeros = torch.zeros((t.shape[0], dense.shape[1]), dtype=t.dtype, device=t.device)
        return _sparse_product(follow, zeros.t(), dense.t(), t.t()).t()
    if _is_sparse(dense):
        return _sparse_by_sparse(follow, t, dense)
    return _sparse_product(follow, torch.zeros((t.shape[0], dense.shape[1]), dtype=dense.dtype, device=dense.device), t, dense)


def _sparse_product(follow, sum, t, dense, *, beta=1, alpha=1):
    out = dense.new_empty((t.shape[0], dense.shape[1]))
    if not t.is_coalesced():
        t = _sparse_coalesced(follow, t)
    follow.record(aten._sparse_addmm.default, (out, *_parts(t), dense), {}, None, torch._C._current_autograd_node(),
                  torch._C._current_graph_task_id() != -1)
    return out


def _sparse_by_sparse(follow, a, b):
    """As many entries as even draws leave of all that meet."""
    with follow.unseen():
        rows, columns = a.shape[0], b.shape[1]
        meet, places = a._nnz() * b._nnz() / max(a.shape[1], 1), rows * columns
        count = min(places, round(-places * math.expm1(meet * math.log1p(-1 / places)))) if places > 1 else places
        indices, values = _parts(a)
        indices, values = indices.new_empty((2, count)), values.new_empty((count,))
    follow.note("how many entries the product of two sparse matrices has is not known without a GPU; taken as even draws leave")
    follow.record(aten._sparse_sparse_matmul.default, (*_parts(a), *_parts(b)), {}, (indices, values), torch._C._current_autograd_node(),
                  torch._C._current_graph_task_id() != -1)
    return aten._sparse_coo_tensor_with_dims_and_tensors.default(2, 0, [rows, columns], indices, values, dtype=values.dtype, layout=torch.sparse_coo,
                                                                 device=values.device, is_coalesced=True)


def _in_place_of(how):
    """The same tensor with other parts."""
    def call(follow, t, *args, **kwargs):
        made = how(follow, t, *args, **kwargs)
        with follow.unseen():
            _plain_data.__set__(t, made)
        t._vramlab_rows = getattr(made, "_vramlab_rows", None)
        return t
    return call


def _sparse_alike(follow, t, *args, **kwargs):
    return _of_parts(t, *_parts(t))


def _sparse_added_in_place(follow, a, b, *, alpha=1):
    return _in_place_of(_sparse_added)(follow, a, b, alpha=alpha) if _is_sparse(a) else a


def _sparse_nothing(follow, t):
    indices, values = _parts(t)
    with follow.unseen():
        none = indices[:, :0].clone(), values[:0].clone()
    none[0]._vramlab_value = _plainly(torch.empty, none[0].shape, dtype=torch.int64)
    return _of_parts(t, *none, True)


def _sparse_dense(follow, t, *args, **kwargs):
    return torch.zeros(t.shape, dtype=t.dtype, device=t.device)


def _made_sparse(follow, t, sparse_dim=None, *, layout=None, blocksize=None, dense_dim=None):
    """Where values are, and those values: dense_to_sparse of TensorConversions.cpp."""
    if layout not in (None, torch.sparse_coo) or dense_dim or sparse_dim not in (None, t.dim()):
        raise TraceError(f"a tensor was to become sparse with layout {layout} and dense dimensions, at {follow.text(follow.stack())}; only sparse_coo without "
                         "dense dimensions is followed")
    indices = t.nonzero().transpose(0, 1).clone()
    values = t[tuple(indices.chunk(t.dim(), 0))].squeeze(0).clone()
    made = aten._sparse_coo_tensor_with_dims_and_tensors.default(t.dim(), 0, list(t.shape), indices, values, dtype=t.dtype, layout=torch.sparse_coo,
                                                                 device=t.device, is_coalesced=True)
    made._vramlab_rows = _known.of(indices)
    return made


def _of_values(how):
    return lambda follow, t, *args, **kwargs: how(_parts(t)[1], *args, **kwargs)


AS_OTHERS = {aten._to_sparse.default: _made_sparse, aten._to_sparse.sparse_dim: _made_sparse, aten.allclose.default: _close, aten._embedding_bag_sparse_backward.default: _sparse_bags}
SPARSE = {aten._to_copy.default: _sparse_brought, aten.clone.default: _sparse_clone, aten.detach.default: _sparse_alike, aten.alias.default: _sparse_alike, aten._coalesce.default: _sparse_coalesced,
          aten.add.Tensor: _sparse_added, aten.add_.Tensor: _sparse_added_in_place, aten.mul.Tensor: _sparse_scaled, aten.mul_.Tensor: _in_place_of(_sparse_scaled),
          aten.mul.Scalar: _sparse_scaled, aten.mul_.Scalar: _in_place_of(_sparse_scaled), aten.neg.default: lambda follow, t: _sparse_copied(t),
          aten._sparse_addmm.default: _sparse_product, aten.addmm.default: _sparse_product, aten.mm.default: _sparse_times, aten._sparse_mm.default: _sparse_times,
          aten.t.default: _sparse_turned, aten.transpose.int: _sparse_turned, aten.sparse_mask.default: _sparse_masked, aten.zero_.default: _in_place_of(_sparse_nothing), aten._to_dense.default: _sparse_dense,
          aten.sum.default: _of_values(torch.sum), aten._sparse_sum.default: _of_values(torch.sum),
          aten.norm.ScalarOpt_dim: lambda follow, t, p, *a: torch.linalg.vector_norm(_parts(_sparse_coalesced(follow, t))[1]),
          aten.norm.Scalar: lambda follow, t, *a: torch.linalg.vector_norm(_parts(_sparse_coalesced(follow, t))[1]),
          aten.native_norm.default: lambda follow, t, *a: torch.linalg.vector_norm(_parts(_sparse_coalesced(follow, t))[1])}


# ---- compressed ones, CSR and CSC: where rows or columns begin, the other index, and values (aten/src/ATen/native/sparse/SparseCsrTensor.cpp)

COMPRESSED = {torch.sparse_csr: torch.sparse_csc, torch.sparse_csc: torch.sparse_csr}
READS_COMPRESSED = {aten.values.default, aten.crow_indices.default, aten.col_indices.default, aten.ccol_indices.default, aten.row_indices.default, aten._nnz.default,
                    aten.is_pinned.default}


def _is_compressed(t):
    return isinstance(t, FakeTensor) and t.layout in COMPRESSED


def _compressed_parts(t):
    begins, others = (t.crow_indices, t.col_indices) if t.layout == torch.sparse_csr else (t.ccol_indices, t.row_indices)
    return begins(), others(), t.values()


def _compressed(follow, begins, others, values, shape, layout):
    """A tensor of these parts, which it shares."""
    with no_dispatch(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)           # that compressed tensors are new
        plain = [torch.empty(0, dtype=p.dtype, device="meta").set_(p.untyped_storage(), p.storage_offset(), p.shape, p.stride()) for p in (begins, others, values)]
        made = torch.sparse_compressed_tensor(*plain, tuple(shape), dtype=values.dtype, layout=layout, device="meta", check_invariants=False)
    return FakeTensor(follow.fake_mode, made, values.device)


def _compressed_made(follow, begins, others, values, size=None, *, dtype=None, layout=None, device=None, **_):
    if size is None:
        raise TraceError(f"a compressed sparse tensor was made without its shape, at {follow.text(follow.stack())}; the shape follows from values, which are not "
                         "known without a GPU. Give it: torch.sparse_csr_tensor(crow, col, values, (rows, columns))")
    return _compressed(follow, begins, others, values, size, layout)


def _compressed_alike(how):
    """The same places with other values; each part by itself."""
    def call(follow, t, *args, **kwargs):
        begins, others, values = _compressed_parts(t)
        return _compressed(follow, *how(begins, others, values, *args, **kwargs), t.shape, t.layout)
    return call


def _compressed_brought(begins, others, values, *, dtype=None, device=None, **_):
    return begins.to(device or begins.device), others.to(device or others.device), values.to(device or values.device, dtype or values.dtype)


def _compressed_turned(follow, t, *_):
    return _compressed(follow, *_compressed_parts(t), t.shape[::-1], COMPRESSED[t.layout])


def _compressed_as_rows(follow, t):
    """By rows: what is by columns is sorted anew, in which no rule says what is taken."""
    if t.layout == torch.sparse_csr:
        return t
    begins, others, values = _compressed_parts(t)
    with follow.unseen():
        made = begins.new_empty((t.shape[0] + 1,)), others.new_empty(others.shape), values.new_empty(values.shape)
    follow.record(aten._to_sparse_csr.default, (begins, others, values), {}, made, torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
    return _compressed(follow, *made, t.shape, torch.sparse_csr)


def _compressed_times(follow, t, dense):
    """Zeros that the product is added to, out of place; what cuSPARSE works in is not known (SparseBlas.cpp, addmm_out_sparse_csr)."""
    if not _is_compressed(t) or dense.layout != torch.strided:
        raise TraceError(f"a compressed sparse tensor was multiplied from the right, or by a sparse one, at {follow.text(follow.stack())}; its product with a dense "
                         "one from the right is followed. Turn it: (sparse.t() @ dense.t()).t(), or use torch.sparse_coo_tensor")
    shape = (t.shape[0], *dense.shape[1:])
    sum = torch.zeros(shape, dtype=dense.dtype, device=dense.device)
    return _compressed_sum(follow, sum, t, dense)


def _compressed_sum(follow, sum, t, dense, **_):
    rows = _compressed_as_rows(follow, t)
    with follow.unseen():
        out = dense.new_empty((t.shape[0], *dense.shape[1:]))
    follow.record(aten._sparse_mm.default, (*_compressed_parts(rows), dense), {}, out, torch._C._current_autograd_node(), torch._C._current_graph_task_id() != -1)
    return out


def _compressed_entries(follow, t, *_, layout=None, **__):
    """As COO: indices of both kinds side by side."""
    rows = _compressed_as_rows(follow, t)
    if layout not in (None, torch.sparse_coo):
        return rows
    begins, others, values = _compressed_parts(rows)
    indices = aten._convert_indices_from_csr_to_coo.default(begins, others)
    return aten._sparse_coo_tensor_with_dims_and_tensors.default(2, 0, list(t.shape), indices, values, dtype=values.dtype, layout=torch.sparse_coo,
                                                                 device=values.device, is_coalesced=True)


def _by_rows(follow, t, *_, **__):
    """coo_to_sparse_csr and dense_to_sparse_csr of TensorConversions.cpp."""
    if _is_compressed(t):
        return _compressed_as_rows(follow, t)
    t = t if _is_sparse(t) else t.to_sparse()
    if not t.is_coalesced():
        t = _sparse_coalesced(follow, t)
    indices, values = _parts(t)
    return _compressed(follow, aten._convert_indices_from_coo_to_csr.default(indices[0], t.shape[0]), indices[1], values, t.shape, torch.sparse_csr)


def _refused_compressed(op):
    def call(follow, *_, **__):
        raise TraceError(f"{op} of a compressed sparse tensor cannot be recorded, at {follow.text(follow.stack())}: products with dense ones, copies, scaling and "
                         "conversions are followed. Use torch.sparse_coo_tensor there")
    return call


def _how_compressed(op, args):
    if any(_is_compressed(a) for a in args) and op not in READS_COMPRESSED:
        return WITH_COMPRESSED.get(op) or _refused_compressed(op)
    return MAKES_COMPRESSED.get(op)


MAKES_COMPRESSED = {aten.sparse_compressed_tensor.comp_plain_value_size: _compressed_made, aten._sparse_compressed_tensor_unsafe.default: _compressed_made,
                    aten.sparse_compressed_tensor.comp_plain_value: _compressed_made, aten._to_sparse_csr.default: _by_rows}
WITH_COMPRESSED = {aten.detach.default: _compressed_alike(lambda *parts: parts), aten.alias.default: _compressed_alike(lambda *parts: parts),
                   aten.clone.default: _compressed_alike(lambda *parts, **_: [p.clone() for p in parts]), aten._to_copy.default: _compressed_alike(_compressed_brought),
                   aten.mul.Tensor: _compressed_alike(lambda begins, others, values, by: (begins.clone(), others.clone(), values * by)),
                   aten.mul.Scalar: _compressed_alike(lambda begins, others, values, by: (begins.clone(), others.clone(), values * by)),
                   aten.t.default: _compressed_turned, aten.transpose.int: _compressed_turned, aten.mm.default: _compressed_times, aten.mv.default: _compressed_times,
                   aten._sparse_mm.default: _compressed_times, aten.addmm.default: _compressed_sum, aten._sparse_addmm.default: _compressed_sum,
                   aten._to_dense.default: _sparse_dense, aten._to_sparse.default: _compressed_entries, aten._to_sparse.sparse_dim: _compressed_entries,
                   aten._to_sparse_csr.default: _by_rows}


# ---- which attention kernel: select_sdp_backend of PyTorch 2.11 (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp)

def choose_attention(q, k, v, mask, dropout, causal, gqa, capability):
    """cudnn, flash, efficient or math, as a CUDA device of that compute capability decides."""
    half = q.dtype in (torch.float16, torch.bfloat16) if capability[0] >= 8 else q.dtype == torch.float16
    same = q.dtype == k.dtype == v.dtype
    dense = q.dim() == k.dim() == v.dim() == 4
    d, dv = q.shape[-1], v.shape[-1]
    grad = torch.is_grad_enabled() and (q.requires_grad or k.requires_grad or v.requires_grad)
    mask_grad = mask is not None and mask.requires_grad

    def unit_strides(ignore_single):
        return all(t.stride(-1) == 1 or (ignore_single and t.shape[-1] == 1) for t in (q, k, v)) \
            and (mask is None or mask.stride(-1) == 1)

    def heads(grouped, equal_kv):
        if not (q.shape[0] == k.shape[0] == v.shape[0]):
            return False
        hq, hk, hv = q.shape[-3], k.shape[-3], v.shape[-3]
        if gqa:
            return grouped and (not equal_kv or hk == hv) and hq % hk == 0 and hq % hv == 0
        return hq == hk == hv

    lengths = all(t.shape[-2] > 0 for t in (q, k, v)) if dense else False

    def cudnn():
        limit = 256 if capability == (9, 0) else 128
        return torch.backends.cuda.cudnn_sdp_enabled() and dense and same and half and capability >= (8, 0) and lengths \
            and unit_strides(True) and heads(True, False) and d <= limit and dv <= limit and d % 8 == 0 and dv % 8 == 0 \
            and k.shape[2] != 1 and not (q.shape[2] == 1 and dropout) and not mask_grad \
            and not (torch.are_deterministic_algorithms_enabled())

    def flash():
        small = capability[0] == 8 and capability[1] in (6, 7, 9) or capability[0] == 12
        return torch.backends.cuda.flash_sdp_enabled() and dense and same and half and mask is None and capability >= (8, 0) \
            and d == k.shape[-1] == dv and d <= 256 and not (grad and small and (192 < d <= 224 or d > 224 and dropout)) \
            and not (causal and q.shape[-2] != k.shape[-2]) and heads(True, True) and lengths and unit_strides(True)

    def efficient():
        is_half = q.dtype in (torch.float16, torch.bfloat16)
        align = max(4, 8 if is_half else 4) if capability[0] >= 8 else 8 if is_half and capability[0] == 7 else 1
        fits = q.dtype in (torch.float16, torch.float32) or q.dtype == torch.bfloat16 and capability[0] >= 8
        return torch.backends.cuda.mem_efficient_sdp_enabled() and dense and same and fits and lengths and unit_strides(False) \
            and heads(False, False) and d == k.shape[-1] and d % align == 0 and dv % align == 0

    order = ["flash", "efficient", "math"]
    if capability[0] in (9, 10) and os.environ.get("TORCH_CUDNN_SDPA_DEPRIORITIZED") != "1":
        order = ["cudnn"] + order
    able = {"cudnn": cudnn, "flash": flash, "efficient": efficient, "math": lambda: torch.backends.cuda.math_sdp_enabled()}
    for name in order:
        if able[name]():
            return name
    raise RuntimeError("No available kernel. Aborting execution.")


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False,
               *, _plain, _capability, _follow):
    if query.device.type != "cuda" or _wraps(type(query)):
        return _plain(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    if torch.is_autocast_enabled("cuda"):                      # one of autocast's lower_precision_fp operations
        dtype = torch.get_autocast_dtype("cuda")
        cast = lambda t: t.to(dtype) if t is not None and t.dtype.is_floating_point and t.dtype != torch.float64 else t
        attn_mask, value, key, query = cast(attn_mask), cast(value), cast(key), cast(query)    # as g++ evaluates them: the last first
    with torch.autocast("cuda", enabled=False):
        name = choose_attention(query, key, value, attn_mask, dropout_p, is_causal, enable_gqa, _capability)
        mask = attn_mask
        if mask is not None and mask.dtype == torch.bool:
            minus = torch.scalar_tensor(float("-inf"), dtype=query.dtype, device=query.device)
            zero = torch.scalar_tensor(0.0, dtype=query.dtype, device=query.device)
            mask = torch.where(mask, zero, minus)
            del minus, zero
        lse = torch.is_grad_enabled() and any(t.requires_grad for t in (query, key, value))
        if name == "cudnn":
            return aten._scaled_dot_product_cudnn_attention(query, key, value, mask, lse, dropout_p, is_causal, False,
                                                            scale=scale)[0]
        if name == "flash":
            size = query.shape[-1]
            pad = lambda t: t if size % 8 == 0 else torch.nn.functional.pad(t, (0, 8 - size % 8))
            scale = size ** -0.5 if scale is None else scale
            out = aten._scaled_dot_product_flash_attention(pad(query), pad(key), pad(value), dropout_p, is_causal, False,
                                                           scale=scale)[0]
            return out if size % 8 == 0 else out[..., :size]
        if name == "efficient":
            if mask is not None:
                last = mask.shape[-1]
                if mask.stride(-1) != 1 or any(n % 8 for n in mask.stride()[:-1]):
                    mask = torch.nn.functional.pad(mask, (0, 8 - last % 8))[..., :last]
                mask = mask.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
            return aten._scaled_dot_product_efficient_attention(query, key, value, mask, lse, dropout_p, is_causal,
                                                                scale=scale)[0]
        with _follow.adding_in_place():                        # a mask too is added in place, but never to tensor subclasses
            return aten._scaled_dot_product_attention_math(query, key, value, mask, dropout_p, is_causal, None, scale=scale,
                                                           enable_gqa=enable_gqa)[0]


# ---- jagged tensors: values and offsets, both tensors of their own (torch/nested/_internal)

_ragged_sizes = []


def _ragged_size(tensor, *, coeff=1):
    """The symbol that stands for the lengths that a tensor of offsets tells: each has its own."""
    if not _ragged_sizes:
        from torch.utils.weak import WeakTensorKeyDictionary
        _ragged_sizes.extend([WeakTensorKeyDictionary(), itertools.count()])
    known, numbers = _ragged_sizes
    if tensor not in known:
        known[tensor] = torch._C._get_nested_int(next(numbers), coeff)
    return known[tensor]


def _jagged(device, p):
    from torch.nested._internal import nested_tensor, sdpa
    p.set(nested_tensor, "get_tensor_symint", _ragged_size)

    def flash(params, debug=False):
        q, k, v = params.query, params.key, params.value
        half = q.dtype in (torch.float16, torch.bfloat16)
        return torch.backends.cuda.flash_sdp_enabled() and half and q.dtype == k.dtype == v.dtype and params.attn_mask is None and device[1] >= (8, 0) \
            and q.shape[-1] == k.shape[-1] == v.shape[-1] <= 256

    def efficient(params, debug=False):
        q, k, v = params.query, params.key, params.value
        step = 8 if q.dtype in (torch.float16, torch.bfloat16) else 4
        return torch.backends.cuda.mem_efficient_sdp_enabled() and q.dtype == k.dtype == v.dtype != torch.float64 and q.shape[-1] % step == 0 == v.shape[-1] % step

    p.set(sdpa, "can_use_flash_attention", flash)
    p.set(sdpa, "can_use_efficient_attention", efficient)
    p.set(sdpa, "can_use_cudnn_attention", lambda params, debug=False: False)    # it comes last, after the one that always can


# ---- a CUDA device that is not there

_kept_alive = []


def _let_backward_run():
    """Autograd's engine asks CUDA's hooks whether the device has a context; without a GPU they fail. They answer «no» here.

    The hooks are one C++ object; its table of virtual functions is replaced by a copy with one entry changed. In PyTorch 2.11
    hasPrimaryContext is entry 4: the destructor's two, isBuilt and isAvailable come before it (AcceleratorHooksInterface.h).
    """
    if torch.cuda.is_available() or _kept_alive:
        return
    libraries = os.path.join(TORCH, "lib")
    names = ["libtorch_cpu.so", "libtorch_cpu.dylib", "torch_cpu.dll"]
    path = next((os.path.join(libraries, n) for n in names if os.path.exists(os.path.join(libraries, n))), None)
    try:
        hooks = getattr(ctypes.CDLL(path), "_ZN2at6detail12getCUDAHooksEv")
    except (AttributeError, OSError, TypeError) as e:
        raise TraceError(f"backward cannot be recorded with this build of PyTorch ({torch.__version__}): {e}") from None
    hooks.restype = ctypes.c_void_p
    table = ctypes.c_void_p.from_address(hooks())
    entries, head = 96, 2
    old = (ctypes.c_void_p * (entries + head)).from_address(table.value - head * ctypes.sizeof(ctypes.c_void_p))
    new = (ctypes.c_void_p * (entries + head))(*old)
    no = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_int8)(lambda this, index: False)
    new[head + 4] = ctypes.cast(no, ctypes.c_void_p).value
    table.value = ctypes.addressof(new) + head * ctypes.sizeof(ctypes.c_void_p)
    _kept_alive.extend([no, new])


class _Stream:
    """A stream of a device that is not there: 0 is the default one, PyTorch's pools have 32 each for low and high priority and begin again."""
    POOL = 32
    made = {}

    def __init__(self, device=None, priority=0, *, number=None, **kwargs):
        if number is None:
            high = priority < 0
            turn = self.made.get(high, 0)
            self.made[high] = turn + 1
            number = 1 + turn % self.POOL + high * self.POOL
        self.cuda_stream = self.stream_id = self._as_parameter_ = number
        self.device, self.device_index, self.device_type, self.priority = torch.device("cuda", 0), 0, 1, priority

    def __eq__(self, other):
        return isinstance(other, _Stream) and other.stream_id == self.stream_id

    def __hash__(self):
        return hash(self.stream_id)

    @staticmethod
    def priority_range():
        return 0, -5

    def query(self):
        return True

    def record_event(self, event=None):
        return event if event is not None else _Event()

    def wait_event(self, event):
        pass

    def wait_stream(self, stream):
        pass


FIRST_GRAPH = 64                                          # pools of captured graphs are told as streams from here on


class _Event:
    """An event of such a stream; what it marks is done when one waits for it."""

    def __init__(self, *args, **kwargs):
        self.device = torch.device("cuda", 0)

    def record(self, stream=None):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, other):
        return 1.0


def _streams(follow):
    """What of torch.cuda a program uses to work on several streams: allocations belong to the one that is current."""

    class On:
        """torch.cuda.StreamContext; without a stream nothing changes."""

        def __init__(self, stream):
            self.stream, self.before = stream, None

        def __enter__(self):
            self.before, self.hooked = follow.stream, self.stream is not None and torch._C._current_graph_task_id() != -1
            follow.hooks += self.hooked
            if self.stream is not None:
                follow.stream = self.stream.stream_id

        def __exit__(self, *failure):
            follow.stream = self.before
            follow.hooks -= self.hooked

    class Stream(_Stream):
        def __enter__(self):
            hooked = torch._C._current_graph_task_id() != -1
            self.entered = [*getattr(self, "entered", ()), (follow.stream, hooked)]
            follow.stream = self.stream_id
            follow.hooks += hooked
            return self

        def __exit__(self, *failure):
            follow.stream, hooked = self.entered.pop()
            follow.hooks -= hooked

        def synchronize(self):
            follow.waited()

    class Event(_Event):
        def synchronize(self):
            follow.waited()

    def turn(stream):
        if stream is not None:
            follow.stream = stream.stream_id

    Stream.made = {}
    return {**_captured(follow, On, Stream), "Stream": Stream, "Event": Event, "StreamContext": On, "stream": On, "set_stream": turn,
            "current_stream": lambda *a, **k: Stream(number=follow.stream), "default_stream": lambda *a, **k: Stream(number=0),
            "synchronize": lambda *a, **k: follow.waited()}


def _captured(follow, On, Stream):
    """What of torch.cuda a program captures its work with."""

    class CUDAGraph:
        """What is allocated while it is captured has a pool of its own, as on a stream of its own; to replay it takes nothing."""

        seeds = []

        def __init__(self, keep_graph=False):
            follow.graphs = follow.graphs % FIRST_GRAPH + 1    # there are so many numbers
            self.pool_of = FIRST_GRAPH + follow.graphs - 1

        def capture_begin(self, pool=None, capture_error_mode="global"):
            if pool is not None:
                self.pool_of = pool
            if not self.seeds:                                 # of the random numbers, and where they stand
                self.seeds += [torch.empty(1, dtype=torch.int64, device="cuda") for _ in range(2)]
            self.before, follow.stream = follow.stream, self.pool_of
            _Drawing.put(None, None)                           # a graph draws by a count of its own

        def capture_end(self):
            follow.stream = self.before

        def pool(self):
            return self.pool_of

        def replay(self):
            pass

        instantiate = reset = enable_debug_mode = replay

    class Capturing:
        """torch.cuda.graph, which captures on a stream of its own where the program gives none."""

        streams = []

        def __init__(self, graph, pool=None, stream=None, capture_error_mode="global"):
            if stream is None and not self.streams:
                self.streams.append(Stream())
            self.graph, self.given, self.on = graph, pool, On(stream or self.streams[0])

        def __enter__(self):
            follow.waited()
            gc.collect()
            follow.mark("empty_cache")
            self.on.__enter__()
            self.graph.capture_begin(self.given)

        def __exit__(self, *failure):
            self.graph.capture_end()
            self.on.__exit__(*failure)

    return {"CUDAGraph": CUDAGraph, "graph": Capturing, "graph_pool_handle": lambda: CUDAGraph().pool_of}


CUDA_SEED = 67280421310721                                     # default_rng_seed_val (c10/core/GeneratorImpl.h)
vramlab_philox = None                                          # beside this file; without it what the device draws is plausible


class _Drawing:
    """Which numbers the device draws: each of its generators, and the default one from where the program seeds it. None where that is not known, so that they are plausible ones."""

    FIRST = 1 << 40                                            # a number by which a generator is found again
    all, default = [], None

    @staticmethod
    def threads():
        device = torch.cuda.get_device_properties(0)
        return device.multi_processor_count * (device.max_threads_per_multi_processor // vramlab_philox.BLOCK) * vramlab_philox.BLOCK

    @classmethod
    def seeded(cls, seed):
        return None if vramlab_philox is None else vramlab_philox.Philox(seed, cls.threads())

    @classmethod
    def add(cls, seed):
        cls.all.append(cls.seeded(seed))
        return cls.FIRST + len(cls.all) - 1

    @classmethod
    def place(cls, generator):
        place = _plain_generator.initial_seed(generator) - cls.FIRST
        return place if 0 <= place < len(cls.all) else None

    @classmethod
    def of(cls, generator):
        if generator is None:
            return cls.default
        place = cls.place(generator)
        return None if place is None else cls.all[place]

    @classmethod
    def put(cls, generator, drawing):
        if generator is None:
            cls.default = drawing
        elif cls.place(generator) is not None:
            cls.all[cls.place(generator)] = drawing

    @classmethod
    def state(cls, generator=None):
        """As sixteen bytes of the host, which are known if the generator is."""
        made, drawing = torch.empty(16, dtype=torch.uint8), cls.of(generator)
        if drawing is not None and isinstance(made, FakeTensor):
            made._vramlab_value = _plainly(torch.tensor, drawing.state(), dtype=torch.uint8)
        return made

    @classmethod
    def take_up(cls, state, generator=None):
        known = _known.of(state) if vramlab_philox is not None else None
        cls.put(generator, None if known is None or known.numel() != 16 else vramlab_philox.Philox.of_state(_plainly(plain_tolist, known), cls.threads()))

    @classmethod
    def draw(cls, op, args, kwargs, out):
        """The values, where they are known; moves the generator on."""
        generator = kwargs.get("generator")
        drawing = cls.of(generator)
        if drawing is None:
            return None
        try:
            values = drawing.draw(op, args, out, _most(out) if not out.dtype.is_floating_point else 0, _known.of)
        except LookupError:                                    # from here on its numbers are plausible ones
            cls.put(generator, None)
            return None
        return values and _plainly(values)


class _AnyGenerator(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _plain_generator)


_plain_generator = torch.Generator


class _Generator(_plain_generator, metaclass=_AnyGenerator):
    """A generator of random numbers of a device that is not there; it takes none of its memory."""

    def __new__(cls, device="cpu"):
        return _plain_generator.__new__(cls, "cpu")

    def __init__(self, device="cpu"):
        self.of = torch.device(device)
        if self.of.type == "cuda":
            self.manual_seed(CUDA_SEED)

    @property
    def device(self):
        return self.of

    def manual_seed(self, seed):
        if self.of.type != "cuda":
            return super().manual_seed(seed)
        self.given = seed
        return super().manual_seed(_Drawing.add(seed))         # operations are given another object with this number

    def initial_seed(self):
        return super().initial_seed() if self.of.type != "cuda" else self.given

    def get_state(self):
        return super().get_state() if self.of.type != "cuda" else _Drawing.state(self)

    def set_state(self, state):
        if self.of.type == "cuda":
            _Drawing.take_up(state, self)
            return self
        known = _known.of(state)
        return self if known is None else super().set_state(known)


class _Patches:
    def __init__(self):
        self.undo, self.device, self.replaced = [], 0, set()   # those that let a device appear come first
        self.last = []

    def set(self, owner, name, value):
        missing = object()
        old = owner.__dict__.get(name, missing) if isinstance(owner, type) else getattr(owner, name, missing)
        self.undo.append((owner, name, old, missing))
        self.replaced.add(id(old))
        if isinstance(value, functools.partial):               # programs and torch.fx ask functions for their names
            value.__name__ = name
        setattr(owner, name, value)

    def python(self, op, key, value):
        """What Python's dispatcher calls for an operation."""
        op.py_impl(key)(value)
        op._dispatch_cache.clear()

        def undo():
            del op.py_kernels[key]
            op._dispatch_cache.clear()

        self.last.append(undo)

    def environment(self, name, value):
        old = os.environ.get(name)
        os.environ[name] = value
        self.last.append(lambda: os.environ.pop(name) if old is None else os.environ.__setitem__(name, old))

    def at_the_end(self, action):
        self.last.append(action)

    def below(self, *groups):
        """Adds to those that stay where the others are lifted."""
        with self.lifted():
            above, self.undo = self.undo[self.device:], self.undo[:self.device]
            for group in groups:
                group(self)
            self.device = len(self.undo)
            self.undo += above

    def restore(self):
        for owner, name, old, missing in reversed(self.undo):
            self.put_back(owner, name, old, missing)
        for action in reversed(self.last):
            action()

    @staticmethod
    def put_back(owner, name, old, missing):
        if old is missing:
            delattr(owner, name)
        else:
            setattr(owner, name, old)

    @contextlib.contextmanager
    def lifted(self):
        """Without those that stand for what programs do; the device keeps looking as it does."""
        above = self.undo[self.device:]
        here = [(owner, name, owner.__dict__.get(name) if isinstance(owner, type) else getattr(owner, name)) for owner, name, *_ in above]
        for entry in reversed(above):
            self.put_back(*entry)
        try:
            yield
        finally:
            for owner, name, value in here:
                setattr(owner, name, value)


def _device_properties(device):
    name, capability, processors, total = device

    class Properties:
        major, minor = capability
        multi_processor_count, total_memory, warp_size, is_integrated, is_multi_gpu_board = processors, total, 32, 0, 0
        max_threads_per_multi_processor = 2048 if capability in ((7, 0), (8, 0), (9, 0), (10, 0)) else 1024 if capability == (7, 5) else 1536
        regs_per_multiprocessor, L2_cache_size, gcnArchName, uuid = 65536, L2_CACHE.get(name, 50 << 20), "", "GPU-recorded"
        shared_memory_per_block, shared_memory_per_block_optin, shared_memory_per_multiprocessor = 49152, 232448, 233472

        def __repr__(self):
            return f"_CudaDeviceProperties(name='{name}', major={capability[0]}, minor={capability[1]})"

    Properties.name = name
    return Properties()


def _appear(follow, device, p):
    """Lets CUDA look as it does on a machine with that device, and follows what programs do to its memory."""
    cuda, properties = torch.cuda, _device_properties(device)
    nothing = lambda *args, **kwargs: None
    seeded, unseeded = (lambda seed: _Drawing.put(None, _Drawing.seeded(int(seed)))), lambda: _Drawing.put(None, None)
    unseeded()
    for name, value in {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: 0, "is_initialized": lambda: True,
        "get_device_name": lambda *a: properties.name, "get_device_capability": lambda *a: (properties.major, properties.minor),
        "get_device_properties": lambda *a: properties, "is_bf16_supported": lambda *a, **k: properties.major >= 8,
        "init": nothing, "_lazy_init": nothing, "set_device": nothing, "manual_seed": seeded, "manual_seed_all": seeded,
        "seed": unseeded, "seed_all": unseeded, "ipc_collect": nothing, "initial_seed": lambda: 0 if _Drawing.default is None else _Drawing.default.seed,
        "get_rng_state": lambda *a, **k: _Drawing.state(), "set_rng_state": lambda state, *a, **k: _Drawing.take_up(state),
        "get_rng_state_all": lambda: [_Drawing.state()], "set_rng_state_all": lambda states: _Drawing.take_up(states[0]),
        "_exchange_device": lambda d: 0, "_maybe_exchange_device": lambda d: 0,
        "is_current_stream_capturing": lambda: False, **_streams(follow), "get_arch_list": lambda: ["sm_%d%d" % device[1]],
        "memory_allocated": lambda *a: follow.live, "max_memory_allocated": lambda *a: follow.recent,
        "memory_reserved": lambda *a: follow.live, "max_memory_reserved": lambda *a: follow.recent,
        "mem_get_info": lambda *a: (properties.total_memory - follow.live, properties.total_memory),
        "memory_summary": lambda *a, **k: "", "memory_stats": lambda *a: _Counts(follow),
        "empty_cache": lambda: follow.mark("empty_cache"),
        "reset_peak_memory_stats": lambda *a: follow.reset_peak(), "reset_max_memory_allocated": lambda *a: follow.reset_peak(),
        "reset_accumulated_memory_stats": nothing,
        "set_per_process_memory_fraction": lambda f, *a: follow.mark("memory_fraction", f),
    }.items():
        p.set(cuda, name, value)
    for name in ("empty_cache", "reset_peak_memory_stats", "memory_allocated", "max_memory_allocated", "memory_reserved",
                 "max_memory_reserved", "memory_stats", "memory_summary", "mem_get_info"):
        p.set(cuda.memory, name, getattr(cuda, name))
    for name in ("get_rng_state", "get_rng_state_all", "set_rng_state", "set_rng_state_all", "manual_seed", "manual_seed_all", "seed", "seed_all", "initial_seed"):
        p.set(cuda.random, name, getattr(cuda, name))          # where Trainer looks for them as it saves
    for name in ("CUDAGraph", "graph", "graph_pool_handle"):    # where make_graphed_callables looks for them
        p.set(cuda.graphs, name, getattr(cuda, name))
    p.set(torch, "set_autocast_enabled", functools.partial(_autocast, follow))
    p.set(torch._C, "_cuda_clearCublasWorkspaces", lambda: follow.mark("clear_cublas"))    # as Lightning does where a run ends
    p.set(cuda.memory, "_record_memory_history", nothing)
    p.set(cuda.memory, "_dump_snapshot", nothing)
    p.set(torch, "Generator", _Generator)
    p.set(torch.accelerator, "is_available", lambda: True)
    p.set(torch.accelerator, "device_count", lambda: 1)
    p.set(torch.accelerator, "synchronize", cuda.synchronize)
    p.set(torch._C, "_get_accelerator", lambda *check: torch.device("cuda"))
    p.set(torch._C, "_accelerator_getAccelerator", torch._C._get_accelerator)
    p.set(torch, "Stream", cuda.Stream)
    p.set(cuda.streams, "Stream", cuda.Stream)
    p.set(cuda.streams, "Event", cuda.Event)
    p.set(fake_tensor, "init_gpu_context", nothing)
    p.set(fake_tensor, "CONSTANT_NUMEL_LIMIT", MOST_KNOWN)
    aliases = fake_tensor.FakeTensorConverter.invalidate_constant_aliases
    p.set(fake_tensor.FakeTensorConverter, "invalidate_constant_aliases", lambda self, t: aliases(self, t) if t.layout == torch.strided else None)
    p.set(FakeTensorMode, "avoid_device_init", property(lambda mode: True))
    _old_types(p)
    _lazy(p)
    p.set(torch.backends.cudnn, "is_available", lambda: True)
    p.set(torch.backends.cudnn, "version", lambda: 91900)


class _OldType(type):
    """torch.cuda.FloatTensor and its like: which tensors are of it, and tensors made by calling it (torch/csrc/utils/tensor_new.cpp, legacy_tensor_ctor)."""

    def __instancecheck__(cls, t):
        return isinstance(t, torch.Tensor) and t.device.type == "cuda" and t.dtype == cls.dtype and t.layout == torch.strided

    def __call__(cls, *given, device=None):
        if all(isinstance(n, int) for n in given):
            return torch.empty(given, dtype=cls.dtype, device="cuda") if given else torch.empty(0, dtype=cls.dtype, device="cuda")
        data = given[0]
        if isinstance(data, torch.Size):
            return torch.empty(data, dtype=cls.dtype, device="cuda")
        if isinstance(data, torch.Tensor):
            if not isinstance(data, cls):
                raise TypeError(f"expected {cls.__name__} (got {data.type()})")
            return data.detach()
        return torch.tensor(data, dtype=cls.dtype, device="cuda")


OLD_NAMES = {torch.float32: "Float", torch.float64: "Double", torch.float16: "Half", torch.bfloat16: "BFloat16", torch.int64: "Long", torch.int32: "Int",
             torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte", torch.bool: "Bool"}


def _old_types(p):
    """Types of tensors by names that name their device, as programs had them before there were devices and dtypes."""
    types = {}
    for dtype, name in OLD_NAMES.items():
        kind = _OldType(f"torch.cuda.{name}Tensor", (), {"dtype": dtype, "is_cuda": True, "is_sparse": False, "layout": torch.strided})
        types[kind.__name__] = kind
        p.set(torch.cuda, name + "Tensor", kind)
    plain_type, plain_default = torch.Tensor.type, torch.set_default_tensor_type

    def type_of(t, wanted=None, non_blocking=False, **kwargs):
        wanted = types.get(wanted, wanted) if isinstance(wanted, str) else wanted
        if wanted is None and t.device.type == "cuda" and t.dtype in OLD_NAMES and t.layout == torch.strided:
            return f"torch.cuda.{OLD_NAMES[t.dtype]}Tensor"
        if isinstance(wanted, _OldType):
            return t.to(device=t.device if t.device.type == "cuda" else "cuda", dtype=wanted.dtype, non_blocking=non_blocking)
        return plain_type(t) if wanted is None else plain_type(t, wanted, non_blocking, **kwargs)

    def set_default(wanted):
        wanted = types.get(wanted, wanted) if isinstance(wanted, str) else wanted
        if isinstance(wanted, _OldType):
            dtype = torch.get_default_dtype()
            p.at_the_end(lambda: (torch.set_default_dtype(dtype), torch.set_default_device(None)))
            torch.set_default_dtype(wanted.dtype)
            torch.set_default_device("cuda")
            plain_new = torch.Tensor.__new__
            p.set(torch.Tensor, "__new__", staticmethod(lambda cls, *a, **k: plain_new(cls, *a, **k) if k or cls is not torch.Tensor else wanted(*a)))
        else:
            torch.set_default_device(None)
            plain_default(wanted)

    p.set(torch.Tensor, "type", type_of)
    p.set(torch, "set_default_tensor_type", set_default)


def _lazy(p):
    """Parameters that wait for their shape: plain ones until then, afterwards those of their module."""
    from torch.nn import parameter as parameters
    for kind in (parameters.UninitializedParameter, parameters.UninitializedBuffer):
        def made(cls, *args, device=None, dtype=None, plain=kind.__new__, **kwargs):
            with fake_tensor.unset_fake_temporarily():
                waiting = plain(cls, *args, device="cpu", dtype=dtype, **kwargs)
            waiting._vramlab_device = torch.get_default_device() if device is None else torch.device(device)
            waiting._vramlab_dtype = waiting.dtype
            return waiting

        p.set(kind, "__new__", staticmethod(made))

    def materialize(waiting, shape, device=None, dtype=None):
        module = sys._getframe(1).f_locals["self"]
        laid = torch.empty(shape, device=waiting._vramlab_device if device is None else device, dtype=waiting._vramlab_dtype if dtype is None else dtype)
        for held in (module._parameters, module._buffers):
            for name, each in list(held.items()):
                if each is waiting:
                    held[name] = torch.nn.Parameter(laid, waiting.requires_grad) if held is module._parameters else laid

    p.set(parameters.UninitializedTensorMixin, "materialize", materialize)


class _Counts(dict):
    def __init__(self, follow):
        super().__init__({"allocated_bytes.all.current": follow.live, "allocated_bytes.all.peak": follow.recent,
                          "reserved_bytes.all.current": follow.live, "reserved_bytes.all.peak": follow.recent})

    def __missing__(self, key):
        return 0


def _become(tensor, other):
    """As torch.utils.swap_tensors, which refuses what somebody holds weakly, as fake tensors do what they stand for."""
    tensor.__class__, other.__class__ = other.__class__, tensor.__class__
    tensor.__dict__, other.__dict__ = other.__dict__, tensor.__dict__
    torch._C._swap_tensor_impl(tensor, other)


def _wait(waiting, fn):
    """One that waits for its shape is moved or converted."""
    applied = fn(torch.empty(0, device=waiting._vramlab_device, dtype=waiting._vramlab_dtype))
    waiting._vramlab_device, waiting._vramlab_dtype = applied.device, applied.dtype


def _apply(self, fn, recurse=True):
    """Module._apply as it is for plain tensors: the parameter stays the same object and takes the converted data."""
    if recurse:
        for module in self.children():
            module._apply(fn)
    for key, param in list(self._parameters.items()):
        if hasattr(param, "_vramlab_device"):                  # one that waits for its shape
            _wait(param, fn)
        elif param is not None:
            with torch.no_grad():
                applied = fn(param)
            if isinstance(applied, FakeTensor) and not isinstance(param, FakeTensor):    # made before the recording began
                _become(param, torch.nn.Parameter(applied, param.requires_grad))
                continue
            if (applied.device.type == "meta") != (param.device.type == "meta"):    # which cannot be told to lie elsewhere
                self._parameters[key] = torch.nn.Parameter(applied, param.requires_grad)
                continue
            _take(param, applied)
            if param.grad is not None:
                with torch.no_grad():
                    applied = fn(param.grad)
                _take(param.grad, applied)
    for key, buffer in self._buffers.items():
        if hasattr(buffer, "_vramlab_device"):
            _wait(buffer, fn)
        elif buffer is not None:
            self._buffers[key] = fn(buffer)
    return self


_plain_data = torch.Tensor.data


def _take(tensor, data):
    if data is tensor:
        return
    _plain_data.__set__(tensor, data.detach())
    if isinstance(tensor, FakeTensor) and isinstance(data, FakeTensor):
        tensor.fake_device, tensor.constant = data.fake_device, None
        tensor._vramlab_value = getattr(data, "_vramlab_value", None)


def _copied(tensor, memo):
    """copy.deepcopy as plain tensors and parameters have it; fake ones would copy their whole mode."""
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.")
    if isinstance(tensor, torch.nn.Parameter):
        copy = torch.nn.Parameter(tensor.detach().clone(memory_format=torch.preserve_format), tensor.requires_grad)
    else:
        with torch.no_grad():
            key = ("storage", tensor.untyped_storage()._cdata)
            if key not in memo:                                # the whole storage, then for each of its tensors an empty one that takes it
                memo[key] = torch.empty(tensor.untyped_storage().nbytes(), dtype=torch.uint8, device=tensor.device)
            tensor.new_empty([])
            copy = memo[key].view(tensor.dtype).as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
        copy._vramlab_value = _known.of(tensor)
        copy.requires_grad_(tensor.requires_grad)
        if tensor.grad is not None:
            copy.grad = _copied(tensor.grad, memo)
    memo[id(tensor)] = copy
    return copy


def _behave(follow, device, p):
    """What a program does that fake tensors do differently from tensors of a CUDA device."""
    from torch.optim import optimizer as optimizers
    _attend(follow, device, p)
    _compute(follow, device, p)
    _hold(follow, p)
    _read(follow, p)
    _differentiate(follow, p)
    _files(follow, p)
    _weights(follow, p)
    _detect(follow, p)
    _launch(follow, p)
    _processes(follow, p)
    _load(follow, p)
    for owner in (optimizers, torch.utils._foreach_utils):
        p.set(owner, "_foreach_supported_types", owner._foreach_supported_types + [FakeTensor])


def _attend(follow, device, p):
    functional = torch.nn.functional
    plain = functional.scaled_dot_product_attention
    p.set(functional, "scaled_dot_product_attention",
          lambda *a, **k: _attention(*a, **k, _plain=plain, _capability=device[1], _follow=follow))
    p.set(torch._C._nn, "scaled_dot_product_attention", functional.scaled_dot_product_attention)
    _jagged(device, p)
    p.set(functional, "linear", _linear(follow, functional.linear))
    p.set(torch._C._nn, "linear", functional.linear)
    p.set(torch, "_native_multi_head_attention", _inferring_attention(torch._native_multi_head_attention))
    p.set(torch, "_transformer_encoder_layer_fwd", _encoder_layer(torch._transformer_encoder_layer_fwd))
    _leave_padding_out(follow, p)


def _compute(follow, device, p):
    functional = torch.nn.functional
    p.set(functional, "one_hot", _one_hot(functional.one_hot))
    p.set(torch, "affine_grid_generator", functools.partial(_affine_grid, torch.affine_grid_generator))
    for name in VALUES_ALONE:
        p.set(torch.linalg, name, _values_alone(follow, getattr(torch.linalg, name)))
    plain_product = torch.cumprod
    p.set(torch, "cumprod", lambda t, dim, *, dtype=None, **k: _cumprod(plain_product, t, dim, dtype, k))
    p.set(torch.Tensor, "cumprod", lambda t, dim, *, dtype=None: _cumprod(plain_product, t, dim, dtype, {}))
    p.set(torch.cuda.jiterator._JittedFunction, "__call__", _jitted)
    whole_product = torch.prod
    p.set(torch, "prod", lambda t, *a, **k: _prod(whole_product, t, *a, **k))
    p.set(torch.Tensor, "prod", lambda t, *a, **k: _prod(whole_product, t, *a, **k))
    p.set(torch, "ctc_loss", _ctc(follow, torch.ctc_loss))
    for name in ("initialize_state_", "scramble_", "ff_"):     # Sobol's numbers, of the host, have values that nobody needs
        p.set(torch, "_sobol_engine_" + name, lambda state, *a, **k: state)
    p.set(torch, "_sobol_engine_draw", lambda quasi, n, state, dimension, *a, dtype=None: (torch.rand(n, dimension, dtype=dtype), quasi))
    plain_pad, plain_pack = torch._VF._pad_packed_sequence, torch._VF._pack_padded_sequence
    p.set(torch._VF, "_pack_padded_sequence", lambda data, lengths, *a: _packed(data, lengths, *a) if isinstance(data, FakeTensor)
          else plain_pack(data, lengths, *a))
    p.set(torch._VF, "_pad_packed_sequence", lambda data, sizes, *a: _padded(data, sizes, *a) if isinstance(data, FakeTensor)
          else plain_pad(data, sizes, *a))
    for mode, name in enumerate(("rnn_relu", "rnn_tanh", "lstm", "gru")):
        p.set(torch._VF, name, _recurrent(mode, getattr(torch._VF, name), follow, device))


def _hold(follow, p):
    """Modules, and what storages they hold."""
    module = torch.nn.Module
    p.set(module, "_apply", _apply)
    p.set(torch.Tensor, "data", property(lambda t: _plain_data.__get__(t), lambda t, d: _take(t, d)))
    call = module.__call__

    def called(self, *args, **kwargs):
        with follow.inside(self):
            return call(self, *args, **kwargs)

    p.set(module, "__call__", called)
    plain_copy, plain_parameter_copy = torch.Tensor.__deepcopy__, torch.nn.Parameter.__deepcopy__
    p.set(torch.Tensor, "__deepcopy__", lambda t, memo: _copied(t, memo) if isinstance(t, FakeTensor) else _plainly(plain_copy, t, memo))
    p.set(torch.nn.Parameter, "__deepcopy__", lambda t, memo: _copied(t, memo) if isinstance(t, FakeTensor) else _plainly(plain_parameter_copy, t, memo))
    plain_resize = torch.UntypedStorage.resize_

    def resize(storage, size):
        plain_resize(storage, size)
        follow.resized(storage)
        return storage

    p.set(torch.UntypedStorage, "resize_", resize)
    plain_address, plain_place = torch.UntypedStorage.data_ptr, torch.Tensor.data_ptr
    address = lambda s: plain_address(s) if s.device.type != "meta" else s._cdata * 512 if s.nbytes() else 0    # by which programs tell tensors apart
    p.set(torch.UntypedStorage, "data_ptr", address)
    p.set(torch.Tensor, "data_ptr", lambda t: address(t.untyped_storage()) + t.storage_offset() * t.element_size() if isinstance(t, FakeTensor) and t.numel() else plain_place(t))
    p.set(torch.Tensor, "pin_memory", lambda t, *a: t)
    p.set(torch.Tensor, "is_pinned", lambda t, *a: False)
    p.set(torch.Tensor, "record_stream", lambda t, s: follow.used(t, s.stream_id))
    p.set(torch.nn.RNNBase, "flatten_parameters", _flatten)


def _read(follow, p):
    """Values that the host asks for."""
    each = lambda t: list(map(each, t)) if t.dim() else t.item()

    def tolist(t):
        if t.device.type == "cuda" and not t.is_contiguous():
            t.cpu()                                            # by way of a copy that is contiguous
        known = _known.of(t)
        return each(t) if known is None else _plainly(plain_tolist, known)

    p.set(FakeTensor, "tolist", tolist)
    where = lambda places: tolist(places) if isinstance(places, FakeTensor) else places
    for owner in (torch, torch.Tensor):                        # which reads where to split
        p.set(owner, "tensor_split", lambda t, *places, plain_split=owner.tensor_split, **named: plain_split(
            t, *map(where, places), **{name: where(value) for name, value in named.items()}))

    def numpy(t, *args, **kwargs):
        import numpy
        known = _known.of(t)
        if known is not None:
            return _plainly(lambda: known.detach().numpy().copy())
        follow.note("the values of a tensor are not known without a GPU; taken as 0")
        return numpy.zeros(tuple(t.shape), dtype=str(t.dtype)[6:].replace("bfloat16", "float32"))

    torch.utils._device._device_constructors()                 # which are looked up once, and by the function that they are
    plain_tensor = torch.tensor

    def values(v):                                             # of tensors of the device, which are asked for one by one
        if type(v) in (list, tuple):
            return type(v)(map(values, v))
        return v.item() if isinstance(v, FakeTensor) and v.numel() == 1 and v.device.type == "cuda" else v

    p.set(torch, "tensor", lambda data, *, pin_memory=False, **k: plain_tensor(values(data) if type(data) in (list, tuple) else data, **k))
    plain_format = torch.Tensor.__format__
    p.set(torch.Tensor, "__format__", lambda t, how: t.item().__format__(how) if isinstance(t, FakeTensor) and t.dim() == 0 else plain_format(t, how))
    p.set(FakeTensor, "numpy", numpy)
    p.set(FakeTensor, "__array__", lambda t, *a, **k: numpy(t))


def _differentiate(follow, p):
    plain_engine = torch.autograd._engine_run_backward
    p.set(torch.autograd, "_engine_run_backward", lambda *a, **k: _in_a_thread_of_its_own(follow, plain_engine, *a, **k))
    scripted = torch.jit._state._enabled
    p.set(scripted, "enabled", False)                          # scripted functions are recorded as Python, not as fused kernels
    for name in ("freeze", "optimize_for_inference"):
        p.set(torch.jit, name, lambda module, *args, **kwargs: module)
    p.set(torch.nn.Module, "save", lambda module, file, *args: torch.save(module, file))
    p.set(torch.jit, "save", lambda module, file, **kwargs: torch.save(module, file))
    p.set(torch.jit, "load", lambda file, map_location=None, **kwargs: torch.load(file, map_location, weights_only=False))
    plain_rules = torch.autograd.forward_ad._maybe_load_decompositions

    def forward_rules():                                       # forward mode has some of its own, which it scripts when it begins
        scripted.enabled = True
        try:
            with fake_tensor.unset_fake_temporarily():
                plain_rules()
        finally:
            scripted.enabled = False

    p.set(torch.autograd.forward_ad, "_maybe_load_decompositions", forward_rules)
    plain_backward = torch.autograd.backward

    def backward(*args, **kwargs):
        plain_backward(*args, **kwargs)
        follow.holders()

    p.set(torch.autograd, "backward", backward)


def _load(follow, p):
    import torch.utils.data as data
    plain_order = data.RandomSampler.__iter__

    def order(sampler):
        with follow.unseen():
            return iter(_plainly(lambda: list(plain_order(sampler))))

    p.set(data.RandomSampler, "__iter__", order)
    _without_workers(follow, p, data)


# ---- scripts as people have them: loaders with workers, files, weights, several processes

BATCHES = [None]                                               # how many batches each loader gives, None for all


def _without_workers(follow, p, data):
    """Loads in this process, which takes no other memory of the GPU; with --batches only so many."""
    plain, signature, lengths = data.DataLoader.__init__, inspect.signature(data.DataLoader.__init__), data.DataLoader.__len__
    iterate = data.DataLoader.__iter__
    here = {"num_workers": 0, "pin_memory": False, "prefetch_factor": None, "persistent_workers": False, "timeout": 0, "multiprocessing_context": None}
    vramlab_workers, make = _beside("vramlab_workers"), data.DataLoader._get_iterator

    def loader(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        asked = {key: bound.arguments[key] for key in here if key in bound.arguments}
        for key in asked:
            bound.arguments[key] = here[key]
        plain(*bound.args, **bound.kwargs)
        self._vramlab_asked = asked
        if vramlab_workers is not None and asked.get("num_workers"):
            self.num_workers = asked["num_workers"]            # who makes a loader like this one asks for it

    @contextlib.contextmanager
    def as_elsewhere():                                        # a worker's seed is none of the device's here
        drawing = _Drawing.default
        try:
            yield
        finally:
            _Drawing.put(None, drawing)

    def iterator(self):
        asked, count = getattr(self, "_vramlab_asked", {}), self.num_workers
        if not count or vramlab_workers is None or isinstance(self.dataset, (data.IterDataPipe, data.MapDataPipe)):
            self.num_workers = 0
            return make(self)
        return vramlab_workers.batches(self, count, asked.get("prefetch_factor") or 2, asked.get("persistent_workers"), as_elsewhere)

    if vramlab_workers is not None:
        vramlab_workers.here(p)
    p.set(data.DataLoader, "_get_iterator", iterator)

    def some(self):
        if BATCHES[0] is None:
            return iterate(self)
        follow.note(f"each DataLoader gives {BATCHES[0]} batches, as --batches says")
        return itertools.islice(iterate(self), BATCHES[0])

    p.set(data.DataLoader, "__init__", loader)
    p.set(data.DataLoader, "__iter__", some)
    p.set(data.DataLoader, "__len__", lambda self: lengths(self) if BATCHES[0] is None else min(lengths(self), BATCHES[0]))


def _eager(follow, model):
    follow.note("torch.compile is left out: this is the program's eager form. The compiled one keeps other tensors for backward, mostly fewer: a GPT of "
                "six layers took 19 % less on an H200")
    follow.mark("eager_form")
    if isinstance(model, torch.nn.Module):
        object.__setattr__(model, "_orig_mod", model)
    return model


def _compile(follow, gpu, p):
    """torch.compile, where vramlab_compile.py lies beside this file and Triton is at hand."""
    compiler = _beside("vramlab_compile")
    if compiler is None or not compiler.can_follow():
        p.set(torch, "compile", lambda model=None, **k: _eager(follow, model) if model is not None else lambda m: _eager(follow, m))
        return
    plain = aten.scaled_dot_product_attention.default

    def attention(q, k, v, mask=None, dropout=0.0, causal=False, *, scale=None, enable_gqa=False):
        if q.device.type != "cuda":
            return plain._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, q, k, v, mask, dropout, causal, scale=scale, enable_gqa=enable_gqa)
        return _attention(q, k, v, mask, dropout, causal, scale, enable_gqa, _plain=None, _capability=gpu[1], _follow=follow)

    compiler.Compiler(follow, gpu, p, attention).install()


def _beside(name):
    """A module that lies beside this file, if it does."""
    sys.path.append(os.path.dirname(HERE))
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
    finally:
        sys.path.pop()


SAVED_AT = b"vramlab_trace:%d\n"


def _files(follow, p):
    """What is saved is not written, but what is saved here can be loaded here again."""
    saved, plain_load = {}, torch.load

    def key(f):
        return os.path.abspath(os.fspath(f)) if isinstance(f, (str, os.PathLike)) else ("file", getattr(f, "name", None) or id(f))

    def turned(value, memo, move):
        """A copy with other tensors; those that share a storage go on doing so."""
        if isinstance(value, torch.Tensor):
            if id(value) not in memo:
                memo[id(value)] = move(value, memo), value
            return memo[id(value)][0]
        if type(value) in (dict, collections.OrderedDict, collections.defaultdict):
            same = type(value)() if not isinstance(value, collections.defaultdict) else collections.defaultdict(value.default_factory)
            same.update((k, turned(v, memo, move)) for k, v in value.items())
            return same
        if type(value) in (list, tuple):
            return type(value)(turned(v, memo, move) for v in value)
        if isinstance(value, torch.nn.Module):                 # its tensors are what deepcopy is told of
            known = {id(t): turned(t, memo, move) for t in (*value.parameters(), *value.buffers())}
            return copy.deepcopy(value, known)
        return value

    def laid(value, memo, device):
        if _is_sparse(value):
            return _of_parts(value, *(laid(part, memo, device) for part in _parts(value)), device=device)
        number = ("storage", value.untyped_storage()._cdata)
        with torch.no_grad():
            if number not in memo:
                memo[number] = torch.empty(value.untyped_storage().nbytes(), dtype=torch.uint8, device=device)
            same = memo[number].view(value.dtype).as_strided(value.shape, value.stride(), value.storage_offset())
        if isinstance(value, torch.nn.Parameter):
            same = torch.nn.Parameter(same, value.requires_grad)
        return same

    def put_away(value, memo):
        if value.layout != torch.strided and not _is_sparse(value):
            return value
        same = laid(value, memo, "cpu")
        same._vramlab_from, same._vramlab_value = value.device, _known.of(value)
        same._vramlab_rows = getattr(value, "_vramlab_rows", None)
        return same

    def kept(value, f):
        """Where it was put. A stream without a name is given a line that tells it, since its bytes may go elsewhere."""
        place = key(f) if isinstance(f, (str, os.PathLike)) or isinstance(getattr(f, "name", None), str) else ("bytes", len(saved))
        saved[place] = value
        if place[0] == "bytes":
            f.write(SAVED_AT % place[1])

    def found(f):
        """Where it was put, or None; what is no stream of the recorder's stays where it is."""
        if isinstance(f, (str, os.PathLike)) or isinstance(getattr(f, "name", None), str):
            name = os.fspath(f) if isinstance(f, (str, os.PathLike)) else f.name
            place = next((place for place in (os.path.abspath(name), ("file", name)) if place in saved), None)
            if place is not None or not hasattr(f, "readline") and not os.path.isfile(f):
                return place
        if not hasattr(f, "readline"):
            with open(f, "rb") as stream:
                return found_in(stream)
        return found_in(f)

    def found_in(stream):
        """What the bytes of a stream that was saved to tell, wherever they were written since."""
        at = stream.tell()
        line = stream.readline(64)
        if line.startswith(SAVED_AT[:-3]) and line.endswith(b"\n"):
            place = "bytes", int(line[len(SAVED_AT) - 3:])
            if place not in saved:
                raise TraceError(f"{getattr(stream, 'name', 'a stream')} was to be loaded, at {follow.text(follow.stack())}; another recording saved it, "
                                 "which wrote no tensors. Save it without recording, or let the program make it first")
            return place
        stream.seek(at)
        return None

    def save(value, f, *args, **kwargs):
        kept(turned(value, {}, put_away), f)
        follow.note("torch.save writes nothing here; torch.load gives back what was saved")

    def load(f, map_location=None, *args, **kwargs):
        place = found(f)
        if place is None:
            return plain_load(f, map_location, *args, **kwargs)

        def brought(value, memo):
            device = getattr(value, "_vramlab_from", value.device)
            if isinstance(map_location, (str, torch.device)):
                device = torch.device(map_location)
            elif isinstance(map_location, dict):
                device = torch.device(map_location.get(str(device), device))
            same = laid(value, memo, device)
            same._vramlab_value, same._vramlab_rows = getattr(value, "_vramlab_value", None), getattr(value, "_vramlab_rows", None)
            return same

        return turned(saved[place], {}, brought)

    def unpickled(stream):
        return load(io.BytesIO(stream))

    def pickled(tensor, protocol):
        stream = io.BytesIO()
        kept(put_away(tensor, {}), stream)
        return unpickled, (stream.getvalue(),)

    unpickled.__module__, unpickled.__qualname__ = "torch", "_vramlab_unpickled"    # where pickle looks for it
    plain_state = torch.random.set_rng_state                   # of the host, as a saved file gives it back
    for owner in (torch, torch.random):
        p.set(owner, "set_rng_state", lambda state: plain_state(state if _known.of(state) is None else _known.of(state)))
    p.set(torch, "_vramlab_unpickled", unpickled)
    p.set(FakeTensor, "__reduce_ex__", pickled)
    p.set(FakeTensor, "__copy__", lambda t: t.detach().requires_grad_(t.requires_grad))    # by reference, where pickling would copy
    p.set(torch, "save", save)
    p.set(torch, "load", load)
    _when_there(p, "safetensors.torch", "save_file", lambda plain: lambda tensors, filename, metadata=None: save(tensors, filename))
    _when_there(p, "safetensors.torch", "load_file", lambda plain: lambda filename, device="cpu", **named: load(filename, device) if is_saved(filename) else plain(filename, device, **named))
    for name in ("isfile", "exists"):
        plain = getattr(os.path, name)
        p.set(os.path, name, lambda f, plain=plain: plain(f) or is_saved(f))
    plain_stat = os.stat

    def is_saved(f):
        return isinstance(f, (str, os.PathLike)) and os.path.abspath(os.fspath(f)) in saved

    def stat(f, *args, **kwargs):                              # os.path and pathlib ask it how large a file is
        try:
            return plain_stat(f, *args, **kwargs)
        except FileNotFoundError:
            if not is_saved(f):
                raise
            return os.stat_result((0o100644, 0, 0, 1, 0, 0, _bytes_of(saved[key(f)]), 0, 0, 0))

    p.set(os, "stat", stat)
    for name in ("remove", "unlink"):
        plain = getattr(os, name)
        p.set(os, name, lambda f, *a, plain=plain, **k: saved.pop(key(f)) and None if is_saved(f) else plain(f, *a, **k))
    for name in ("rename", "replace"):
        plain = getattr(os, name)
        p.set(os, name, lambda f, to, *a, plain=plain, **k: saved.update({key(to): saved.pop(key(f))}) if is_saved(f) else plain(f, to, *a, **k))
    for name in ("copyfile", "copymode", "copystat"):          # what the other ways to copy a file do
        p.set(shutil, name, lambda f, to, plain=getattr(shutil, name), **k: saved.update({key(to): saved[key(f)]}) or to if is_saved(f) else plain(f, to, **k))


def _bytes_of(value):
    tensors = [t for t in torch.utils._pytree.tree_leaves(value) if isinstance(t, torch.Tensor)]
    return sum(part.untyped_storage().nbytes() for t in tensors for part in (_parts(t) if _is_sparse(t) else (t,)))


class _NoWeights(collections.OrderedDict):
    """Stands for weights that nobody needs here."""


def _weights(follow, p):
    """Weights are not read: a model has its size without them."""
    plain = torch.nn.Module.load_state_dict

    def load_state_dict(self, state, *args, **kwargs):
        return torch.nn.modules.module._IncompatibleKeys([], []) if isinstance(state, _NoWeights) else plain(self, state, *args, **kwargs)

    def none(*args, **kwargs):
        follow.note("weights are not loaded: they have no say in how much memory is needed")
        return _NoWeights()

    p.set(torch.nn.Module, "load_state_dict", load_state_dict)
    p.set(torch.hub, "load_state_dict_from_url", none)
    _when_there(p, "torchvision.models._api", "load_state_dict_from_url", lambda plain: none)
    _when_there(p, "timm.models._builder", "load_pretrained", lambda plain: lambda *a, **k: none() and None)
    _when_there(p, "timm.models._builder", "load_custom_pretrained", lambda plain: lambda *a, **k: none() and None)
    _when_there(p, "transformers.modeling_utils", "_get_resolved_checkpoint_files", lambda plain: lambda *a, **k: (none() and None, None))
    _when_there(p, "transformers.modeling_utils", "_get_dtype", lambda plain: functools.partial(_dtype_of_transformers, plain))
    _when_there(p, "transformers.modeling_utils", "PreTrainedModel", lambda plain: _loads_nothing(p, plain))


def _dtype_of_transformers(plain, dtype, files, config, *rest):
    """What weights would tell of their type is float32 here, unless the configuration tells."""
    return plain(torch.get_default_dtype() if dtype == "auto" and getattr(config, "dtype", None) is None else dtype, files, config, *rest)


def _loads_nothing(p, model_class):
    """transformers' from_pretrained without its files: parameters are made where its device_map has them, after one block of their size."""
    utilities = sys.modules["transformers.modeling_utils"]

    def load(model, state_dict, checkpoint_files, load_config, expected_keys=None):
        if getattr(load_config, "hf_quantizer", None) is not None:
            raise TraceError("Quantized weights were asked for; what they take follows from their files, which are not read here. "
                             "Record the program without quantization_config: that is an upper bound.")
        places = utilities.expand_device_map(load_config.device_map, list(model.state_dict())) if load_config.device_map is not None else {}
        if places:
            utilities.caching_allocator_warmup(model, places, None)
        tied = model.all_tied_weights_keys
        order = sys.modules["transformers.core_model_loading"].dot_natural_key
        for name, tensor in sorted([*model.named_parameters(), *model.named_buffers()], key=lambda each: order(each[0])):
            if tensor.device.type == "meta" and name not in tied:
                path, _, last = name.rpartition(".")
                made = torch.empty_like(tensor, device=places.get(name, "cpu"), requires_grad=False)
                if isinstance(tensor, torch.nn.Parameter):
                    made = torch.nn.Parameter(made, tensor.requires_grad)
                setattr(model.get_submodule(path), last, made)
        info = utilities.LoadStateDictInfo(missing_keys=set(), error_msgs=[], unexpected_keys=set(), mismatched_keys=set(), conversion_errors={},
                                           skipped_pp_keys=set())
        return info, None

    def save(self, save_directory, is_main_process=True, **kwargs):
        """Without the weights: what from_pretrained then builds the same model from."""
        self.config.dtype, self.config.architectures = self.dtype, [type(self).__name__]
        if is_main_process:
            self.config.save_pretrained(save_directory)
            if self.can_generate() and self.generation_config is not None:
                self.generation_config.save_pretrained(save_directory)

    p.set(model_class, "_load_pretrained_model", staticmethod(load))
    p.set(model_class, "save_pretrained", save)
    return model_class


_awaited = {}                                                  # module: {name: what makes the replacement}


TRITON_CLEARS = 1 << 28                                        # what Triton's benchmarks write over to clear the cache (backends/nvidia/driver.py)


def _launch(follow, p):
    """Kernels that a program writes in Triton take nothing from the allocator; where several of a kind are tried, each trial clears the cache."""
    def launching(kernel):
        plain = kernel.run
        p.set(kernel, "run", lambda self, *args, grid, warmup, **named: None if _on_device((*args, *named.values())) else plain(self, *args, grid=grid, warmup=warmup, **named))
        return kernel

    def trying(tuner):
        def trial(self, *args, config, **named):
            torch.empty(TRITON_CLEARS // 4, dtype=torch.int, device="cuda")
            return [1.0, 1.0, 1.0]

        p.set(tuner, "_bench", trial)
        return tuner

    _when_there(p, "triton.runtime.jit", "JITFunction", launching)
    _when_there(p, "triton.runtime.autotuner", "Autotuner", trying)


# How many of an image's anchors overlap each of its boxes by half, where an untrained network leaves them where they are (docs/plan.md).
ANCHORS_OF_A_BOX = 54


def _detect(follow, p):
    """Which proposals are samples of boxes in torchvision's detectors: the boxes themselves, which are proposed, too, and as many as even draws from the anchors leave."""
    def proposing(network):
        plain = network.filter_proposals

        def call(self, proposals, objectness, shapes, anchors_of_levels):
            boxes, scores = plain(self, proposals, objectness, shapes, anchors_of_levels)
            for each in boxes:
                each._vramlab_anchors = sum(anchors_of_levels)
            return boxes, scores

        p.set(network, "filter_proposals", call)
        return network

    def sampling(heads):
        plain, assign = heads.select_training_samples, heads.assign_targets_to_proposals
        wanted = []

        def first(labels, positive):
            labels._vramlab_value = _plainly(lambda: (torch.arange(labels.numel()) < positive).to(labels.dtype))

        def assigning(self, *given):                           # so that the sampler draws the others from what is of no box
            matched, found = assign(self, *given)
            for labels, positive in zip(found, wanted):
                first(labels, positive)
            return matched, found

        def call(self, proposals, targets):
            shares = [len(each) / each._vramlab_anchors if getattr(each, "_vramlab_anchors", 0) else 0 for each in proposals]
            wanted[:] = [round(len(target["boxes"]) * (1 + ANCHORS_OF_A_BOX * share)) for target, share in zip(targets, shares)]
            found = plain(self, proposals, targets)
            most = int(self.fg_bg_sampler.batch_size_per_image * self.fg_bg_sampler.positive_fraction)
            for labels, target, expected in zip(found[2], targets, wanted):
                positive = min(most, labels.numel(), expected)
                first(labels, positive)
                follow.note(f"how many proposals are samples of boxes is not known without a GPU; taken as {positive} of {len(target['boxes'])} boxes")
            return found

        p.set(heads, "assign_targets_to_proposals", assigning)
        p.set(heads, "select_training_samples", call)
        return heads

    _when_there(p, "torchvision.models.detection.rpn", "RegionProposalNetwork", proposing)
    _when_there(p, "torchvision.models.detection.roi_heads", "RoIHeads", sampling)


def _when_there(p, module, name, replace):
    """Replaces a name of a library, now or when the program brings the library in."""
    _awaited.setdefault(module, []).append((name, replace))


def _look_for_libraries(p):
    """Whether one of them is on its way and has to be looked for again."""
    coming = False
    for module, names in list(_awaited.items()):
        there = sys.modules.get(module)
        if there is None:
            continue
        if getattr(getattr(there, "__spec__", None), "_initializing", False):
            coming = True
            continue
        for name, replace in names:
            if hasattr(there, name):
                p.set(there, name, replace(getattr(there, name)))
        del _awaited[module]
    return coming


class _Work:
    """A collective operation that is over."""

    def wait(self, *args, **kwargs):
        return True

    def is_completed(self):
        return True

    def get_future(self):
        return self


def _processes(follow, p):
    """One process of several, alone: collective operations change nothing, gradients have their buckets."""
    dist = torch.distributed
    if not dist.is_available():
        return
    group, state = dist.group if hasattr(dist, "group") else None, {"up": False}
    rank, size = lambda *a, **k: int(os.environ.get("RANK", 0)), lambda *a, **k: int(os.environ.get("WORLD_SIZE", 1))

    plain_begin, plain_end = dist.init_process_group, dist.destroy_process_group

    def begin(*args, **kwargs):
        with follow.unseen():                                  # a group whose collective operations do nothing, for meshes of devices
            from torch.testing._internal.distributed.fake_pg import FakeStore
            plain_begin("fake", store=FakeStore(), rank=rank(), world_size=size())
        state["up"] = True
        follow.note(f"of the {size()} processes one is recorded; NCCL's own memory is outside of the allocator, some hundred MiB more for each GPU")

    def end(*args, **kwargs):
        if state["up"]:
            state["up"] = False
            plain_end()

    p.at_the_end(end)
    names = {"init_process_group": begin, "destroy_process_group": end, "is_initialized": lambda: state["up"], "get_rank": rank, "get_world_size": size,
             "get_backend": lambda *a, **k: "nccl", "new_group": lambda *a, **k: None, "get_process_group_ranks": lambda *a, **k: list(range(size())), **_collective()}
    for name, value in names.items():
        for owner in {dist, getattr(dist, "distributed_c10d", dist)}:
            if hasattr(owner, name):
                p.set(owner, name, value)
    _Replicated.follow = follow
    p.set(torch.nn.parallel, "DistributedDataParallel", _Replicated)
    p.set(torch.nn.parallel.distributed, "DistributedDataParallel", _Replicated)

    def spawn(fn, args=(), nprocs=1, *rest, **kwargs):
        os.environ.setdefault("RANK", "0"), os.environ.setdefault("WORLD_SIZE", str(nprocs)), os.environ.setdefault("LOCAL_RANK", "0")
        follow.note(f"of {nprocs} processes the first is recorded")
        fn(0, *args)

    p.set(torch.multiprocessing, "spawn", spawn)


def _collective():
    """Operations of all processes together, as one of them does its part."""
    nothing = lambda *args, **kwargs: _Work() if kwargs.get("async_op") else None

    def gathered(parts, tensor, *args, **kwargs):
        flat = tensor.new_empty(len(parts) * tensor.numel())   # into which they are gathered
        for part in parts:
            part.copy_(tensor)
        del flat
        return nothing(**kwargs)

    def into(output_tensor, input_tensor, *args, **kwargs):
        output_tensor.view(-1)[:input_tensor.numel()].copy_(input_tensor.reshape(-1))
        return nothing(**kwargs)

    def scattered(output, input, *args, **kwargs):
        output.copy_(input.reshape(-1)[:output.numel()].view_as(output))
        return nothing(**kwargs)

    def objects(parts, value, *args, **kwargs):
        parts[:] = [value] * len(parts)

    def barrier(*args, **kwargs):
        torch.empty(1, dtype=torch.uint8, device="cuda")
        torch.empty(1, device="cuda")
        return nothing(**kwargs)

    return {"all_reduce": nothing, "broadcast": nothing, "reduce": nothing, "all_gather": gathered, "all_gather_into_tensor": into,
            "reduce_scatter_tensor": scattered, "barrier": barrier, "monitored_barrier": barrier, "broadcast_object_list": nothing, "all_gather_object": objects}


FIRST_BUCKET, BUCKET, SYNCHRONIZED = 1 << 20, 25 << 20, 250 << 20


class _Replicated(torch.nn.Module):
    """DistributedDataParallel's memory: what it broadcasts when it is made, and its buckets (torch/csrc/distributed/c10d/reducer.cpp)."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True, process_group=None, bucket_cap_mb=None,
                 find_unused_parameters=False, check_reduction=False, gradient_as_bucket_view=False, static_graph=False, **kwargs):
        super().__init__()
        self.module, self.synchronized, self.arrived, self.rebuilt = module, True, [], False
        self.broadcast_buffers, self.view, self.buckets = broadcast_buffers, gradient_as_bucket_view, []
        self.limits = [FIRST_BUCKET if bucket_cap_mb is None else bucket_cap_mb << 20, BUCKET if bucket_cap_mb is None else bucket_cap_mb << 20]
        self.device_ids, self.turns = device_ids, 0
        self.unused, self.static = find_unused_parameters and not static_graph, static_graph
        trained = [q for q in module.parameters() if q.requires_grad]
        if init_sync:
            self.compare(trained)
            self.broadcast([q.detach() for q in module.parameters()] + [b.detach() for b in module.buffers()])
        self.build(trained, self.limits if self.unused else [sum(q.numel() * q.element_size() for q in trained)])    # one, until the order is known
        if self.unused or self.static:
            self.used = torch.empty(len(trained), dtype=torch.int32, device=trained[0].device)
        for q in trained:
            q.register_post_accumulate_grad_hook(self.ready)

    def compare(self, trained):
        """The number of parameters, gathered flat, and then their sizes and strides, are the same everywhere."""
        number = lambda n: torch.empty(n, dtype=torch.int64, device=trained[0].device)
        told, every = number(1), number(1)
        flat = number(int(os.environ.get("WORLD_SIZE", 1)))
        del flat
        number(2 * sum(q.dim() for q in trained))
        del every, told

    def broadcast(self, tensors):
        on_device = [t for t in tensors if t.device.type == "cuda"]
        for dtype in dict.fromkeys(t.dtype for t in on_device):
            for part in _split_by_size([t for t in on_device if t.dtype == dtype], [SYNCHRONIZED]):
                flat = torch.cat([t.reshape(-1) for t in part]) if len(part) > 1 else part[0].reshape(-1)
                offset = 0
                for t in part:
                    t.copy_(flat[offset:offset + t.numel()].view_as(t))
                    offset += t.numel()

    def build(self, parameters, limits):
        self.buckets, self.places = [], {}
        parts = [part for dtype in dict.fromkeys(q.dtype for q in parameters)
                 for part in _split_by_size([q for q in parameters if q.dtype == dtype], limits)]
        for part in reversed(parts) if self.unused else parts:
            flat, offset = torch.empty(sum(q.numel() for q in part), dtype=part[0].dtype, device=part[0].device), 0
            for q in part:
                self.places[id(q)] = flat[offset:offset + q.numel()].view_as(q)
                offset += q.numel()
            self.buckets.append(flat)

    def ready(self, parameter):
        if not self.synchronized:
            return
        if not self.rebuilt and not self.unused and not (self.static and self.turns < 2):    # a static graph is learnt first
            self.arrived.append(parameter)
        place = self.places[id(parameter)]
        if self.view:
            if parameter.grad is not place:
                place.copy_(parameter.grad)
                parameter.grad = place
        else:
            place.copy_(parameter.grad)

    def forward(self, *args, **kwargs):
        if self.training and torch.is_grad_enabled() and self.arrived and not self.rebuilt:
            self.rebuild()
        if self.broadcast_buffers and self.training:
            self.broadcast([b.detach() for b in self.module.buffers()])
        self.turns += 1
        out = self.module(*args, **kwargs)
        sinks = torch.is_grad_enabled() and self.synchronized and (self.unused or self.static and self.turns == 1)
        return torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, out) if sinks else out

    def rebuild(self):
        """Buckets in the order in which gradients came, which is told to all. NCCL's watchdog may let the first one go later."""
        self.rebuilt, on = True, self.arrived[0].device
        parts = sum(len(_split_by_size([q for q in self.arrived if q.dtype == dtype], self.limits)) for dtype in dict.fromkeys(q.dtype for q in self.arrived))
        order = torch.empty(len(self.arrived) + 1, dtype=torch.int32, device=on)
        sizes = torch.empty(parts, dtype=torch.int32, device=on)
        del order, sizes
        if not self.view:
            for bucket in self.buckets:
                self.follow.lingers(bucket)
        self.build(self.arrived, self.limits)

    @contextlib.contextmanager
    def no_sync(self):
        self.synchronized, before = False, self.synchronized
        try:
            yield
        finally:
            self.synchronized = before

    def join(self, *args, **kwargs):
        return contextlib.nullcontext()


def _split_by_size(tensors, limits):
    """One list after another until it has reached its limit; the last limit is for all that follow."""
    parts, part, size, turn = [], [], 0, 0
    for t in tensors:
        part.append(t)
        size += t.numel() * t.element_size()
        if size >= limits[min(turn, len(limits) - 1)]:
            parts.append(part)
            part, size, turn = [], 0, turn + 1
    return parts + [part] if part else parts


def _as_if_not_traced(p):
    """Libraries take another way where they see fake tensors, as for torch.compile; a program on a GPU does not."""
    import builtins
    original, seen = builtins.__import__, [0]

    def importing(name, *args, **kwargs):
        module = original(name, *args, **kwargs)
        if len(sys.modules) == seen[0]:                        # the way of nearly all of them: PyTorch imports in each call
            return module
        if not _look_for_libraries(p):
            seen[0] = len(sys.modules)
        return module

    _when_there(p, "transformers.utils.import_utils", "is_fake_tensor", lambda plain: lambda tensor: False)
    _look_for_libraries(p)
    p.set(builtins, "__import__", importing)


THREADS, RANDOM_STATE = 2048, 24                              # of a multiprocessor; bytes, as an H200 took them


class _Packed(torch.autograd.Function):
    """Sequences side by side laid one after the other, as at::_pack_padded_sequence does, and its gradient."""

    @staticmethod
    def forward(ctx, data, sizes):
        ctx.sizes, ctx.shape = sizes, data.shape
        steps = [data[begin:end, :size].contiguous().view(-1, *data.shape[2:]) for begin, end, size in _runs(sizes)]
        return torch.cat(steps)

    @staticmethod
    def backward(ctx, grad):
        out, offset = grad.new_zeros(ctx.shape), 0
        for begin, end, size in _runs(ctx.sizes):
            count = (end - begin) * size
            out[begin:end, :size].copy_(grad[offset:offset + count].view(end - begin, size, *ctx.shape[2:]))
            offset += count
        return out, None


def _runs(sizes):
    begin = 0
    for i in range(1, len(sizes) + 1):
        if i == len(sizes) or sizes[i] != sizes[begin]:
            yield begin, i, sizes[begin]
            begin = i


def _packed(data, lengths, first):
    known = _known.of(lengths)
    if known is None:
        raise TraceError("the lengths of sequences are not known without a GPU")
    lengths = _plainly(plain_tolist, known)
    sizes = [sum(n > t for n in lengths) for t in range(max(lengths))]
    with fake_tensor.unset_fake_temporarily():
        told = torch.tensor(sizes)
    return _Packed.apply(data.transpose(0, 1) if first else data, sizes), told


def _padded(data, sizes, first, value, total):
    """Sequences one after the other laid side by side, as at::_pad_packed_sequence does: a copy for each run of equal sizes."""
    sizes = _plainly(plain_tolist, _known.of(sizes))
    out = data.new_full((max(len(sizes), total), sizes[0], *data.shape[1:]), value)
    offset = 0
    for begin, end, size in _runs(sizes):
        count = (end - begin) * size
        out.narrow(0, begin, end - begin).narrow(1, 0, size).copy_(data.narrow(0, offset, count).view(end - begin, size, *data.shape[1:]))
        offset += count
    with fake_tensor.unset_fake_temporarily():
        lengths = torch.tensor([sum(n > b for n in sizes) for b in range(sizes[0])])
    return out.transpose(0, 1) if first else out, lengths


def _folded(input, weight, bias=None):
    """Weights that learn are multiplied with a matrix, also where no gradient is asked for (LinearAlgebra.cpp, should_fold)."""
    out = torch.mm(input.reshape(-1, input.shape[-1]), weight.t()).view(*input.shape[:-1], weight.shape[0])
    return out if bias is None else out.add_(bias)


def _autocast(follow, *device_and_whether):
    follow.set_autocast(*device_and_whether)
    if device_and_whether[0] in ("cuda", True, False):         # older programs name no device
        follow.casts = device_and_whether[-1]


def _linear(follow, plain):
    """Where the product and the bias are two operations, the bias is added in place, but never to tensor subclasses."""
    def call(input, weight, bias=None):
        if bias is None or torch._C._functorch.is_functorch_wrapped_tensor(bias) or torch.autograd.forward_ad._current_level >= 0:
            return plain(input, weight, bias)
        with follow.adding_in_place():
            return plain(input, weight, bias)
    return call


def _one_hot(plain):
    """Ones are written into zeros; tensor subclasses are compared with all numbers (aten/src/ATen/native/Onehot.cpp)."""
    def call(tensor, num_classes=-1):
        if tensor.device.type == "cuda" and num_classes == -1 and tensor.numel():
            num_classes = int(tensor.max().item()) + 1
        if tensor.device.type != "cuda" or num_classes <= 0 or tensor.numel() == 0:
            return plain(tensor, num_classes)
        zeros = torch.zeros((*tensor.shape, num_classes), dtype=tensor.dtype, device=tensor.device)
        zeros.scatter_(-1, tensor.unsqueeze(-1), 1)
        if _known.of(zeros) is None:
            zeros._vramlab_ones = tensor.numel()
        return zeros
    return call


def _share_of(which, classes, count):
    """An even part, but for an odd number that tells it from the others and from sizes that a program chooses; they come to the whole."""
    if not 0 <= which < classes:
        return 0
    pair = which // 2 * 2
    first, even = ((count + classes - 1 - n) // classes for n in (pair, which))
    odd = pair + 1 + first % 2
    return even if pair + 1 == classes or first < TELLS_APART * classes else even - odd if which % 2 else even + odd


def _shared_out(count, classes, dtype=torch.int64):
    """As even parts of a number as whole ones can be."""
    each, rest = divmod(count, classes)
    return _plainly(torch.tensor, [each + (n < rest) for n in range(classes)], dtype=dtype)


class _Product(torch.autograd.Function):
    """cumprod; backward as cumprod_backward does where nothing is zero, which it looks for (aten/src/ATen/native/ReduceOps.cpp)."""

    @staticmethod
    def forward(ctx, plain, tensor, dim):
        out = plain(tensor, dim)
        ctx.save_for_backward(tensor, out)
        ctx.dim = dim
        return out

    @staticmethod
    def backward(ctx, gradient):
        tensor, out = ctx.saved_tensors
        products = out * gradient
        is_zero = tensor == 0
        is_zero.any()
        turned = products.flip(ctx.dim)
        summed = turned.cumsum(ctx.dim)
        back = summed.flip(ctx.dim)
        del summed, turned
        result = back.div(tensor)
        del back, is_zero, products
        return None, result, None


def _cumprod(plain, tensor, dim, dtype, rest):
    simple = isinstance(tensor, FakeTensor) and tensor.device.type == "cuda" and tensor.requires_grad and torch.is_grad_enabled()
    if not simple or rest or dtype not in (None, tensor.dtype) or tensor.dim() == 0 or tensor.shape[dim] < 2:
        return plain(tensor, dim, dtype=dtype, **rest)
    return _Product.apply(plain, tensor, dim)


class _WholeProduct(torch.autograd.Function):
    """prod; backward as prod_backward does where nothing is zero, which it looks for too (torch/csrc/autograd/FunctionsManual.cpp)."""

    @staticmethod
    def forward(ctx, plain, tensor, dim, keepdim):
        out = plain(tensor) if dim is None else plain(tensor, dim, keepdim)
        ctx.save_for_backward(tensor, out)
        ctx.along, ctx.dim = dim, None if keepdim else dim
        return out

    @staticmethod
    def backward(ctx, gradient):
        tensor, out = ctx.saved_tensors
        if tensor.dim() == 0:
            return None, gradient.clone(), None, None
        is_zero = tensor == 0
        if ctx.along is None:
            is_zero._vramlab_part = 0
            where = is_zero.nonzero()
            del is_zero
        else:
            where = is_zero.sum(ctx.along, True)
            where.sum()
        if ctx.dim is not None:
            gradient, out = gradient.unsqueeze(ctx.dim), out.unsqueeze(ctx.dim)
        ratio = out / tensor
        result = gradient * ratio.conj()
        del ratio, where
        return None, result, None, None


def _prod(plain, tensor, *args, dim=None, keepdim=False, dtype=None, **rest):
    if args:
        dim, keepdim = args[0], args[1] if len(args) > 1 else keepdim
    simple = isinstance(tensor, FakeTensor) and tensor.device.type == "cuda" and tensor.requires_grad and torch.is_grad_enabled()
    if not simple or rest or dtype not in (None, tensor.dtype) or isinstance(dim, str) or tensor.numel() == 0:
        return plain(tensor, *args, **({} if dim is None or args else {"dim": dim, "keepdim": keepdim}), **({} if dtype is None else {"dtype": dtype}), **rest)
    return _WholeProduct.apply(plain, tensor, dim, keepdim)


def _jitted(kernel, *tensors, **kwargs):
    """An elementwise kernel that is compiled as the program runs, of which the source is all that is known here."""
    shape, dtype = torch.broadcast_shapes(*(t.shape for t in tensors)), functools.reduce(torch.promote_types, (t.dtype for t in tensors))
    made = tuple(torch.empty(shape, dtype=dtype, device=tensors[0].device) for _ in range(kernel.num_outputs))
    return made if kernel.num_outputs > 1 else made[0]


def _places(theta, size, align_corners):
    """Each pixel's place, times the turn that theta is (aten/src/ATen/native/AffineGridGenerator.cpp)."""
    batch, sides = size[0], tuple(size[2:])
    base = theta.new_empty((batch, *sides, len(sides) + 1))
    for i, side in enumerate(reversed(sides)):
        if side > 1:
            values = torch.linspace(-1, 1, side, dtype=theta.dtype, device=theta.device)
            values = values if align_corners else values * (side - 1) / side
        else:
            values = theta.new_zeros(())
        base.select(-1, i).copy_(values.view(-1, *(1,) * i))
    base.select(-1, len(sides)).fill_(1)
    return base.view(batch, -1, len(sides) + 1).bmm(theta.transpose(1, 2)).view(batch, *sides, len(sides))


class _Places(torch.autograd.Function):
    @staticmethod
    def forward(ctx, theta, size, align_corners):
        ctx.given = size, align_corners
        return _places(theta, size, align_corners)

    @staticmethod
    def backward(ctx, gradient):
        return aten.affine_grid_generator_backward(gradient, *ctx.given), None, None


def _affine_grid(plain, theta, size, align_corners):
    """Under autocast the product in it is one of 16 bits, which fake tensors leave out."""
    if not isinstance(theta, FakeTensor) or theta.device.type != "cuda" or not torch.is_autocast_enabled("cuda") or theta.dim() != 3 or len(size) not in (4, 5):
        return plain(theta, size, align_corners)
    if theta.requires_grad and torch.is_grad_enabled():
        return _Places.apply(theta, size, align_corners)
    return _places(theta, size, align_corners)


LAST_OF_A_STORAGE = 2                                          # who holds a storage: a tensor, and who asks
CREATES_GRAPH = 3                                              # among the arguments of the engine: outputs, gradients, keep_graph, create_graph, …
_thread = []


def _in_a_thread_of_its_own(follow, engine, *args, **kwargs):
    """Nodes are numbered by thread, and run in that order. On a GPU backward has a thread of its own, which shows where it makes nodes itself."""
    if not _thread:
        _thread.append(concurrent.futures.ThreadPoolExecutor(1))
        _thread.append(_thread[0].submit(threading.current_thread).result())
    if not args[CREATES_GRAPH] or threading.current_thread() is _thread[1]:
        return engine(*args, **kwargs)
    mode, enabled = follow.fake_mode, torch.is_grad_enabled()
    levels = []                                                # of vmap and grad, which each thread keeps for itself and autograd's engine hands on

    def run():
        with torch.autograd.set_multithreading_enabled(False), torch.set_grad_enabled(enabled), _levels(levels), mode, follow:
            return engine(*args, **kwargs)

    while torch._C._functorch.peek_interpreter_stack() is not None:
        levels.append(torch._C._functorch.pop_dynamic_layer_stack())
    try:
        return _thread[0].submit(run).result()
    finally:
        for level in reversed(levels):
            torch._C._functorch.push_dynamic_layer_stack(level)


@contextlib.contextmanager
def _levels(innermost_first):
    """Levels of functorch in this thread."""
    for level in reversed(innermost_first):
        torch._C._functorch.push_dynamic_layer_stack(level)
    try:
        yield
    finally:
        for _ in innermost_first:
            torch._C._functorch.pop_dynamic_layer_stack()


def _attending(x, heads, qkv_weight, qkv_bias, out_weight, out_bias):
    """Self-attention without a mask."""
    functional, (batch, length, width) = torch.nn.functional, x.shape
    parts = functional.linear(x, qkv_weight, qkv_bias).view(batch, length, 3 * width).chunk(3, 2)
    q, k, v = (p.view(batch, length, heads, width // heads).transpose(1, 2) for p in parts)
    y = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
    return functional.linear(y, out_weight, out_bias)


def _attending_plainly(x, heads, qkv_weight, mask):
    """Self-attention by products of matrices, and its weights: a mask is one of bool, as large as it says; without one the softmax is in place."""
    batch, length, width = x.shape
    qkv = torch.mm(x.reshape(batch * length, width), qkv_weight.t())
    q, k, v = torch.empty((3, batch, heads, length, width // heads), dtype=x.dtype, device=x.device).unbind(0)
    del qkv
    flat = lambda part: part.reshape(batch * heads, length, width // heads)
    weights = torch.bmm(flat(q), flat(k).transpose(1, 2))
    if mask is not None:
        copied, scores = mask.to(torch.bool).contiguous(), weights
        weights = torch.empty_like(scores)
        del scores, copied
    torch.bmm(weights, flat(v), out=flat(q))
    return q, weights.view(batch, heads, length, length)


def _projected(q, out_weight, out_bias):
    batch, heads, length, size = q.shape
    turned = q.permute(0, 2, 1, 3).contiguous().view(batch * length, heads * size)
    return torch.addmm(out_bias, turned, out_weight.t()).view(batch, length, heads * size)


def _inferring_attention(plain):
    """nn.MultiheadAttention where nothing needs a gradient (native_multi_head_attention_cuda), of one dense tensor."""
    def call(query, key, value, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, mask=None, need_weights=True, average=True, mask_type=None):
        if query.device.type != "cuda" or not query is key is value or query.is_nested:
            return plain(query, key, value, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, mask, need_weights, average, mask_type)
        if mask is None and not need_weights and width // heads % 8 == 0:
            return _attending(query, heads, qkv_weight, qkv_bias, out_weight, out_bias), None
        q, weights = _attending_plainly(query, heads, qkv_weight, mask)
        if not need_weights:
            weights = None
        x = _projected(q, out_weight, out_bias)
        if need_weights and average:
            weights = weights.sum(1).div_(heads)
        return x, weights
    return call


def _leave_padding_out(follow, p):
    """nn.TransformerEncoder in inference puts sequences that have a mask one after the other: as one sequence of all their tokens here, which knows their lengths.

    NestedTensor_nested_tensor_from_mask_left_aligned and NestedTensor_nested_tensor_from_mask (NestedTensorMath.cpp), nested_from_padded_cuda and
    NestedTensor_to_padded_tensor_cuda (cuda/NestedTensorTransformerFunctions.cpp).
    """
    plain_check, plain_nested, plain_padded = torch._nested_tensor_from_mask_left_aligned, torch._nested_tensor_from_mask, torch.Tensor.to_padded_tensor

    def ends(mask):
        zero = mask.new_zeros((mask.shape[0], 1))
        whole = torch.cat([mask, zero], 1)
        numbers = whole.to(torch.int32)
        found = numbers.argmin(1)
        del numbers, whole
        return zero, found, mask.cumsum(1)

    def aligned(tensor, mask):
        if tensor.device.type != "cuda":
            return plain_check(tensor, mask)
        zero, found, sums = ends(mask)
        same = found == sums[:, -1]
        asked, known = same.all(), _known.of(mask)
        del asked, same, found, zero, sums
        if known is None or tensor.dtype != torch.float32:
            follow.note("nn.TransformerEncoder may leave out padding here, where lengths are not known or numbers have 16 bits: what is counted keeps it")
            return False
        lengths = _plainly(lambda: known.sum(1))
        return _plainly(lambda: bool((known == (torch.arange(known.shape[1]) < lengths[:, None])).all()))

    def nested(tensor, mask, mask_check=True):
        if tensor.device.type != "cuda" or _known.of(mask) is None:
            return plain_nested(tensor, mask, mask_check)
        lengths = _plainly(lambda: _known.of(mask).sum(1).tolist())
        zero, found, sums = ends(mask)
        width = torch.full_like(found, tensor.shape[2])
        torch.cat([found[:, None], width[:, None]], 1)         # to the host
        del sums
        out = tensor.new_empty((1, sum(lengths), tensor.shape[2]))
        _plainly(torch.empty, 3 * len(lengths) + 4, dtype=torch.int64).to("cuda", torch.int32, non_blocking=True)    # sizes, those with padding, offsets
        del width, found, zero
        out._vramlab_lengths = lengths
        return out

    def padded(tensor, padding, output_size=None):
        lengths = getattr(tensor, "_vramlab_lengths", None)
        if lengths is None:
            return plain_padded(tensor, padding, output_size)
        out = tensor.new_empty(output_size or (len(lengths), max(lengths), tensor.shape[2]))
        _plainly(torch.empty, 3 * len(lengths) + 1, dtype=torch.int32).cuda()    # offsets and sizes
        return out

    p.set(torch, "_nested_tensor_from_mask_left_aligned", aligned)
    p.set(torch, "_nested_tensor_from_mask", nested)
    p.set(torch.Tensor, "to_padded_tensor", padded)


def _attending_apart(x, lengths, qkv_weight, qkv_bias, out_weight, out_bias):
    """Self-attention of each sequence by itself, told by where each begins (sdp_utils of transformers/nested)."""
    rows = x.view(-1, x.shape[2])
    qkv = torch.addmm(qkv_bias, rows, qkv_weight.t())
    starts = [torch.empty(len(lengths) + 1, dtype=torch.int32, device=x.device) for _ in range(2)]
    y = torch.empty_like(rows)
    starts.clear()
    out = torch.addmm(out_bias, y, out_weight.t())
    del y, qkv
    return out.view(x.shape)


def _encoder_layer(plain):
    """transformer_encoder_layer_forward and native_multi_head_attention_cuda (aten/src/ATen/native/transformers), of dense tensors and of sequences without padding."""
    def call(src, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, gelu, norm_first, eps, w1, b1, w2, b2, up, up_bias, down, down_bias,
             mask=None, mask_type=None):
        if src.device.type != "cuda":
            return plain(src, width, heads, qkv_weight, qkv_bias, out_weight, out_bias, gelu, norm_first, eps, w1, b1, w2, b2, up, up_bias, down,
                         down_bias, mask, mask_type)
        functional, (batch, length, _), lengths = torch.nn.functional, src.shape, getattr(src, "_vramlab_lengths", None)
        x = functional.layer_norm(src, (width,), w1, b1, eps) if norm_first else src
        if lengths is not None:
            x = _attending_apart(x, lengths, qkv_weight, qkv_bias, out_weight, out_bias)
        elif mask is None:
            x = _attending(x, heads, qkv_weight, qkv_bias, out_weight, out_bias)
        else:
            q, weights = _attending_plainly(x, heads, qkv_weight, mask)
            del weights
            x = _projected(q, out_weight, out_bias)
            del q
        x.add_(src)
        if not norm_first:
            x = functional.layer_norm(x, (width,), w1, b1, eps)
        before = x
        if norm_first:
            x = functional.layer_norm(x, (width,), w2, b2, eps)
        x = torch._addmm_activation(up_bias, x.view(-1, width), up.t(), use_gelu=gelu)
        x = torch.addmm(down_bias, x, down.t()).view(batch, length, width)
        x.add_(before)
        x = x if norm_first else functional.layer_norm(x, (width,), w2, b2, eps)
        if lengths is not None:
            x._vramlab_lengths = lengths
        return x
    return call


def _has_biases(each, projected):
    """Whether so many weights of a layer's direction are more than those of input, state and projection."""
    return each > (3 if projected else 2)


def _room_for_biases(weights, each, projected):
    """How many numbers cuDNN's buffer of all weights has: room for two biases is in it where there are none (CUDNN_RNN_DOUBLE_BIAS)."""
    biases = 0 if _has_biases(each, projected) else 2 * weights[0].shape[0] * (len(weights) // each)
    return sum(w.numel() for w in weights) + biases


def _flatten(self):
    """cuDNN wants the weights of a recurrent module in one buffer, of which they become views."""
    weights = [getattr(self, n) for names in self._all_weights for n in names] if hasattr(self, "_all_weights") else self._flat_weights
    if not weights or any(not isinstance(w, torch.Tensor) or w.device.type != "cuda" for w in weights):
        return
    storages = {w.untyped_storage()._cdata for w in weights}
    if len(storages) == 1 and len(weights) > 1 or weights[0].dtype not in torch.backends.cudnn.CUDNN_TENSOR_DTYPES:
        return
    with torch.no_grad():
        size = _room_for_biases(weights, len(weights) // (self.num_layers * (2 if self.bidirectional else 1)), self.proj_size)
        buffer = torch.zeros(size, dtype=weights[0].dtype, device=weights[0].device)
        at = 0
        for w in weights:
            part = buffer[at:at + w.numel()].view(w.shape)
            part.copy_(w)
            _take(w, part)
            at += w.numel()


def _halved(weights, each, projected):
    """Under autocast a recurrent layer computes in float16, whichever type autocast is for: its weights are copied into one buffer (_cudnn_rnn_cast_reflatten)."""
    if weights[0].dtype in (torch.float16, torch.float64):
        return weights
    buffer, parts, at = torch.zeros(_room_for_biases(weights, each, projected), dtype=torch.float16, device=weights[0].device), [], 0
    for w in weights:
        part = buffer[at:at + w.numel()].view(w.shape).detach()    # of which autograd knows what is copied alone
        parts.append(part.copy_(w))
        at += w.numel()
    return parts


def _recurrent(mode, plain, follow, device):
    """The recurrent function of that number at cuDNN, as PyTorch calls it for a CUDA tensor (aten/src/ATen/native/cudnn/RNN.cpp)."""
    def call(input, *rest):
        packed = not isinstance(rest[2], bool)
        if input.device.type != "cuda":
            return plain(input, *rest)
        if packed:
            sizes, hidden, weights, biases, layers, dropout, train, both = rest
            known = _known.of(sizes)
            sizes, first = [1] * int(sizes.shape[0]) if known is None else _plainly(plain_tolist, known), False
        else:
            hidden, weights, biases, layers, dropout, train, both, first = rest
            sizes = []
        hx, cx = (hidden[0], hidden[1]) if mode == 2 else (hidden, None)
        width = (cx if cx is not None else hx).shape[-1]
        projected = hx.shape[-1] if cx is not None and hx.shape[-1] != width else 0
        state = follow.dropout.get("state") if dropout > 0 and train else None
        if dropout > 0 and train and state is None:            # random numbers for every thread that the device can run
            torch.empty((), dtype=torch.int64, device=input.device).random_()    # the seed
            state = follow.dropout["state"] = torch.empty(device[2] * THREADS * RANDOM_STATE, dtype=torch.uint8, device=input.device)
        per = len(weights) // (layers * (2 if both else 1))
        if torch.is_autocast_enabled("cuda"):
            weights = _halved(weights, per, projected)
            cx, hx, input = [t if t is None or t.dtype == torch.float64 else t.half() for t in (cx, hx, input)]
        with torch._C._DisableAutocast():
            out, hy, cy, _, _ = aten._cudnn_rnn(input, list(weights), per, weights[0].new_empty(0), hx, cx, mode, width, projected, layers, first,
                                                dropout, train, both, sizes, state)
        return (out, hy, cy) if mode == 2 else (out, hy)
    return call


_library = []
# Operations that have kernels of CUDA's and none for tensors without memory.
FUSED_STEPS = ("_fused_sgd_", "_fused_sgd_.tensor_lr", "_fused_adagrad_", "_fused_adagrad_.tensor_lr", "_fused_adam_.tensor_lr", "_fused_adamw_.tensor_lr")
LIKE_THE_FIRST = ("_standard_gamma", "_standard_gamma_grad", "_sample_dirichlet", "_dirichlet_grad", "binomial", "_masked_softmax", "_masked_softmax_backward")
LIKE_THE_SECOND = ("multi_margin_loss_backward", "multilabel_margin_loss_backward", "fractional_max_pool3d_backward")
WITH_A_MASK = ("fake_quantize_per_tensor_affine_cachemask", "fake_quantize_per_channel_affine_cachemask",
               "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams")


def _metas_of_recurrent_layers():
    if _library:
        return
    library = torch.library.Library("aten", "IMPL", "Meta")

    def backward(input, weight, weight_stride0, weight_buf, hx, cx, output, grad_output, grad_hy, grad_cy, *rest):
        turned = torch.empty_like(input.transpose(0, 1), memory_format=torch.contiguous_format).transpose(0, 1)
        if _has_biases(weight_stride0, rest[2]):               # the weights' gradients are parts of one, else copied out of it
            whole = weight[0].new_empty(sum(w.numel() for w in weight))
            gradients = [part.view(w.shape) for w, part in zip(weight, whole.split([w.numel() for w in weight]))]
        else:
            gradients = [torch.empty_like(w, memory_format=torch.contiguous_format) for w in weight]
        return (turned if rest[FIRST_OF_RNN - 6] else torch.empty_like(input), torch.empty_like(hx), torch.empty_like(cx) if cx is not None else None, gradients)

    def gru(ig, hg, hx, *rest):
        return torch.empty_like(hx), hx.new_empty((hx.shape[0], 5 * hx.shape[1]))

    def gru_backward(grad, workspace, bias):
        gates = lambda: grad.new_empty((grad.shape[0], 3 * grad.shape[1]))
        sums = lambda: grad.new_empty((3 * grad.shape[1],)) if bias else None
        return gates(), gates(), torch.empty_like(grad), sums(), sums()

    def lstm(ig, hg, cx, *rest):
        return torch.empty_like(cx), torch.empty_like(cx), torch.empty_like(ig)

    def lstm_backward(grad_hy, grad_cy, cx, cy, workspace, bias):
        return torch.empty_like(workspace), torch.empty_like(cx), workspace.new_empty((workspace.shape[1],)) if bias else None

    def first(t, *rest, **named):
        return torch.empty_like(t)

    def second(_, t, *rest, **named):
        return torch.empty_like(t)

    def masked(t, *rest, **named):
        return torch.empty_like(t), torch.empty_like(t, dtype=torch.bool)

    library.impl("_cudnn_rnn_backward", backward)
    library.impl("cudnn_grid_sampler", lambda input, grid: input.new_empty((*input.shape[:2], *grid.shape[1:3])))
    library.impl("cudnn_grid_sampler_backward", lambda input, grid, gradient: (input.new_empty(input.shape), grid.new_empty(grid.shape)))
    library.impl("_ctc_loss_backward", lambda grad, scores, *rest: torch.empty_like(scores, memory_format=torch.contiguous_format))
    for name, meta in (("_thnn_fused_gru_cell", gru), ("_thnn_fused_gru_cell_backward", gru_backward), ("_thnn_fused_lstm_cell", lstm),
                       ("_thnn_fused_lstm_cell_backward_impl", lstm_backward), *((name, lambda *a, **k: None) for name in FUSED_STEPS), *((name, first) for name in LIKE_THE_FIRST),
                       *((name, second) for name in LIKE_THE_SECOND), *((name, masked) for name in WITH_A_MASK)):
        if not torch._C._dispatch_has_kernel_for_dispatch_key("aten::" + name, "Meta"):
            library.impl(name, meta)
    _library.append(library)
    _library.append(_views_of_zeros())


def _views_of_zeros():
    """Zeros that are never written (tangents of what does not change) are viewed by kernels that go past fake tensors; where these step aside, views are made as of others."""
    library = torch.library.Library("aten", "IMPL", "ZeroTensor")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)           # of a kernel that is replaced
        for name in ("view", "as_strided", "_reshape_alias"):  # RegisterZeroTensor.cpp
            library.impl(name, torch.library.fallthrough_kernel)
    return library


# ---- for users

def _device(name):
    """The GPU of that name, or the only one whose name begins so. Case, blanks, hyphens and the maker do not matter, and an RTX A6000 is an A6000, too."""
    def plain(text):
        text = re.sub(r"[-_\s]+", " ", text.lower())
        return re.sub(r"\b(nvidia|geforce|tesla|generation|blackwell|(workstation|server) edition|sxm\d?|hbm\de?)\b", "", text).replace(" ", "")

    known, written = {plain(gpu): gpu for gpu in DEVICES}, plain(name)
    for asked in (written, written.replace("pcie", "")):
        asked = plain(CALLED.get(asked, asked))
        begun = [gpu for key, gpu in known.items() if asked and (key.startswith(asked) or asked[0].isalpha() and key.startswith("rtx" + asked))]
        if asked in known or len(begun) == 1:
            return known.get(asked) or begun[0]
    raise TraceError(f"no GPU is called {name!r}; known are {', '.join(DEVICES)}")


@contextlib.contextmanager
def record(path, device="H100-80GB", script=None):
    """Records what runs inside, into the file `path`, as the named GPU would run it.

    The recording ends with the block; a program's error passes through, and the file then holds what came before it.
    """
    global vramlab_philox
    vramlab_philox = _beside("vramlab_philox")
    device = _device(device)
    if not torch.__version__.startswith("2.11."):
        print(f"vramlab_trace: written for PyTorch 2.11, this is {torch.__version__}; figures may differ", file=sys.stderr)
    _let_backward_run()
    _metas_of_recurrent_layers()
    _awaited.clear()
    gpu, patches = DEVICES[device], _Patches()
    from torch.optim import optimizer as optimizers
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=5) as out:
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
    """Workspaces of convolutions as cuDNN answers for that GPU, where vramlab_cudnn.py lies beside this file and finds it."""
    vramlab_cudnn = _beside("vramlab_cudnn")
    if vramlab_cudnn is None:
        return
    cudnn = vramlab_cudnn.find(gpu)
    if cudnn is not None:
        vramlab_cudnn.annotate(path, cudnn)


class _Enough(BaseException):
    """So many optimizer steps as were asked for are recorded."""


ADVICE = [
    (("nvidia-smi", "nvml"),
     "There is no GPU here, and so nobody to ask about it: torch.cuda.get_device_properties and torch.cuda.mem_get_info answer for the GPU that is recorded for."),
    (("attempted relative import",),
     "The script belongs to a package: record it as a module, -m PACKAGE.MODULE, in the folder above the package's."),
    (("connecterror", "connectionerror", "urlerror", "localentrynotfound", "offlinemodeisenabled", "maxretryerror", "gaierror", "couldn't connect", "can't load the conf"),
     "The program wanted something from the network. Weights are never read here, but a configuration, a tokenizer or a data set may be: run it once where "
     "there is a network, so that it lies in the cache, or build the model from its configuration and feed it torch.randint(…) of the right shape."),
    (("dataset not found", "no such file", "filenotfound", "datasetnotfound"),
     "The program wanted a file that is not here. Only shapes count: stand-ins of the right shape do, for instance torchvision.datasets.FakeData or a "
     "TensorDataset of torch.randn(…)."),
    (("modulenotfound", "no module named"),
     "The program's own packages are needed, as where it trains: python -m pip install them beside PyTorch."),
    (("bitsandbytes", "quantization", "triton", "flash_attn"),
     "Kernels that are not PyTorch's own cannot be recorded. Record the program without them; attention by torch.nn.functional.scaled_dot_product_attention "
     "takes as much as flash_attn does."),
]


def _advice(error):
    text = " ".join(f"{type(e).__name__} {e}".lower() for e in _causes(error))
    return next((advice for words, advice in ADVICE if any(word in text for word in words)), None)


def _causes(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


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
        raise
    except Exception as e:
        _tell(e, path)
        sys.exit(1)
    storages = follow.next - 1
    if storages == 0:
        print(f"vramlab_trace: {path}: nothing was put on a GPU, and what runs on the CPU takes none of its memory. Move the model and its input to "
              "\"cuda\", which works here without a GPU.", file=sys.stderr)
        return
    print(f"vramlab_trace: {path}: {storages:,} storage{'s' * (storages > 1)}, {follow.peak:,} bytes at the peak before the allocator's rounding; "
          f"now: vramlab plan {path}", file=sys.stderr)


def _tell(error, path):
    """The program's error as Python tells it, without this file's frames, and what may help."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != HERE and not f.filename.startswith("<frozen")]
    print("Traceback (most recent call last):\n" + "".join(traceback.format_list(frames)) + "".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
    print(f"vramlab_trace: the program ended with this error; {path} holds what came before it, and is no answer to whether it fits.", file=sys.stderr)
    advice = _advice(error)
    if advice is not None:
        print(f"vramlab_trace: {advice}", file=sys.stderr)


if __name__ == "__main__":
    main()
