"""Every operation, module and optimizer of PyTorch's own lists (op_db, module_db, optim_db), each between markers, on a GPU or under the recorder.

    python listed_operations.py plan CASES.json                          chooses the cases and names them
    python listed_operations.py run CASES.json GROUP OUT [START]         runs a group's cases from START on a GPU: OUT.status, OUT.events
    python listed_operations.py record CASES.json GROUP OUT RECORDER     the same without a GPU under vramlab_trace.py in the folder RECORDER: OUT.status, OUT.trace
    python listed_operations.py drive CASES.json OUTDIR JOBS SECONDS     all groups on a GPU, starting again after a case that ends the process

A marker is an empty tensor of BASE + 8 * case + 2 * phase + 1 bytes: phase 0 before forward, 1 before backward, 2 after it, 3 when all is let go.
OUT.events has a line for each case: its number, then forward, backward and release, tab between them: +SIZE, -N (N-th of the case), -x (of before).
"""
import collections, concurrent.futures, copy, gc, hashlib, itertools, json, os, random, re, signal, subprocess, sys, time, warnings

warnings.simplefilter("ignore")
BASE, GROUPS = 3_000_000, 48
DEVICE = os.environ.get("DEVICE", "cuda")    # "cpu" tries the script where there is no GPU, with no events
LARGE = ((67, 130, 257, 33), (29, 66, 130, 17))
MOST = 24 << 20
SKIPPED = {"torch.ops.aten._flash_attention_forward", "torch.ops.aten._efficient_attention_forward"}

import numpy, torch
from torch.testing._internal import common_methods_invocations as methods, common_modules, common_optimizers
from torch.testing._internal.opinfo import core

OTHER = (torch.bfloat16, torch.float16, torch.int64, torch.bool, torch.complex64)


class TooLarge(Exception):
    pass


class Sizes:
    """The lists' S, M, L and XS as given, inside; tensors of more than MOST bytes are refused."""

    def __init__(self, sizes):
        self.sizes, self.undo = sizes, []

    def __enter__(self):
        if self.sizes is None:
            return
        for name, module in list(sys.modules.items()):
            if name.startswith("torch.testing._internal.opinfo") or module is methods:
                for key, was, now in zip(("S", "M", "L", "XS"), (5, 10, 20, 3), self.sizes):
                    if getattr(module, key, None) == was:
                        self.undo.append((module, key, was))
                        setattr(module, key, now)
                make = getattr(module, "make_tensor", None)
                if make is not None:
                    def limited(*shape, _make=make, **kwargs):
                        dims = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list, torch.Size)) else shape
                        if numpy.prod([int(d) for d in dims], dtype=float) * 4 > MOST:
                            raise TooLarge()
                        return _make(*shape, **kwargs)
                    self.undo.append((module, "make_tensor", make))
                    module.make_tensor = limited

    def __exit__(self, *_):
        for module, key, was in self.undo:
            setattr(module, key, was)


def walk(v, f):
    if isinstance(v, torch.Tensor):
        return f(v)
    if isinstance(v, dict):
        return {k: walk(x, f) for k, x in v.items()}
    if isinstance(v, tuple) and hasattr(v, "_fields"):
        return type(v)(*(walk(x, f) for x in v))
    if isinstance(v, (list, tuple)):
        return type(v)(walk(x, f) for x in v)
    return v


def tensors(v):
    found = []
    walk(v, lambda t: found.append(t))
    return found


def said(v):
    """A text by which two samples are the same."""
    if isinstance(v, torch.Tensor):
        return f"{v.dtype}{tuple(v.shape)}{tuple(v.stride()) if v.layout == torch.strided else v.layout}{'g' if v.requires_grad else ''}"
    if isinstance(v, dict):
        return "{" + ",".join(f"{k}:{said(x)}" for k, x in v.items()) + "}"
    if isinstance(v, (list, tuple)):
        return "[" + ",".join(said(x) for x in v) + "]"
    if isinstance(v, (float, complex)):
        return type(v).__name__
    return re.sub(r"0x[0-9a-f]+", "", str(v))


