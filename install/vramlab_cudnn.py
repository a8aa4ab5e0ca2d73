"""What cuDNN itself answers, on a machine without a GPU, when it is asked for the workspace of a convolution.

PyTorch for CUDA brings cuDNN along, and since 9.8 cuDNN's heuristics can be asked for a device that is only described
(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR). vramlab_trace.py does so where it finds the library (another PyTorch's cuDNN answers where VRAMLAB_CUDNN names its folder), as PyTorch would: the first engine of
CUDNN_HEUR_MODE_INSTANT that does not convert its inputs down. Answers are written into the trace; the plan prefers them over its own rule.

Two things differ from a real device. Engines on top of cuBLAS are offered only in a process of its own, where vramlab_cublas.py stands in for it (answers then say so, ALL_ENGINES); else the plan
decides which products they compute. Those of 16 bits for a group for each channel are not offered. And kernels that share their sums among multiprocessors (compute capability 9.0) are told as if
there were 18 of them; the plan counts them for the described GPU, by the engine and its settings.
"""
import ctypes, glob, gzip, json, os, subprocess, sys

INT64, DTYPE, FLOAT, MODE, HEURISTICS, DESCRIPTOR, NOTE, CHAR = 3, 1, 4, 7, 8, 15, 11, 24
TENSOR, CONVOLUTION, ENGINE, CONFIG, HEUR, PLAN, KNOBS, GRAPH, DEVICE = 17, 1, 2, 3, 4, 5, 6, 15, 38
DTYPES = {"float32": 0, "float16": 2, "bfloat16": 9, "float64": 1}
# (descriptor, convolution, weight, input, output, alpha, beta) of forward, gradient of the input, gradient of the weight
OPERATIONS = [(10, 702, 703, 704, 705, 700, 701), (12, 708, 709, 710, 711, 706, 707), (11, 714, 715, 716, 717, 712, 713)]
DOWN_CONVERT, NONDETERMINISTIC, TENSOR_CORE = 1, 4, 0           # numerical notes of engines
CHOICE, KIND_OF_CHOICE, MOST_CHOICES = 7, 9, 44
ALIGNED = 32
ALL_ENGINES = 100                                          # no number of cuDNN's: that engines on cuBLAS were offered as well

