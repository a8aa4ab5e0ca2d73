"""The mode of dispatch that sees each operation: it runs it, lays its result, remembers what is known of it, and writes the line."""
import contextlib, math, os, tempfile, weakref

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from .backward import COPY_SLICES, _Backward
from .bounds import _bound
from .common import FOLDER, OURS, TORCH, aten, _beside, _on_device, _plainly, TraceError, _wraps
from .compressed import _how_compressed
from .computed import ASKS_AMD, ASKS_CTC, COMPUTED, INSTEAD, OPENED, WITH_VECTORS, cudnn_computes_ctc
from .functions import _folded
from .holders import _Holders
from .known import FACTORIES, MOST_KNOWN, _known
from .layout import (
    AS_GRADIENT, CONVOLUTIONS, CUDNN_AS_IT_IS, PACKED, POINTWISE, _as_cudnn_lays, _as_gradient, _as_iterated, _cudnn_settings, _packed_first)
from .lines import _Lines
from .parts import MASKS, OF_DRAWN, PARTS, SPLITS, WITH_PLACES, _count_written, _draw_out, _pad_out
from .ranks import _rank_out
from .recurrent import FIRST_OF_RNN, _has_biases, _room_for_biases
from .shares import _count_at_most, _share_out
from .sparse import AS_OTHERS, _how_sparse
from .unknown import COMPARES, _Unknown

PUTS = {aten.index_put.default, aten.index_put_.default, aten._index_put_impl_.default}


def _is_composed(op):
    """Whether a CUDA tensor runs this operation as others; some have a kernel besides."""
    has = lambda key: torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)
    return has("CompositeImplicitAutograd") and not has("CUDA")


class _Follow(_Lines, _Holders, _Backward, _Unknown, TorchDispatchMode):
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
        self.captured_on = {}                                  # the stream that works for each pool of a graph, in a list
        self.loops = None                                      # how loops go that end by unknown values; its file lies beside this one
        self.values = 0                                        # inside of what wants values of factorizations without vectors
        self.hooks = 0                                         # streams that a hook in backward has turned to
        self.streams_of = {}                                   # autograd's sequence number -> the stream of forward
        self.home = {}                                         # storage -> its stream, where that is not the default one
        self.progress = None
        self.hidden = (TORCH, *OURS, "<frozen", os.path.join(FOLDER, "vramlab_compile"), os.path.join(tempfile.gettempdir(), "vramlab_compile"))
        self.cudnn = CUDNN_AS_IT_IS                            # the settings that the file's lines belong to
        self.searching = 0                                     # in LBFGS, one more than the values that it has asked for
        self.graphs = 0                                        # captured ones
        self.compiled = lambda: False                          # whether what runs was handed to torch.compile
        self.silent = 0                                        # while the recorder itself makes tensors
        vramlab_zeros = _beside("vramlab_zeros")               # without it masks whose making does not tell are taken to be set everywhere
        self.zeros = vramlab_zeros and vramlab_zeros.Zeros(_known.of, _plainly, lambda mask: self.hinted(mask)[0])
        self.shared = False                                    # whether a storage was used on a stream that it does not belong to

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
        if self.linear and op is aten.add.Tensor and isinstance(args[1], torch.Tensor) and torch.broadcast_shapes(args[0].shape, args[1].shape) == args[0].shape:
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

    def tell_cudnn(self):
        """A line for the settings by which cuDNN's plans are chosen, where they are others than before."""
        settings = _cudnn_settings()
        if settings != self.cudnn:
            self.cudnn = settings
            self.line("c", *settings)
            if settings[0]:
                self.note("torch.backends.cudnn.benchmark is on: where a shape is met first, cuDNN tries its plans with the largest workspace of all, and PyTorch empties its cache; "
                          "which plan it keeps is a matter of time: counted is the first, the range has all that it tries")

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

    @contextlib.contextmanager
    def unseen(self):
        self.silent += 1
        try:
            yield
        finally:
            self.silent -= 1