def bytes_of(v):
    return sum(t.numel() * t.element_size() for t in tensors(v) if t.layout == torch.strided)


def seed():
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)


# ---- samples of operations; each a tuple (input, args, kwargs)

def op_samples(op, dtype, size, most=60):
    seed()
    grad = op.supports_autograd and dtype in op.supported_backward_dtypes("cuda")
    found = []
    with Sizes(size):
        try:
            for s in itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=grad), most):
                found.append(s)
        except TooLarge:
            pass
    return found


OPS = {}
for op in methods.op_db:
    OPS.setdefault(op.name + ("." + op.variant_test_name if op.variant_test_name else ""), op)
MODULES = {m.name: m for m in common_modules.module_db}
OPTIMIZERS = {o.optim_cls.__name__: o for o in common_optimizers.optim_db}


def module_inputs(info, dtype, training):
    seed()
    return list(info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=True, training=training))


def optimizer_inputs(info):
    seed()
    return common_optimizers._get_optim_inputs_including_global_cliquey_kwargs("cuda", torch.float32, info, skip=("differentiable",))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def spread(items, n):
    if len(items) <= n:
        return items
    return items[:1] if n == 1 else [items[round(i * (len(items) - 1) / (n - 1))] for i in range(n)]


def plan(path):
    cases, begin = [], time.time()
    for name, op in sorted(OPS.items()):
        if name in SKIPPED:
            continue
        met = set()
        for dtype in (torch.float32, *OTHER):
            if dtype not in op.supported_dtypes("cuda"):
                continue
            for size in ((None, *LARGE) if dtype == torch.float32 else (None,)):
                if size == LARGE[1] and any(c[1] == name and c[4] == 0 for c in cases):
                    continue
                try:
                    samples = op_samples(op, dtype, size)
                except Exception as e:
                    print("no samples:", name, dtype, size, type(e).__name__, str(e)[:100], file=sys.stderr)
                    continue
                fresh = []
                for i, s in enumerate(samples):
                    text = said((s.input, s.args, s.kwargs))
                    if (dtype, text) not in met and (size is None or 16384 < bytes_of((s.input, s.args, s.kwargs)) < MOST):
                        met.add((dtype, text))
                        fresh.append((i, text))
                which = -1 if size is None else LARGE.index(size)
                chosen = spread(fresh, 5 if which < 0 else 3) if dtype == torch.float32 else [f for f in fresh if "()" not in f[1]][:1] or fresh[:1]
                if not fresh and not samples:
                    print("empty:", name, dtype, size, file=sys.stderr)
                for i, text in chosen:
                    cases.append(["op", name, str(dtype)[6:], "f", which, i, digest(text)])
                if dtype == torch.float32 and which < 0 and op.inplace_variant is not None and chosen:
                    i, text = chosen[0]
                    cases.append(["op", name, str(dtype)[6:], "i", which, i, digest(text)])
    for name, info in sorted(MODULES.items()):
        for dtype in (torch.float32, torch.bfloat16):
            for training in (True, False):
                try:
                    inputs = module_inputs(info, dtype, training)
                except Exception as e:
                    print("no inputs:", name, dtype, type(e).__name__, str(e)[:100], file=sys.stderr)
                    continue
                every = [(i, said((x.constructor_input.args, x.constructor_input.kwargs, x.forward_input.args, x.forward_input.kwargs))) for i, x in enumerate(inputs)]
                for i, text in spread(every, (6 if training else 2) if dtype == torch.float32 else 2 if training else 1):
                    cases.append(["module", name, str(dtype)[6:], "t" if training else "e", -1, i, digest(text)])
    for name, info in sorted(OPTIMIZERS.items()):
        for i, x in enumerate(optimizer_inputs(info)):
            cases.append(["optimizer", name, "float32", "f", -1, i, digest(said(x.kwargs))])
    names = {}
    for c in cases:                                            # all of one operation's in one group, one after another
        names.setdefault((c[0], c[1]), []).append(c)
    groups = [[] for _ in range(GROUPS)]
    for n, each in enumerate(names.values()):
        groups[n % GROUPS] += each
    cases, at = [], []
    for g in groups:
        at.append(len(cases))
        cases += g
    with open(path, "w") as f:
        json.dump({"starts": at + [len(cases)], "cases": cases}, f, separators=(",", ":"))
    print(len(cases), "cases,", round(time.time() - begin), "s,", collections.Counter(c[0] for c in cases))


