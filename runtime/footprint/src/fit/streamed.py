"""How cuDNN's kernels of compute capability 9.0 cut a tile's sum: usage: streamed.py [STEPS] (needs cuDNN among this Python's packages, no GPU)

A plan can be made of any engine with any settings, for up to 18 multiprocessors: so its rule shows step by step. For each dtype, product and tile it prints from which length on a sum is cut into how many parts, of one tile alone
and of one that a wave leaves, and how many answers table.py's rule, which is StreamedParts', gives."""
import asked, ctypes, sys
import table
import vramlab_cudnn as v

ENGINES = {(0, 'float32'): 67, (1, 'float32'): 71, (2, 'float32'): 68, (0, 'float16'): 62, (1, 'float16'): 67, (2, 'float16'): 65}
PROCESSORS = 18


def plan(c, kind, dtype, x, w, y, engine, knobs, processors):
    """Bytes of the workspace of that engine with those settings, channels side by side; None where it cannot."""
    d = lambda values: c.longs(0, values)[1:]
    try:
        space = c.make(v.CONVOLUTION, c.enum(100, v.DTYPE, 0), c.enum(101, v.MODE, 1), c.longs(106, [2]), *((name, *d([1, 1])) for name in (102, 103)), *((name, *d([0, 0])) for name in (104, 105)))
        what, of, weight, into, out, alpha, beta = v.OPERATIONS[kind]
        x, w, y = (c.tensor(dtype, t, True, ord(n)) for t, n in ((x, 'x'), (w, 'w'), (y, 'y')))
        factor = lambda name, value: (name, v.FLOAT, 1, ctypes.byref(ctypes.c_float(value)))
        graph = c.make(v.GRAPH, c.of(801, c.make(what, c.of(of, space), c.of(weight, w), c.of(into, x), c.of(out, y), factor(alpha, 1), factor(beta, 0))))
        chosen = c.make(v.ENGINE, c.of(1300, graph), c.longs(1301, [engine]), c.of(1307, c.device), (1306, 23, 1, ctypes.byref(ctypes.c_int32(processors))))
        choices = [c.make(v.CHOICE, c.enum(600, v.KIND_OF_CHOICE, k), c.longs(601, [value])) for k, value in knobs.items()]
        config = c.make(v.CONFIG, c.of(300, chosen), c.of(302, *choices))
        return c.number(c.make(v.PLAN, c.of(401, config), c.of(407, c.device)), 402)
    except LookupError:
        return None


def asks(c, kind, dtype, number, tiles, steps):
    """What is answered for so many tiles of which each is a sum of so many steps, and what the rule has."""
    half = dtype != 'float32'; rows, columns = table.TILE[number]; depth = 64 if half else 32
    knobs = {2: number, 13: int(half), 18: int(kind == 2), 25: 0, 27: 1, 28: 1}; sums = steps * depth
    if kind == 0: x, w, y = [1, sums, tiles, rows], [columns, sums, 1, 1], [1, columns, tiles, rows]
    elif kind == 1: x, w, y = [1, columns, tiles, rows], [sums, columns, 1, 1], [1, sums, tiles, rows]
    else: x, w, y = [1, columns * tiles, steps, depth], [rows, columns * tiles, 1, 1], [1, rows, steps, depth]
    layer = (x[1], w[0], 1, x[2:], [1, 1], [1, 1], [0, 0], [1, 1], y[2:])
    return plan(c, kind, dtype, x, w, y, ENGINES[kind, 'float16' if half else dtype], knobs, PROCESSORS), table.extra(kind, knobs, layer, 1, dtype, PROCESSORS)


def main(steps=330):
    c, equal, all_ = asked.described.find(asked.H200), 0, 0
    for dtype in ('float32', 'float16', 'bfloat16'):
        for kind in range(3):
            for number in table.TILE:
                for tiles in (1, 2, 5, PROCESSORS + 1, PROCESSORS + 3):
                    answers = [asks(c, kind, dtype, number, tiles, s) for s in range(1, int(steps))]
                    if answers[0][0] is None: continue
                    equal += sum(a == r for a, r in answers); all_ += len(answers)
                    changes = [(s + 1, a) for s, (a, _) in enumerate(answers) if not s or a != answers[s - 1][0]]
                    print(dtype, ('output', 'input', 'weight')[kind], 'tile', number, 'tiles', tiles, sum(a != r for a, r in answers), 'otherwise', changes[:8], flush=True)
    print(equal, 'of', all_, 'answers are as the rule has them')


if __name__ == '__main__': main(*sys.argv[1:])
