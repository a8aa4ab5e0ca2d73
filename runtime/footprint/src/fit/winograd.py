"""Grows the tree that tells which gradients of a weight cuDNN computes by Winograd's transforms: usage: winograd.py RESOURCES (needs numpy)

Kernels of 3 by 3 in float32, channels in planes, without steps, dilation and groups. Such an engine works in 36 numbers for each tile of 4 by 4 of the output, of all channels in and out, and 36 for each pair of channels: 2,800 of
22,000 recorded products took that to the byte. It is not offered to who asks without a GPU. The tree learns from the sizes who takes it: winograd.txt.gz. Told besides: how often a tree that has not seen a fifth of
the pairs of widths is right about them. See WinogradConvolution."""
import os, sys
import numpy as np
import cart, convolutions as c

MOST_LEAVES = 500
NAMES = ['other', 'winograd']


def possible(q): return q['kind'] == 2 and q['dtype'] == 'float32' and not q['cl'] and q['g'] == 1 and q['kernel'] == [3, 3] and c.prod(q['s']) == 1 and c.prod(q['di']) == 1


def size(q):
    tiles = q['n'] * c.prod([-(-v // 4) for v in q['out']])
    return 36 * 4 * (tiles * (q['c'] + q['k']) + q['c'] * q['k'])


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
    X, y = np.array([c.features(q) for q, _ in known], np.float32), np.array([int(w == size(q)) for q, w in known])
    guessed = held_out(X, y, np.array([(q['c'] * 31 + q['k']) % 5 for q, _ in known]))
    tree = cart.grow(X, y, MOST_LEAVES)
    told = lambda g: f'{(g == y).sum()} right, {(g & ~y & 1).sum()} told and not taken, {(~g & y & 1).sum()} taken and not told'
    print(f'{len(y)} products, {y.sum()} by Winograd; held out: {told(guessed)}; {sum(n[0] < 0 for n in tree)} leaves: {told(cart.predict(tree, X))}')
    out = ['tree winograd', ' '.join(NAMES)]
    c.write(tree, NAMES, out)
    c.written(os.path.join(sys.argv[1], 'winograd.txt.gz'), ('\n'.join(out) + '\n').encode())
