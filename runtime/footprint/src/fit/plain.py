"""Grows the trees that tell which products of matrices are cuBLAS's: usage: plain.py RESOURCES [COUNT] (needs numpy, scikit-learn, and cuDNN among this Python's packages)

Plain products (kernels of 1, no step, no padding, no groups, channels in planes) go to engines on cuBLAS, which are not offered to who asks without a GPU, or to cuDNN's own. COUNT of the recorded
ones, all by default, are asked about here as install/vramlab_cudnn.py does. What cuBLAS takes is 0 to some hundred bytes, and of a weight's gradient a float32 copy of it for each image: where
that was recorded, and not what was answered, it was cuBLAS. Trees for each product and size of an element, each of a sample of the rows, learn this from the sizes, those of the product of matrices
and how it fills waves of tiles, the engine of the answer, and whether it works in something; most of them decide. plain.txt.gz, whose leaves are bytes of cuBLAS's, or cudnn. Told besides: how many of a
fifth of all pairs of widths, left out, are told to the byte. See PlainProducts."""
import collections, multiprocessing, os, random, sys
import numpy as np
from sklearn.ensemble import RandomForestClassifier
import asked, convolutions as c, table

BYTES, LARGE = (0, 272, 400), 1100
TREES, MOST_LEAVES, SHARE = 11, 1000, .4
TILES, PROCESSORS, ALIGNED = ((64, 64), (128, 64), (64, 128), (128, 128), (128, 256), (256, 128)), 132, 64


def plain(q): return not q['cl'] and q['g'] == 1 and c.prod(q['kernel']) == 1 and c.prod(q['s']) == 1 and not any(q['p'])


def rows(kept):
    found = {}
    for name in ('recorded', 'swept'): found.update(c.recorded(name))
    for name in c.ASKED: found.update(c.asked(found, name))
    return sorted(((k, v) for k, v in found.items() if kept(v[0])), key=lambda row: row[0])


def ask(part):
    cudnn, found = asked.described.find(asked.H200), []
    for key, (q, w) in part:
        shapes = (q['n'], q['c'], *q['into']), (q['k'], q['c'], *q['kernel']), (q['n'], q['k'], *q['out'])
        answer = cudnn.answer(q['kind'], q['dtype'], bool(q['cl']), *shapes, q['s'], q['p'], q['di'])
        if answer is not None: found.append((key, q, w, answer))
    return found


def counted(key, q, answer):
    """The answer as StreamedTiles has it"""
    layer = ' '.join([str(q['c']), str(q['k']), '1', *(','.join(map(str, q[a])) for a in ('into', 'kernel', 's', 'p', 'di'))])
    return table.corrected(q['kind'], answer[1], dict(zip(answer[2::2], answer[3::2])), table.parse(layer), q['n'], q['dtype'], '0', answer[0])


def pieces(q): return q['n'] * q['c'] * q['k'] * 4 if q['kind'] == 2 else 0


def matrices(q):
    """The product that is computed for each image: rows, columns and the length of a sum, of the output, of a gradient of the input, of the weight"""
    cells = c.prod(q['out'])
    return ((cells, q['k'], q['c']), (cells, q['c'], q['k']), (q['c'], q['k'], cells))[q['kind']]


