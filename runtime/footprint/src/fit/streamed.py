"""Fits what it costs cuDNN's kernels of compute capability 9.0 to share a tile's sum: usage: streamed.py RESOURCES [COUNT] (needs numpy, and cuDNN among this Python's packages)

Of recorded products (float32, bfloat16, and all there are of float16) whose answer without a GPU is such a kernel, the parts that each tile of the last wave was cut into are read off the recorded bytes. StreamedTiles cuts it into as
many as are least: steps of one part, and for each part and tile a share, for each level of sums of two something, and something for cutting at all. These three, for weights and for others, each dtype
and each tile with 30 products or more (number -1: all tiles together), are those of a grid that give most products the parts that they were cut into: streamed-costs.txt."""
import collections, itertools, multiprocessing, os, random, sys
import numpy as np
import asked, convolutions as c, table

FEW, MOST = 30, 400
GRID = list(itertools.product((.02, .05, .1, .2, .3, .5, .75, 1, 1.5), (0, .5, 1, 2, 3, 5, 8, 12), (0, 3, 6, 9, 12, 16, 20, 25, 32, 40, 48, 64, 96, 128)))
LEVELS = np.array([(s - 1).bit_length() for s in range(1, 140)])


def ask(part):
    cudnn, found = asked.described.find(asked.H200), []
    for q, w in part:
        shapes = (q['n'], q['c'], *q['into']), (q['k'], q['c'] // q['g'], *q['kernel']), (q['n'], q['k'], *q['out'])
        answer = cudnn.answer(q['kind'], q['dtype'], bool(q['cl']), *shapes, q['s'], q['p'], q['di'])
        if answer is not None: found.append((q, w, answer))
    return found


def cut(q, w, answer):
    """(steps, tiles left, most parts), and the parts it was cut into; None where the answer is no such kernel, or the bytes do not tell"""
    choices = dict(zip(answer[2::2], answer[3::2])); p = q['kind']
    if (p, answer[1]) not in table.S90 or choices.get(25) != 0 or 27 not in choices or choices[2] not in table.TILE: return None
    layer = table.parse(' '.join([str(q['c']), str(q['k']), str(q['g']), *(','.join(map(str, q[a])) for a in ('into', 'kernel', 's', 'p', 'di'))]))
    tiles, steps, size, cluster = table.geometry(p, answer[1], choices, layer, q['n'], q['dtype']); most = table.LIM.get(cluster, 120)
    left = tiles if tiles <= most else tiles % most
    if not left or most // left < 2: return None
    parts, vector = table.parts(layer, q['n'], q['e']), 16 // q['e']; sums = {sum(parts[x] for x in some) for some in table.COMBOS}; operands = {0, 16} | sums | {s + 16 for s in sums}
    written = q['e'] * q['k'] * -(-(q['c'] // q['g']) // vector) * vector if p == 2 and c.prod(q['kernel']) == 1 else 0
    found = next((s for s in range(2, most // left + 1) if w - (s * left * size - written + 4 * left * table.tree(s) + 159) in operands), 1 if w in operands or w - 131 in operands else None)
    return None if found is None else ((p == 2, q['dtype'], choices[2]), (steps, left, most // left), found)


def cheapest(row, cost):
    steps, left, most = row; part, level, any_ = cost; s = np.arange(1, most + 1)
    costs = -(-steps // s) + np.where(s > 1, part * s * left + level * LEVELS[:most] + any_, 0)
    return most - int(np.argmin(costs[::-1]))


def best(rows):
    rows = random.Random(1).sample(rows, min(MOST, len(rows)))
    return max(GRID, key=lambda cost: sum(cheapest(row, cost) == found for row, found in rows))


def fitted(part):
    key, rows = part
    return key, best(rows), len(rows)


def learnt(answers, path):
    groups = collections.defaultdict(list)
    for q, w, answer in answers:
        found = cut(q, w, answer)
        if found is None: continue
        (weight, dtype, tile), row, parts = found
        for t in (tile, -1): groups[weight, dtype, t].append((row, parts))
    todo = sorted((k, v) for k, v in groups.items() if k[2] == -1 or len(v) >= FEW)
    with multiprocessing.Pool() as pool: found = pool.map(fitted, todo, 1)
    for key, cost, n in found: print(key, n, cost)
    with open(path, 'w') as f: f.writelines(f"{'weight' if weight else 'other'} {dtype} {tile} {' '.join(map(str, cost))}\n" for (weight, dtype, tile), cost, _ in found)


def main(resources, count=30000):
    rows = {}
    for name in ('recorded', 'swept'): rows.update(c.recorded(name))
    for name in c.ASKED: rows.update(c.asked(rows, name))
    rows = [(q, w) for q, w in rows.values() if w > 0 and not 1 < q['g'] == q['c']]; random.Random(1).shuffle(rows)
    rows = [r for r in rows if r[0]['dtype'] == 'float16'] + [r for r in rows if r[0]['dtype'] != 'float16'][:int(count)]
    with multiprocessing.get_context('spawn').Pool() as pool: answers = [row for part in pool.map(ask, [rows[i::64] for i in range(64)], 1) for row in part]
    learnt(answers, os.path.join(resources, 'streamed-costs.txt'))


if __name__ == '__main__': main(*sys.argv[1:])