# ---- how a case runs

def moved(v):
    return walk(v, lambda t: t.detach().to(DEVICE).requires_grad_(t.requires_grad))


def on_cuda(kwargs):
    return {k: DEVICE if k == "device" and str(v).startswith("cpu") else v for k, v in kwargs.items()}


def backward(out):
    outs = [t for t in tensors(out) if t.requires_grad and t.layout == torch.strided]
    return outs, [torch.ones_like(t) for t in outs]


def prepare(case):
    """What the case's call needs, on the host, as a function of nothing that gives (inputs, call)."""
    kind, name, dtype, mode, which, index, fingerprint = case
    dtype = getattr(torch, dtype)
    if kind == "op":
        op = OPS[name]
        key = (name, dtype, which)
        if prepare.key != key:
            prepare.key, prepare.samples = key, op_samples(op, dtype, None if which < 0 else LARGE[which])
        s = prepare.samples[index]
        if digest(said((s.input, s.args, s.kwargs))) != fingerprint:
            return None

        def inputs():
            taken = moved((s.input, tuple(s.args), on_cuda(s.kwargs)))
            if mode == "i":
                with torch.no_grad():
                    taken = (walk(taken[0], lambda t: t.detach()), *walk(taken[1:], lambda t: t.detach()))
            return taken

        def call(taken):
            x, args, kwargs = taken
            return s.output_process_fn_grad((op.inplace_variant if mode == "i" else op.op)(x, *args, **kwargs))
        return inputs, call, backward
    if kind == "module":
        info = MODULES[name]
        key = (name, dtype, mode)
        if prepare.key != key:
            prepare.key, prepare.samples = key, module_inputs(info, dtype, mode == "t")
        x = prepare.samples[index]
        if digest(said((x.constructor_input.args, x.constructor_input.kwargs, x.forward_input.args, x.forward_input.kwargs))) != fingerprint:
            return None

        def inputs():
            module = info.module_cls(*x.constructor_input.args, **x.constructor_input.kwargs)
            module = module.to(DEVICE).to(dtype)
            module.train(mode == "t")
            return module, moved((x.forward_input.args, x.forward_input.kwargs))

        def call(taken):
            module, (args, kwargs) = taken
            return module(*args, **kwargs)
        return inputs, call, backward
    info = OPTIMIZERS[name]
    if prepare.key != name:
        prepare.key, prepare.samples = name, optimizer_inputs(info)
    x = prepare.samples[index]
    if digest(said(x.kwargs)) != fingerprint:
        return None

    def inputs():
        params = [torch.nn.Parameter(torch.randn(*s, device=DEVICE)) for s in ((37, 29), (29, 64), (64, 130)) + (() if name == "Muon" else ((29,), (3, 5, 7)))]
        for p in params:
            p.grad = torch.ones_like(p)
        if name == "SparseAdam":
            for p in params:
                p.grad = p.grad.to_sparse()
        return params, info.optim_cls(params, **copy.deepcopy(x.kwargs))

    def step(taken):
        params, optimizer = taken
        if name == "LBFGS":
            def closure():
                optimizer.zero_grad()
                loss = sum(p.square().sum() for p in params)
                loss.backward()
                return loss
            return optimizer.step(closure)
        return optimizer.step()

    def again(out):
        return None, None
    return inputs, step, again