def filled(m, n, images):
    """For each size of tiles how many there are, and how much of the waves of blocks that compute them is not idle"""
    for tall, wide in TILES:
        tiles = -(-m // tall) * -(-n // wide) * images
        yield from (tiles, m * n * images / (-(-tiles // PROCESSORS) * PROCESSORS * tall * wide))


def features(q, answer):
    m, n, k = matrices(q)
    return c.features(q) + [answer[1], int(answer[0] > LARGE), m, n, k, *(min(v & -v, ALIGNED) for v in (m, n, k)), m * n, m * k, n * k, m / n, k / m, k / n, *filled(m, n, q['n'])]


def leaf(key, q, w, answer):
    """Whose it was; None where neither takes that"""
    if counted(key, q, answer) == w: return 'cudnn'
    rest = w - pieces(q)
    return str(min(BYTES, key=lambda b: abs(b - rest))) if 0 <= rest <= LARGE else None


def short(bound, values):
    """The bound in as few digits as tell these sorted values apart as it does"""
    side = lambda b: np.searchsorted(values, np.float32(b), 'right')
    return next(text for text in (f'{bound:.{digits}g}' for digits in range(1, 18)) if side(float(text)) == side(bound))


def nodes(tree, i, values, out):
    if tree.children_left[i] < 0: out.append(f'={tree.value[i][0].argmax()}')
    else:
        out.append(f'{tree.feature[i]} {short(tree.threshold[i], values[tree.feature[i]])}'); nodes(tree, tree.children_left[i], values, out); nodes(tree, tree.children_right[i], values, out)


def learnt(X, y, trees=TREES, most_leaves=MOST_LEAVES): return RandomForestClassifier(trees, max_leaf_nodes=most_leaves, max_features=SHARE, random_state=0).fit(X, y)


def voted(forest, X):
    """The label of most trees, of several the first"""
    votes = np.array([tree.predict(X) for tree in forest.estimators_]).astype(int)
    return np.array([np.bincount(of).argmax() for of in votes.T])


def written(name, names, forest, X):
    """The trees as lines, and how many leaves they have"""
    out, leaves, values = [], 0, [np.unique(column) for column in X.T]
    for number, tree in enumerate(forest.estimators_):
        out += [f'tree {name} {number}', ' '.join(names)]; nodes(tree.tree_, 0, values, out); leaves += tree.tree_.n_leaves
    return out, leaves


def judged(off, real):
    near = sum(o <= max(2048, w / 100) for o, w in zip(off, real))
    return f'of {len(off)} unseen {off.count(0) / len(off):.3f} equal, {near / len(off):.3f} within 1 %, errors {sum(off) / sum(real):.3f} of all bytes'


def grown(part):
    name, mine = part
    X, labels = np.array([features(q, answer) for _, q, _, answer in mine], np.float32), [leaf(key, q, w, answer) for key, q, w, answer in mine]
    names = sorted({label for label in labels if label is not None})
    y, fold = np.array([names.index(label) if label else -1 for label in labels]), np.array([(min(q['c'], q['k']) * 31 + max(q['c'], q['k'])) % 5 for _, q, _, _ in mine])
    unseen, known = np.flatnonzero(fold == 0), y >= 0
    told = voted(learnt(X[(fold != 0) & known], y[(fold != 0) & known]), X[unseen])
    value = lambda i, label: counted(mine[i][0], mine[i][1], mine[i][3]) if label == 'cudnn' else pieces(mine[i][1]) + int(label)
    off = [abs(value(i, names[t]) - mine[i][2]) for i, t in zip(unseen, told)]
    out, leaves = written(name, names, learnt(X[known], y[known]), X)
    return out, f'{name}: {len(mine)} rows, {known.sum()} of the one or the other, {leaves} leaves; {judged(off, [mine[i][2] for i in unseen])}'


def answered(kept, count, seed=1):
    known = rows(kept)
    random.Random(seed).shuffle(known)
    known = known[:count]
    with multiprocessing.get_context('spawn').Pool(os.cpu_count()) as pool: return [row for part in pool.map(ask, [known[i::64] for i in range(64)], 1) for row in part]


if __name__ == '__main__':
    groups = collections.defaultdict(list)
    for row in answered(plain, int(sys.argv[2]) if sys.argv[2:] else None): groups[f"cublas {row[1]['kind']} {row[1]['e']}"].append(row)
    with multiprocessing.Pool() as pool: trees = pool.map(grown, sorted(groups.items()), 1)
    for _, told in trees: print(told)
    c.written(os.path.join(sys.argv[1], 'plain.txt.gz'), ('\n'.join(line for out, _ in trees for line in out) + '\n').encode())