# What CUDA's deviceQuery prints of a GPU, beside what a recording says of it: bytes of the second level's cache, the memory's and the multiprocessors' clock in kHz.
# The memory's is half of what a pin carries: NVIDIA's specified bandwidth is 2 x clock x width of the bus, 2 x 7,501 MHz x 192 bits = 360 GB/s of an RTX 3060.
# The cache and the clock of an H200 and an H100 were measured; the others' are published.
PUBLISHED = {
    "NVIDIA H200": (62914560, 3201000, 1980000),
    "NVIDIA H100 80GB HBM3": (52428800, 2619000, 1980000),
    "NVIDIA H100 NVL": (62914560, 2619000, 1785000),
    "NVIDIA H100 PCIe": (52428800, 1593000, 1755000),
    "NVIDIA GH200 480GB": (62914560, 2619000, 1980000),
    "NVIDIA H20": (62914560, 2619000, 1980000),
    "NVIDIA B200": (132644864, 3996000, 1965000),
    "NVIDIA A100-SXM4-40GB": (41943040, 1215000, 1410000),
    "NVIDIA A100-SXM4-80GB": (41943040, 1593000, 1410000),
    "NVIDIA A30": (25165824, 1215000, 1440000),
    "Tesla V100-SXM2-16GB": (6291456, 877000, 1530000),
    "Tesla V100-SXM2-32GB": (6291456, 877000, 1530000),
    "NVIDIA L40S": (100663296, 9001000, 2520000),
    "NVIDIA L4": (50331648, 6251000, 2040000),
    "NVIDIA A40": (6291456, 7251000, 1740000),
    "NVIDIA A10": (6291456, 6251000, 1695000),
    "NVIDIA A10G": (6291456, 6251000, 1710000),
    "Tesla T4": (4194304, 5001000, 1590000),
    "NVIDIA RTX PRO 6000 Blackwell Workstation Edition": (134217728, 14001000, 2617000),
    "NVIDIA RTX 6000 Ada Generation": (100663296, 10001000, 2505000),
    "NVIDIA RTX A6000": (6291456, 8001000, 1800000),
    "NVIDIA RTX A5000": (6291456, 8001000, 1695000),
    "NVIDIA RTX A4000": (4194304, 7001000, 1560000),
    "NVIDIA GeForce RTX 5090": (100663296, 14001000, 2407000),
    "NVIDIA GeForce RTX 5080": (67108864, 15001000, 2617000),
    "NVIDIA GeForce RTX 5070 Ti": (50331648, 14001000, 2452000),
    "NVIDIA GeForce RTX 5070": (50331648, 14001000, 2512000),
    "NVIDIA GeForce RTX 4090": (75497472, 10501000, 2520000),
    "NVIDIA GeForce RTX 4080": (67108864, 11201000, 2505000),
    "NVIDIA GeForce RTX 4070 Ti": (50331648, 10501000, 2610000),
    "NVIDIA GeForce RTX 4070": (37748736, 10501000, 2475000),
    "NVIDIA GeForce RTX 4060 Ti": (33554432, 9001000, 2535000),
    "NVIDIA GeForce RTX 4060": (25165824, 8501000, 2460000),
    "NVIDIA GeForce RTX 3090": (6291456, 9751000, 1695000),
    "NVIDIA GeForce RTX 3080": (5242880, 9501000, 1710000),
    "NVIDIA GeForce RTX 3070": (4194304, 7001000, 1725000),
    "NVIDIA GeForce RTX 3060": (2359296, 7501000, 1777000),
    "NVIDIA GeForce RTX 2080 Ti": (5767168, 7000000, 1545000),
}
# Of a compute capability (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"): the most shared memory of a block in bytes, the most
# blocks and threads of a multiprocessor. One that is not here has those of the last before it.
LIMITS = {(8, 0): (166912, 32, 2048), (8, 6): (101376, 16, 1536), (8, 7): (166912, 16, 1536), (8, 9): (101376, 24, 1536), (9, 0): (232448, 32, 2048),
          (10, 0): (232448, 32, 2048), (12, 0): (101376, 24, 1536)}


def properties(device):
    """What cuDNN is told of a device (name, capability, multiprocessors, bytes)."""
    name, (major, minor), processors, total = device
    l2, memory_clock, clock = PUBLISHED.get(name, PUBLISHED["NVIDIA H200" if major >= 9 else "NVIDIA A100-SXM4-80GB"])
    shared, blocks, threads = LIMITS[max(known for known in LIMITS if known <= (major, minor))]
    return dict(deviceName=name, cudaDeviceId=0, deviceVer=major * 100 + minor * 10, driverVer=13000, isTccDriver=0, warpSize=32,
                l2CacheSize=l2, maxCtasPerSM=blocks, maxRegistersPerSM=65536, maxSharedMemoryPerBlock=49152, maxSharedMemoryPerBlockOptin=shared,
                maxThreadsPerBlock=1024, maxThreadsPerSM=threads, memClockRateKHz=memory_clock,
                multiProcessorCount=processors, pciDeviceId=0, regsPerBlock=65536, reservedSharedMemoryPerBlock=1024,
                smClockRateKHz=clock, supportCoopLaunch=1, totalGlobalMem=total, maxBlockSize=[1024, 1024, 64], maxGridSize=[2147483647, 65535, 65535])