prepare.key = None


def marker(case, phase):
    torch.empty(BASE + 8 * case + 2 * phase + 1, dtype=torch.uint8, device=DEVICE)


def problem(e):
    return f"{type(e).__name__}: {str(e)[:240]}".replace("\n", " ").replace("\t", " ")


class Lost(BaseException):
    pass


def one(number, case, made, status, check):
    """Runs one case; what went wrong is told by phase."""
    inputs, call, back = made
    told = []
    torch.manual_seed(0)
    taken = out = outs = grads = None
    try:
        taken = inputs()
    except Exception as e:
        told.append("inputs " + problem(e))
    check(told)
    marker(number, 0)
    if not told:
        try:
            out = call(taken)
        except Exception as e:
            told.append("forward " + problem(e))
        check(told)
    if not told:
        try:
            outs, grads = back(out)
        except Exception as e:
            told.append("gradients " + problem(e))
    marker(number, 1)
    if not told:
        try:
            if outs:
                torch.autograd.backward(outs, grads)
            elif outs is None:
                call(taken)                                    # an optimizer's second step
        except Exception as e:
            told.append("backward " + problem(e))
        check(told)
    marker(number, 2)
    del outs, grads, out
    del taken, inputs, call, back
    gc.collect()
    marker(number, 3)
    status.write(f"{number}\t{'; '.join(told) or 'ran'}\n")
    status.flush()


def prepared(cases, numbers, status):
    """On the host, before anything is recorded."""
    ready = {}
    for n in numbers:
        try:
            ready[n] = prepare(cases[n])
            if ready[n] is None:
                status.write(f"{n}\tother sample\n")
        except Exception as e:
            status.write(f"{n}\tno sample {problem(e)}\n")
    status.flush()
    return {n: r for n, r in ready.items() if r is not None}


def warm():
    """cuBLAS's workspaces, of this thread and backward's."""
    x = torch.ones(8, 8, device=DEVICE, requires_grad=True)
    (x @ x).sum().backward()


def sequences(events):
    """By case and phase, what was taken and given back."""
    found, live, case, phase, count = {}, {}, None, None, 0
    for kind, address, size in events:
        if kind == "+":
            marked = size - BASE
            if marked > 0 and marked % 2 == 1 and marked < 8 * 100000:
                case, phase = marked // 8, marked % 8 // 2
                if phase == 0:
                    count, live = 0, {}
                    found[case] = [[], [], []]
                live[address] = None
            elif case is not None and phase < 3:
                live[address] = count
                found[case][phase].append(f"+{size}")
                count += 1
        elif case is not None:
            which = live.pop(address, "x")
            if which is not None and phase < 3:
                found[case][phase].append(f"-{which}")
    return found


def write(found, path):
    with open(path, "a") as f:
        for case, phases in sorted(found.items()):
            f.write(f"{case}\t" + "\t".join(" ".join(p) for p in phases) + "\n")


