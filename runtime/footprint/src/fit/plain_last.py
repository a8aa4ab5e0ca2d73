"""Grows the trees that tell what products of matrices with channels side by side work in: usage: plain_last.py RESOURCES (needs numpy, scikit-learn, and cuDNN among this Python's packages)

As plain.py, whose features and votes these are, but all images are one product here, and engines on cuBLAS that cut its sums take a float32 copy of the result for each cut. A leaf says what a workspace is: cudnn, what it
answers; a number, so many bytes; aS+R, S copies and R bytes; dD+R, copies of sums of D each; wP/TxU+R, as many copies as let tiles of T by U fill P blocks; tTxU, a counter of 4 bytes for each such tile, and 256.
Of the leaves that give a row to the byte it has the one that most rows share; one that none gives has the nearest, if that is within 5 %. plain_last.txt.gz. See ChannelsLastProducts."""
import collections, multiprocessing, os, re, sys
import numpy as np
import convolutions as c, plain

CUTS, SIDES, BLOCKS, RESTS = (16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 1024), (32, 64, 128, 256), (132, 264), (256, 272, 16, 0)
MOST_COPIES, LEAST_ROWS, NEAREST, TREES, MOST_LEAVES = 3000, 4, 20, 15, 700
TILE = 2
LAST = re.compile(r'(?:a(?P<copies>\d+)|d(?P<depth>\d+)|w(?P<blocks>\d+)/(?P<tall>\d+)x(?P<wide>\d+))\+(?P<rest>\d+)|t(?P<rows>\d+)x(?P<columns>\d+)')


def last(q): return q['cl'] and q['g'] == 1 and c.prod(q['kernel']) == 1 and c.prod(q['s']) == 1 and not any(q['p'])


def matrices(q):
    """Rows, columns and the length of a sum of all images' product"""
    m, n, k = plain.matrices(q)
    return (m, n, k * q['n']) if q['kind'] == 2 else (m * q['n'], n, k)


def tiles(m, n, tall, wide): return -(-m // tall) * -(-n // wide)


def features(q, answer, counted):
    m, n, k = matrices(q)
    own = plain.features(q, answer)[:len(c.features(q)) + 2]
    return own + [m, n, k, *(min(v & -v, plain.ALIGNED) for v in (m, n, k)), m * n, m * k, n * k, m / n, k / m, k / n, *plain.filled(m, n, 1), counted / (4 * m * n), dict(zip(answer[2::2], answer[3::2])).get(TILE, -1)]


def value(q, counted, leaf):
    m, n, k = matrices(q)
    if leaf == 'cudnn': return counted
    if leaf.isdigit(): return int(leaf)
    f = {name: int(text) for name, text in LAST.fullmatch(leaf).groupdict().items() if text}
    if 'rows' in f: return 256 + -(-4 * tiles(m, n, f['rows'], f['columns']) // 16) * 16
    copies = f['copies'] if 'copies' in f else -(-k // f['depth']) if 'depth' in f else max(1, f['blocks'] // tiles(m, n, f['tall'], f['wide']))
    return copies * 4 * m * n + f['rest']


def leaves(q, w, counted):
    """All that give that"""
    m, n, _ = matrices(q)
    found = {str(w), *(['cudnn'] if counted == w else []), *(f't{a}x{b}' for a in SIDES for b in SIDES)}
    for rest in RESTS:
        copies, over = divmod(w - rest, 4 * m * n)
        if over or not 0 < copies < MOST_COPIES: continue
        found |= {f'a{copies}+{rest}', *(f'd{cut}+{rest}' for cut in CUTS), *(f'w{p}/{a}x{b}+{rest}' for p in BLOCKS for a in SIDES for b in SIDES)}
    return {leaf for leaf in found if value(q, counted, leaf) == w}


def labelled(mine):
    """The leaf of each row, or None"""
    possible = [leaves(q, w, counted) for _, q, w, _, counted in mine]
    left, count, kept, labels = set(range(len(mine))), collections.Counter(leaf for of in possible for leaf in of), [], [None] * len(mine)
    while count:
        leaf, rows = max(count.items(), key=lambda item: item[::-1])
        if rows < LEAST_ROWS: break
        kept.append(leaf)
        for i in [i for i in left if leaf in possible[i]]: labels[i] = leaf; left.discard(i); count -= collections.Counter(possible[i])
    for i in left:
        _, q, w, _, counted = mine[i]
        off, leaf = min((abs(value(q, counted, leaf) - w), leaf) for leaf in kept)
        if off <= max(2048, w / NEAREST): labels[i] = leaf
    return labels


def learnt(X, labels):
    known, names = [i for i, label in enumerate(labels) if label], sorted({label for label in labels if label})
    return names, plain.learnt(X[known], [names.index(labels[i]) for i in known], TREES, MOST_LEAVES)


def grown(part):
    name, mine = part
    X, fold = np.array([features(q, answer, counted) for _, q, _, answer, counted in mine], np.float32), np.array([(min(q['c'], q['k']) * 31 + max(q['c'], q['k'])) % 5 for _, q, _, _, _ in mine])
    seen, unseen = np.flatnonzero(fold), np.flatnonzero(fold == 0)
    names, forest = learnt(X[seen], labelled([mine[i] for i in seen]))
    off = [abs(value(mine[i][1], mine[i][4], names[t]) - mine[i][2]) for i, t in zip(unseen, plain.voted(forest, X[unseen]))]
    labels = labelled(mine)
    out, count = plain.written(name, *learnt(X, labels), X)
    return out, f'{name}: {len(mine)} rows, {len(mine) - labels.count(None)} with one of {len(set(labels) - {None})} leaves, {count} leaves of trees; {plain.judged(off, [mine[i][2] for i in unseen])}'


if __name__ == '__main__':
    groups = collections.defaultdict(list)
    for key, q, w, answer in sorted(plain.answered(last, None), key=lambda row: row[0]): groups[f"last {q['kind']} {q['e']}"].append((key, q, w, answer, plain.counted(key, q, answer)))
    with multiprocessing.Pool() as pool: trees = pool.map(grown, sorted(groups.items()), 1)
    for _, told in trees: print(told)
    c.written(os.path.join(sys.argv[1], 'plain_last.txt.gz'), ('\n'.join(line for out, _ in trees for line in out) + '\n').encode())