class Cudnn:
    """cuDNN for a described device; `answer` tells how it computes a product: bytes of the workspace, the engine's number, and its settings, a number and a value
    each; or None where it cannot."""

    def __init__(self, library, device, all_engines=False):
        self.c, self.known, self.marks = library, {}, [ALL_ENGINES, 1] if all_engines else []
        text = json.dumps(properties(device)).encode()
        self.device = self.make(DEVICE, (2702, CHAR, len(text) + 1, ctypes.create_string_buffer(text)))

    # ---- descriptors

    def make(self, kind, *attributes):
        d = ctypes.c_void_p()
        self.do(self.c.cudnnBackendCreateDescriptor(kind, ctypes.byref(d)))
        for name, type_, count, values in attributes:
            self.do(self.c.cudnnBackendSetAttribute(d, name, type_, ctypes.c_int64(count), values))
        self.do(self.c.cudnnBackendFinalize(d))
        return d

    @staticmethod
    def do(status):
        if status:
            raise LookupError(f"cuDNN says {status}")

    @staticmethod
    def longs(name, values):
        return name, INT64, len(values), (ctypes.c_int64 * len(values))(*values)

    @staticmethod
    def enum(name, type_, value):
        return name, type_, 1, ctypes.byref(ctypes.c_int(value))

    @staticmethod
    def of(name, *descriptors):
        return name, DESCRIPTOR, len(descriptors), (ctypes.c_void_p * len(descriptors))(*[d.value for d in descriptors])

    def get(self, descriptor, name, type_, values, count):
        found = ctypes.c_int64()
        self.do(self.c.cudnnBackendGetAttribute(descriptor, name, type_, ctypes.c_int64(count), ctypes.byref(found), values))
        return found.value

    def tensor(self, dtype, sizes, last, uid):
        strides, step = [0] * len(sizes), 1
        order = [1, *range(len(sizes) - 1, 1, -1), 0] if last else range(len(sizes) - 1, -1, -1)
        for d in order:
            strides[d] = step
            step *= sizes[d]
        return self.make(TENSOR, self.enum(901, DTYPE, DTYPES[dtype]), self.longs(902, sizes), self.longs(903, strides),
                         self.longs(906, [uid]), self.longs(900, [ALIGNED]))

    # ---- the question

    def answer(self, product, dtype, last, x, w, y, stride, padding, dilation, without=(DOWN_CONVERT,)):
        """How it computes one of the three products of a convolution from x to y (0 forward, 1 the input's gradient, 2 the weight's), by none of the engines
        with a numerical note among those of `without`."""
        key = (product, dtype, last, tuple(x), tuple(w), tuple(y), tuple(stride), tuple(padding), tuple(dilation), without)
        if key not in self.known:
            self.known[key] = self.ask(*key)
        return self.known[key]

    def offers(self, dtype, x, w):
        """Whether its answer counts: without a device it does not offer engines for a group for each channel of 16 bits."""
        return x[1] == 1 or w[1] != 1 or dtype == "float32"

    def ask(self, *question):
        return next(self.plans(*question), None)

    def plans(self, product, dtype, last, x, w, y, stride, padding, dilation, without=(DOWN_CONVERT,)):
        """Its ideas, the best first, then engines that can always; each as `answer` tells one. None for a layer that no engine offers to compute."""
        if dtype not in DTYPES or not self.offers(dtype, x, w):
            return
        if len(x) == 3:                                        # PyTorch gives one dimension a second, of size 1
            x, w, y = ([*t[:2], 1, t[2]] for t in (x, w, y))
            stride, padding, dilation = [1, *stride], [0, *padding], [1, *dilation]
        kept = []
        keep = lambda d: kept.append(d) or d
        try:
            graph = self.graph(keep, product, dtype, last, x, w, y, stride, padding, dilation)
            for mode in (0, 2):
                try:
                    heur = keep(self.make(HEUR, self.of(201, graph), self.enum(200, HEURISTICS, mode), self.of(204, self.device)))
                except LookupError:
                    continue
                yield from self.offered(heur, keep, without)
        except LookupError:
            return
        finally:
            for d in reversed(kept):
                self.c.cudnnBackendDestroyDescriptor(d)

    def graph(self, keep, product, dtype, last, x, w, y, stride, padding, dilation):
        c = keep(self.make(CONVOLUTION, self.enum(100, DTYPE, 1 if dtype == "float64" else 0), self.enum(101, MODE, 1),
                           self.longs(106, [len(stride)]), self.longs(102, dilation), self.longs(103, stride),
                           self.longs(104, padding), self.longs(105, padding)))
        kind, of, weight, into, out, alpha, beta = OPERATIONS[product]
        x, w, y = (keep(self.tensor(dtype, list(t), last, ord(n))) for t, n in ((x, "x"), (w, "w"), (y, "y")))
        factor = lambda name, value: (name, FLOAT, 1, ctypes.byref(ctypes.c_float(value)))
        op = keep(self.make(kind, self.of(of, c), self.of(weight, w), self.of(into, x), self.of(out, y), factor(alpha, 1), factor(beta, 0)))
        return keep(self.make(GRAPH, self.of(801, op)))

    def offered(self, heur, keep, without):
        count = self.get(heur, 202, DESCRIPTOR, None, 0)
        configs = []
        for _ in range(count):
            d = ctypes.c_void_p()
            self.do(self.c.cudnnBackendCreateDescriptor(CONFIG, ctypes.byref(d)))
            configs.append(keep(d))
        count = self.get(heur, 202, DESCRIPTOR, (ctypes.c_void_p * count)(*[d.value for d in configs]), count)
        for config in configs[:count]:
            engine = ctypes.c_void_p()
            self.do(self.c.cudnnBackendCreateDescriptor(ENGINE, ctypes.byref(engine)))
            keep(engine)
            try:
                self.get(config, 300, DESCRIPTOR, (ctypes.c_void_p * 1)(engine.value), 1)
                notes = (ctypes.c_int * 16)()
                if any(note in without for note in notes[:self.get(engine, 1303, NOTE, notes, 16)]):
                    continue
                plan = keep(self.make(PLAN, self.of(401, config), self.of(407, self.device)))
            except LookupError:
                continue
            yield [self.number(plan, 402), self.number(engine, 1301), *self.settings(config, keep), *self.marks]

    def number(self, descriptor, name):
        value = ctypes.c_int64()
        self.get(descriptor, name, INT64, ctypes.byref(value), 1)
        return value.value

    def settings(self, config, keep):
        choices, found = [], []
        for _ in range(MOST_CHOICES):
            d = ctypes.c_void_p()
            self.do(self.c.cudnnBackendCreateDescriptor(CHOICE, ctypes.byref(d)))
            choices.append(keep(d))
        count = self.get(config, 302, DESCRIPTOR, (ctypes.c_void_p * MOST_CHOICES)(*[d.value for d in choices]), MOST_CHOICES)
        for d in choices[:count]:
            kind = ctypes.c_int()
            self.get(d, 600, KIND_OF_CHOICE, ctypes.byref(kind), 1)
            found += [kind.value, self.number(d, 601)]
        return found


