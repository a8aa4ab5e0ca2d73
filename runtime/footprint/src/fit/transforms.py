"""Grows the trees that tell which convolutions are computed by Winograd's or by Fourier transforms: usage: transforms.py RESOURCES (needs numpy, scikit-learn)

cuDNN offers engines of such transforms on a GPU, and to who asks without one only where something stands in for cuBLAS. transforms_h100.txt.xz beside this script has the engine that it answered on an H100 for layers
of plan.md's scripts, those at other sizes, layers.py's and small.py's, and behind it, where known, engine, bytes and tile of the answer without either. For each product (0 output, 1 gradient of the input, 2 of the
weight) most of eleven trees decide, from the sizes and that other answer; a second eleven do without it. What a product then works in is no matter of trees (TransformedSizes). Told besides, for a fifth of all pairs of
widths that were left out: how many were told right, told so that were not, not told that were. The file in use was grown before the other answers about engines 6 and 7 came."""
import collections, lzma, multiprocessing, os, sys
import numpy as np
import convolutions as c, plain

ENGINES = {(0, 3): 'fourier', (0, 6): 'winograd', (1, 7): 'winograd', (2, 17): 'winograd', (2, 18): 'fourier'}
TREES, MOST_LEAVES, SHARE, NONE, SMALLEST, TILE = 11, 2000, .4, 'none', 16, 4
ANSWERED = 3                                                # features of the answer, the last ones


def square(q):
    """The square that a padded image fits"""
    n = SMALLEST
    while n < max(x + 2 * p for x, p in zip(q['into'], q['p'])): n *= 2
    return n


def features(q, engine, bytes_, tile):
    tiles, side = q['n'], square(q)
    for o in q['out']: tiles *= -(-o // TILE)
    inner, outer, taps = q['c'] // q['g'], q['k'] // q['g'], c.prod(q['kernel'])
    rows, operands = q['n'] * c.prod(q['out']), q['n'] * (q['c'] * c.prod(q['into']) + q['k'] * c.prod(q['out']))
    return c.features(q) + [q['cl'], q['e'], min(q['kernel']), min(q['into']), max(q['into']), min(q['p']), side, tiles, inner * outer, inner / outer, side * side * q['n'] * (q['c'] + q['k']) / operands,
                            rows * taps / tiles, taps / c.prod(q['into']), engine, bytes_, tile]


def possible(q):
    """Whether some layer like it was computed so: no steps, no dilation, more than one tap; of a group for each channel float32"""
    return set(q['s'] + q['di']) == {1} and c.prod(q['kernel']) > 1 and (q['g'] == 1 or q['g'] != q['c'] or q['dtype'] == 'float32')


def rows():
    """Of each line the product, the engine of the GPU, and of the answer without one engine, bytes and tile; -1 for what is not known"""
    for line in lzma.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'transforms_h100.txt.xz'), 'rt'):
        words = line.split(); into, kernel, s, p, di = ([int(v) for v in w.split(',')] for w in words[7:12])
        q = c.problem(int(words[0]), words[2], int(words[1]), *map(int, words[3:7]), into, kernel, s, p, di, [(x + 2 * b - e * (w - 1) - 1) // t + 1 for x, w, t, b, e in zip(into, kernel, s, p, di)])
        engine, *answer = map(int, words[12].split(','))
        if possible(q): yield q, ENGINES.get((q['kind'], engine), NONE), answer or [-1, -1, -1]


def judged(told, real, names):
    none = names.index(NONE)
    return f'{((told == real) & (real != none)).sum()} told right, {((told != real) & (told != none)).sum()} told so that were not, {((told == none) & (real != none)).sum()} not told that were, of {len(real)}'


def grown(part):
    kind, mine = part; lines = []
    X, names = np.array([features(q, *answer) for q, _, answer in mine], np.float32), sorted({label for _, label, _ in mine})
    y, fold = np.array([names.index(label) for _, label, _ in mine]), np.array([(min(q['c'], q['k']) * 31 + max(q['c'], q['k'])) % 5 for q, _, _ in mine])
    for name, columns, of in ((f'transforms {kind}', X.shape[1], X[:, -ANSWERED] >= 0), (f'transforms {kind} alone', X.shape[1] - ANSWERED, np.ones(len(X), bool))):
        seen, unseen = (fold != 0) & of, (fold == 0) & of; A = X[:, :columns]
        print(name, judged(plain.voted(plain.learnt(A[seen], y[seen], TREES, MOST_LEAVES), A[unseen]), y[unseen], names), flush=True)
        out, leaves = plain.written(name, names, plain.learnt(A[of], y[of], TREES, MOST_LEAVES), A[of])
        lines += out
    return lines


if __name__ == '__main__':
    groups = collections.defaultdict(list)
    for row in rows(): groups[row[0]['kind']].append(row)
    with multiprocessing.Pool() as pool: lines = [line for part in pool.map(grown, sorted(groups.items(), reverse=True), 1) for line in part]
    c.written(os.path.join(sys.argv[1], 'transforms.txt.gz'), ('\n'.join(lines) + '\n').encode())
