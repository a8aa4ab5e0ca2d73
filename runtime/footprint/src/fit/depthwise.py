"""Grows the tree that tells how cuDNN computes a weight's gradient of a group for each channel in 16 bits, channels side by side: usage: depthwise.py RESOURCES (needs numpy)

Of 1,961 such recorded products 1,521 work in eight float32 copies of the weight for each image, their channels filled up to 32; 319 in nothing. Engines for them are not offered to who asks without a GPU. The tree learns
from the sizes which it is: depthwise.txt.gz. Told besides: how often a tree that has not seen a fifth of the widths is right about them. See DepthwiseWeights."""
import os, sys
import numpy as np
import cart, convolutions as c

MOST_LEAVES = 64
NAMES = ['other', 'pieces', 'nothing']
PIECES, FILLED = 8, 32


def possible(q): return q['kind'] == 2 and q['e'] == 2 and q['cl'] and q['g'] == q['c'] and q['g'] > 1


def size(q): return PIECES * q['n'] * c.prod(q['kernel']) * -(-q['k'] // FILLED) * FILLED * 4


def label(q, w): return NAMES.index('nothing' if w == 0 else 'pieces' if w == size(q) and q['k'] == q['c'] else 'other')


def rows():
    found = {}
    for name in ('recorded', 'swept'): found.update(c.recorded(name))
    for name in c.ASKED: found.update(c.asked(found, name))
    return [v for _, v in sorted(found.items()) if possible(v[0])]


def held_out(X, y, fold):
    guessed = np.zeros(len(y), int)
    for f in range(5): guessed[fold == f] = cart.predict(cart.grow(X[fold != f], y[fold != f], MOST_LEAVES), X[fold == f])
    return guessed


if __name__ == '__main__':
    known = rows()
    X, y = np.array([c.features(q) for q, _ in known], np.float32), np.array([label(q, w) for q, w in known])
    guessed = held_out(X, y, np.array([q['c'] * 31 % 5 for q, _ in known]))
    tree = cart.grow(X, y, MOST_LEAVES)
    wide = np.array([q['dtype'] == 'bfloat16' for q, _ in known])
    print(f'{len(y)} products: {", ".join(f"{(y == i).sum()} {n}" for i, n in enumerate(NAMES))}; widths held out: {(guessed == y).sum()} right, of {wide.sum()} of bfloat16 {(guessed == y)[wide].sum()}; '
          f'{sum(n[0] < 0 for n in tree)} leaves: {(cart.predict(tree, X) == y).sum()} right')
    out = ['tree depthwise', ' '.join(NAMES)]
    c.write(tree, NAMES, out)
    c.written(os.path.join(sys.argv[1], 'depthwise.txt.gz'), ('\n'.join(out) + '\n').encode())