def find(device, stand_in=None):
    """cuDNN in the folder that VRAMLAB_CUDNN names, else of this Python's packages, describing that device (name, capability, multiprocessors, bytes); None where
    there is none, or one before 9.8, or VRAMLAB_CUDNN is none. `stand_in` loads another library under cuBLASLt's name instead, and tells whether it could."""
    named = os.environ.get("VRAMLAB_CUDNN", "")
    folders = [named] if named else [os.path.join(p, "nvidia", "cudnn", "lib") for p in sys.path]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    if not folders or device[1] < (8, 0):
        return None
    beside = os.path.join(folders[0], os.pardir, os.pardir)    # NVIDIA's packages lie side by side
    all_engines = False
    try:
        for name in ("cu13/lib/libcudart.so.*", "cuda_runtime/lib/libcudart.so.*", "cu13/lib/libnvrtc.so.*", "cuda_nvrtc/lib/libnvrtc.so.*",
                     "cu13/lib/libcublasLt.so.*", "cublas/lib/libcublasLt.so.*"):
            for path in glob.glob(os.path.join(beside, name))[:1]:
                if stand_in and "cublasLt" in name and stand_in(os.path.basename(path)):
                    all_engines = True
                else:
                    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        library = ctypes.CDLL(glob.glob(os.path.join(folders[0], "libcudnn.so.9"))[0], mode=ctypes.RTLD_GLOBAL)
        library.cudnnGetVersion.restype = ctypes.c_size_t
        return Cudnn(library, device, all_engines) if library.cudnnGetVersion() >= 90800 else None
    except (OSError, IndexError, AttributeError, LookupError):
        return None


# ---- a recording

def _last(sizes, strides):
    """Whether channels lie side by side, and not only because a size is 1."""
    def dense(order):
        step = 1
        for d in order:
            if sizes[d] != 1 and strides[d] != step:
                return False
            step *= sizes[d]
        return True
    dims = len(sizes)
    return dims in (4, 5) and not dense(range(dims - 1, -1, -1)) and dense([1, *range(dims - 1, 1, -1), 0])


