"""Grows the trees that tell what cuBLAS takes for products of matrices: usage: ways.py RESOURCES (needs numpy, scikit-learn)

Where all engines are offered it is known that cuBLAS computes a product, and by which of the ways that it proposes (0 takes nothing). ways_h100.txt.xz beside this script has what an H100 answered for ways 1 and 2:
lines as asked.py writes them, behind the bytes a comma and the way. For each product, order of memory and size of an element most of eleven trees decide, by the sizes and the way. ways.txt.gz, whose leaves are
bytes besides the pieces of a weight's gradient for channels in planes, and plain_last.py's for channels side by side. Told besides: how many of a fifth of all pairs of widths, left out, are told to the byte."""
import collections, lzma, multiprocessing, os, sys
import numpy as np
import convolutions as c, plain, plain_last

FEWEST, MOST_LEAVES = 20, 1500


def rows():
    for line in lzma.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'ways_h100.txt.xz'), 'rt'):
        words = line.split(); into, kernel, s, p, di = ([int(v) for v in w.split(',')] for w in words[7:12])
        taken, way = map(int, words[12].split(','))
        yield c.problem(int(words[0]), words[2], int(words[1]), *map(int, words[3:7]), into, kernel, s, p, di, into), taken, way


def labelled(mine):
    if mine[0][0]['cl']: return plain_last.labelled([(None, q, w, None, -1) for q, w, _ in mine])
    besides = [w - plain.pieces(q) for q, w, _ in mine]
    often = [b for b, times in collections.Counter(besides).items() if times >= FEWEST and 0 <= b < plain.LARGE]
    return [str(min(often, key=lambda o: abs(o - b))) if 0 <= b < plain.LARGE else None for b in besides]


def features(q, way): return plain_last.features(q, [0, way], 0) if q['cl'] else plain.features(q, [0, way])


def value(q, leaf): return plain_last.value(q, -1, leaf) if q['cl'] else plain.pieces(q) + int(leaf)


def grown(part):
    name, mine = part
    labels = labelled(mine); names = sorted({label for label in labels if label}); y = np.array([names.index(label) if label else -1 for label in labels])
    X, fold = np.array([features(q, way) for q, _, way in mine], np.float32), np.array([(min(q['c'], q['k']) * 31 + max(q['c'], q['k'])) % 5 for q, _, _ in mine])
    seen, unseen = (fold != 0) & (y >= 0), np.flatnonzero(fold == 0)
    forest = plain.learnt(X[seen], y[seen], plain.TREES, MOST_LEAVES); told = forest.classes_[plain.voted(forest, X[unseen])].astype(int)
    off = [abs(value(mine[i][0], names[t]) - mine[i][1]) for i, t in zip(unseen, told)]
    out, leaves = plain.written(name, names, plain.learnt(X[y >= 0], y[y >= 0], plain.TREES, MOST_LEAVES), X)
    return out, f'{name}: {len(mine)} rows, {len(names)} kinds of leaves, {leaves} leaves; {plain.judged(off, [mine[i][1] for i in unseen])}'


if __name__ == '__main__':
    groups = collections.defaultdict(list)
    for row in rows(): groups[f"ways {row[0]['kind']} {'last' if row[0]['cl'] else 'planes'} {row[0]['e']}"].append(row)
    with multiprocessing.Pool(2) as pool: trees = pool.map(grown, sorted(groups.items()), 1)
    for _, told in trees: print(told)
    c.written(os.path.join(sys.argv[1], 'ways.txt.gz'), ('\n'.join(line for out, _ in trees for line in out) + '\n').encode())
