"""Grows the trees that tell which products of matrices are cuBLAS's: usage: plain.py RESOURCES [COUNT] (needs numpy, and cuDNN among this Python's packages)

Plain products (kernels of 1, no step, no padding, no groups, channels in planes) go to engines on cuBLAS, which are not offered to who asks without a GPU, or to cuDNN's own. COUNT of the recorded
ones, all by default, are asked about here as install/vramlab_cudnn.py does. What cuBLAS takes is 0 to some hundred bytes, and of a weight's gradient a float32 copy of it for each image: where
that was recorded, and not what was answered, it was cuBLAS. A tree for each product and size of an element learns this from the sizes, the engine of the answer, and whether it works in something:
plain.txt.gz, whose leaves are bytes of cuBLAS's, or cudnn. See PlainProducts."""
import collections, multiprocessing, os, random, sys
import numpy as np
import asked, cart, convolutions as c, table

BYTES, LARGE = (0, 272, 400), 1100


def plain(q): return not q['cl'] and q['g'] == 1 and c.prod(q['kernel']) == 1 and c.prod(q['s']) == 1 and not any(q['p'])


def rows():
    found = {}
    for name in ('recorded', 'swept'): found.update(c.recorded(name))
    for name in c.ASKED: found.update(c.asked(found, name))
    return sorted(((k, v) for k, v in found.items() if plain(v[0])), key=lambda row: row[0])


def ask(part):
    cudnn, found = asked.described.find(asked.H200), []
    for key, (q, w) in part:
        shapes = (q['n'], q['c'], *q['into']), (q['k'], q['c'], *q['kernel']), (q['n'], q['k'], *q['out'])
        answer = cudnn.answer(q['kind'], q['dtype'], False, *shapes, q['s'], q['p'], q['di'])
        if answer is not None: found.append((key, q, w, answer))
    return found


def counted(key, q, answer):
    """The answer as StreamedTiles has it"""
    layer = ' '.join([str(q['c']), str(q['k']), '1', *(','.join(map(str, q[a])) for a in ('into', 'kernel', 's', 'p', 'di'))])
    return table.corrected(q['kind'], answer[1], dict(zip(answer[2::2], answer[3::2])), table.parse(layer), q['n'], q['dtype'], '0', answer[0])


def pieces(q): return q['n'] * q['c'] * q['k'] * 4 if q['kind'] == 2 else 0


def features(q, answer): return c.features(q) + [answer[1], int(answer[0] > LARGE)]


def leaf(key, q, w, answer):
    """Whose it was; None where neither takes that"""
    if counted(key, q, answer) == w: return 'cudnn'
    rest = w - pieces(q)
    return str(min(BYTES, key=lambda b: abs(b - rest))) if 0 <= rest <= LARGE else None


def grown(part):
    name, mine = part
    taught = [(features(q, answer), leaf(key, q, w, answer)) for key, q, w, answer in mine]
    taught = [row for row in taught if row[1] is not None]
    names = sorted({label for _, label in taught}); out = [f'tree {name}', ' '.join(names)]
    tree = cart.grow(np.array([f for f, _ in taught], np.float32), [names.index(label) for _, label in taught], c.MOST_LEAVES)
    c.write(tree, names, out)
    return out, f'{name}: {len(mine)} rows, {len(taught)} of the one or the other, {sum(n[0] < 0 for n in tree)} leaves'


def answered(count, seed=1):
    known = rows()
    random.Random(seed).shuffle(known)
    known = known[:count]
    with multiprocessing.get_context('spawn').Pool(os.cpu_count()) as pool: return [row for part in pool.map(ask, [known[i::64] for i in range(64)], 1) for row in part]


if __name__ == '__main__':
    groups = collections.defaultdict(list)
    for row in answered(int(sys.argv[2]) if sys.argv[2:] else None): groups[f"cublas {row[1]['kind']} {row[1]['e']}"].append(row)
    with multiprocessing.Pool() as pool: trees = pool.map(grown, sorted(groups.items()), 1)
    for _, told in trees: print(told)
    c.written(os.path.join(sys.argv[1], 'plain.txt.gz'), ('\n'.join(line for out, _ in trees for line in out) + '\n').encode())
