"""How near the estimate is for networks none of whose layers are in the tables: usage: held_out.py MODELS_FOLDER NETWORKS OUT (needs numpy)

NETWORKS (networks.txt.gz) has lines 'network order dtype batch layer'. The layers of all of them, whatever their batch and dtype, are left out of what the trees learn from; then each
product of theirs that is known is estimated by these trees, as ConvolutionWorkspace does where a layer is in no table and not transformed. OUT gets a line for each: network, order, dtype, product, bytes,
estimate. What is printed: network, order, dtype, products, shares of equal ones and of those within 1 %, sum of errors over the sum of bytes, the largest and its estimate."""
import collections, gzip, multiprocessing, sys
import numpy as np
import cart, convolutions as c


def judged(part):
    """One group's lines: the tree learns from the first rows and is asked about the others"""
    known, unknown = part
    texts = [c.label(q, w) for q, w in known]; names = sorted(set(texts)); number = {t: i for i, t in enumerate(names)}
    tree = cart.grow(np.array([c.features(q) for q, _ in known], np.float32), [number[t] for t in texts], c.MOST_LEAVES)
    guess, found = cart.predict(tree, np.array([c.features(q) for q, _, _ in unknown], np.float32)), []
    for (q, w, networks), i in zip(unknown, guess):
        v = 0 if 1 < q['g'] == q['c'] and q['kind'] != 2 else c.value(q, names[i])
        found += [(name, str(q['cl']), q['dtype'], q['kind'], w, v) for name in networks]
    return found


def main(models, networks, out):
    wanted = collections.defaultdict(list)
    for line in gzip.open(networks, 'rt'):
        name, order, dtype, batch, layer = line.rstrip().split(' ', 4); wanted[layer, order, dtype, batch].append(name)
    left, known, unknown = {k[0] for k in wanted}, collections.defaultdict(list), collections.defaultdict(list)
    for key, (q, w) in sorted(c.everything(models).items()):
        _, order, dtype, batch, layer = key.split(' ', 4)
        if layer not in left: known[c.group(q)].append((q, w))
        elif (layer, order, dtype, batch) in wanted: unknown[c.group(q)].append((q, w, wanted[layer, order, dtype, batch]))
    with multiprocessing.Pool() as pool: found = sorted(row for some in pool.map(judged, [(known[g], unknown[g]) for g in sorted(unknown)], 1) for row in some)
    with open(out, 'w') as f: f.writelines(' '.join(map(str, row)) + '\n' for row in found)
    by = collections.defaultdict(list)
    for *who, product, w, v in found: by[tuple(who)].append((w, v))
    for who, rows in sorted(by.items()):
        n, off = len(rows), [abs(w - v) for w, v in rows]
        print(*who, n, f'{sum(o == 0 for o in off) / n:.2f} {sum(o <= max(2048, w / 100) for o, (w, _) in zip(off, rows)) / n:.2f} {sum(off) / max(1, sum(w for w, _ in rows)):.2f}', max(w for w, _ in rows), max(v for _, v in rows))


if __name__ == '__main__': main(*sys.argv[1:4])