def annotate(path, cudnn):
    """Writes cuDNN's answers into a recording, a line ["w", [[bytes, engine, settings…]…]] before each convolution; where PyTorch tries plans for a product that was
    not met before, all of them behind that. Tells how many were answered."""
    forms, products, answered, tried = {}, {}, 0, set()
    settings = (0, False, True)
    with gzip.open(path, "rt", encoding="utf-8") as f:
        lines = f.readlines()
    out = []
    for line in lines:
        if line.startswith('["w"'):
            continue                                           # of an earlier time
        if line.startswith('["T"'):
            _, n, dtype, sizes, strides, *_ = json.loads(line)
            forms[n] = dtype, sizes, strides
        elif line.startswith('["O"'):
            _, n, name = json.loads(line)
            if name.startswith("aten.convolution"):
                products[n] = name.split(".")[1]
        elif line.startswith('["c"'):
            settings = json.loads(line)[1:]
        elif line.startswith('["o"') and int(line[5:line.index(",", 5)]) in products:
            row = json.loads(line)
            questions = _questions(products[row[1]], row[5], row[7], forms, *settings[1:])
            answers = [q and cudnn.answer(*q) for q in questions]
            plans = [_all_plans(cudnn, q, tried) for q in questions] if settings[0] else []
            answered += sum(a is not None for a in answers)
            out.append(json.dumps(["w", answers, *([plans] if any(plans) else [])], separators=(",", ":")) + "\n")
        out.append(line)
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=5) as f:
        f.writelines(out)
    return answered


def _all_plans(cudnn, question, tried):
    if question is None or str(question) in tried:
        return None
    tried.add(str(question))
    return list(cudnn.plans(*question)) or None


def _questions(name, given, result, forms, deterministic, tf32):
    """What cuDNN is asked of each product of a convolution; None for one that is not computed."""
    form = lambda v: forms[v["t"][1]]
    each = lambda v, n: list(v) * (n if len(v) == 1 else 1) if isinstance(v, list) else [v] * n
    backward = name == "convolution_backward"
    if backward:
        y, x, w = form(given[0]), form(given[1]), form(given[2])
        settings, transposed, wanted = given[4:7], given[7], given[10]
    else:
        x, w, y = form(given[0]), form(given[1]), form(result)
        settings, transposed, wanted = given[3:6], given[6], None
    dims = len(w[1]) - 2
    stride, padding, dilation = (each(v, dims) for v in settings)
    last = _last(*x[1:]) or _last(*w[1:])
    a, b = (y, x) if transposed else (x, y)
    without = (DOWN_CONVERT, *([NONDETERMINISTIC] if deterministic else []), *([TENSOR_CORE] if x[0] == "float32" and not tf32 else []))
    question = lambda product: (product, x[0], last, a[1], w[1], b[1], stride, padding, dilation, without)
    if not backward:
        return [question(1 if transposed else 0)]
    return [question(0 if transposed else 1) if wanted[0] else None, question(2) if wanted[1] else None]


def annotate_apart(path):
    """The same in a process of its own, which no PyTorch has loaded cuBLAS into, so that all engines are offered; whether it ended well."""
    program = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); import vramlab_cudnn; vramlab_cudnn.main(sys.argv[1:])"
    here = os.path.dirname(os.path.abspath(__file__))
    return subprocess.run([sys.executable, "-c", program, json.dumps([here, *sys.path]), path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def main(arguments):
    """python vramlab_cudnn.py step.trace…: for recordings made where there was no cuDNN."""
    try:
        from vramlab_cublas import stand_in
    except ImportError:
        stand_in = None
    for path in arguments:
        with gzip.open(path, "rt", encoding="utf-8") as f:
            head = json.loads(f.readline())
        cudnn = find((head["name"], tuple(head["capability"]), head["multiprocessors"], head["memory"]), stand_in)
        if cudnn is None:
            sys.exit("cuDNN 9.8 or later was looked for in the folder VRAMLAB_CUDNN or among this Python's packages, for a GPU of compute capability 8.0 or later: there is none. "
                     "pip install nvidia-cudnn-cu13 brings one; without it the plan's own rule counts.")
        print(f"{path}: {annotate(path, cudnn)} workspaces by cuDNN {cudnn.c.cudnnGetVersion()}")


if __name__ == "__main__":
    main(sys.argv[1:])