def run(path, group, out, start=None, skip=""):
    with open(path) as f:
        table = json.load(f)
    begin = time.time()
    first, end = table["starts"][int(group)], table["starts"][int(group) + 1]
    numbers = [n for n in range(max(first, int(start or 0)), end) if str(n) not in skip.split(",")]
    with open(out + ".status", "a") as status:
        ready = prepared(table["cases"], numbers, status)
        gc.collect()
        gc.freeze()
        warm()
        ready_at = time.time()
        if DEVICE == "cuda":
            torch.cuda.synchronize()
            torch.cuda.memory._record_memory_history("all", context=None, max_entries=4_000_000)

        def check(told):
            try:
                if DEVICE == "cuda":
                    torch.cuda.synchronize()
            except BaseException as e:
                raise Lost(f"{'; '.join(told)} LOST {problem(e)}") from None

        code = 0
        for n in numbers:
            if n not in ready:
                continue
            with open(out + ".at", "w") as f:
                f.write(str(n))
            try:
                one(n, table["cases"][n], ready.pop(n), status, check)
            except Lost as e:
                status.write(f"{n}\t{e}\n")
                code = 3
                break
        events = []
        for e in torch.cuda.memory._snapshot()["device_traces"][0] if DEVICE == "cuda" else ():
            if e["action"] == "alloc":
                events.append(("+", e["addr"], e["size"]))
            elif e["action"] == "free_requested":
                events.append(("-", e["addr"], e["size"]))
        write(sequences(events), out + ".events")
        status.write(f"# {ready_at - begin:.1f} s to begin, {time.time() - ready_at:.1f} s for cases\n")
    sys.stdout.flush()
    os._exit(code)


def record(path, groups, folder, recorder, device="H100-80GB"):
    with open(path) as f:
        table = json.load(f)
    for group in groups.split(","):
        record_group(table, int(group), os.path.join(folder, "%02d" % int(group)), recorder, device)


def record_group(table, group, out, recorder, device):
    numbers = range(table["starts"][group], table["starts"][group + 1])
    only, chosen = os.environ.get("ONLY"), os.environ.get("CASES")    # operations by name, or a file with the numbers of cases, of all groups
    if chosen:
        with open(chosen) as f:
            numbers = json.load(f)
    with open(out + ".status", "w") as status:
        ready = prepared(table["cases"], [n for n in numbers if not only or table["cases"][n][1] in only.split(",")], status)
        gc.collect()
        gc.freeze()
        if recorder not in sys.path:
            sys.path.insert(0, recorder)
        import vramlab_trace
        places = {}                                            # the lists hold functions of before the recording began; programs see those of during it
        for module in (torch, torch.nn.functional, torch.linalg, torch.fft, torch.special, torch.Tensor):
            for key in dir(module):
                places.setdefault(id(getattr(module, key, None)), (module, key))
        known = [(op, which, places.get(id(getattr(op, which)))) for op in OPS.values() for which in ("op", "inplace_variant")]
        with vramlab_trace.record(out + ".trace", device=device):
            for op, which, place in known:
                if place is not None:
                    setattr(op, which, getattr(*place))
            warm()
            torch.cuda.synchronize()
            for n in list(ready):
                one(n, table["cases"][n], ready.pop(n), status, lambda told: None)


def drive(path, folder, jobs, seconds):
    os.makedirs(folder, exist_ok=True)
    with open(path) as f:
        starts = json.load(f)["starts"]
    end = time.time() + float(seconds)

    def group(g):
        out, start, skip, said = os.path.join(folder, f"{g:02d}"), starts[g], [], []
        while start < starts[g + 1] and time.time() < end:
            try:
                done = subprocess.run([sys.executable, os.path.abspath(__file__), "run", path, str(g), out, str(start), ",".join(skip)],
                                      capture_output=True, text=True, timeout=max(1, min(150, end - time.time())))
                code, err = done.returncode, done.stderr[-600:]
            except subprocess.TimeoutExpired:
                code, err = "timeout", ""
            if code == 0:
                break
            said.append(f"{code} {err}")
            try:
                with open(out + ".at") as f:
                    at = int(f.read())
            except Exception:
                break
            if code == 3:                                      # its events were written
                start = at + 1
                continue
            with open(out + ".status", "a") as f:
                f.write(f"{at}\tPROCESS ENDED {code} {err[-200:]!r}\n")
            skip.append(str(at))                               # all anew, without that one
            if len(skip) > 6:
                break
        return g, said

    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        for g, said in pool.map(group, range(len(starts) - 1)):
            if said:
                print(g, said)


if __name__ == "__main__":
    {"plan": plan, "run": run, "record": record, "drive": drive}[sys.argv[1]](*sys.argv[2:])
