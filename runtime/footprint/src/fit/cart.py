"""Classification trees: each next split is the one that lowers the Gini impurity most, until there are so many leaves. Numpy alone; hundreds of labels cost nothing more."""
import heapq
import numpy as np

def split(X, y):
    """(gain, feature, bound) of the best split of these rows, or None"""
    n, f = X.shape
    if n < 2: return None
    _, yi = np.unique(y, return_inverse=True); T = np.bincount(yi)
    if len(T) == 1: return None
    total = float((T.astype(np.float64) ** 2).sum())
    keep = X.max(0) > X.min(0)
    if not keep.any(): return None
    X = X[:, keep]; f = X.shape[1]
    order = np.argsort(X, axis=0, kind='stable'); xs = np.take_along_axis(X, order, 0); ys = yi[order]
    o2 = np.argsort(ys, axis=0, kind='stable'); starts = np.cumsum(T) - T
    r = np.empty((n, f)); np.put_along_axis(r, o2, np.arange(n)[:, None] - starts[np.take_along_axis(ys, o2, 0)], 0)
    SL = np.cumsum(2 * r + 1, 0)[:-1]; SR = total - np.cumsum(2 * (T[ys] - r) - 1, 0)[:-1]
    nl = np.arange(1, n, dtype=np.float64)[:, None]; score = SL / nl + SR / (n - nl)
    score[xs[:-1] >= xs[1:]] = -1
    k, j = np.unravel_index(score.argmax(), score.shape)
    gain = score[k, j] - total / n
    if gain <= 1e-9: return None
    bound = (float(xs[k, j]) + float(xs[k + 1, j])) / 2
    if np.float32(bound) >= xs[k + 1, j]: bound = float(xs[k, j])
    return gain, int(np.flatnonzero(keep)[j]), bound

def majority(y): v, c = np.unique(y, return_counts=True); return v[c.argmax()]

def grow(X, y, most):
    """Nodes: [feature, bound, left, right, label]; feature -1 is a leaf"""
    X = np.ascontiguousarray(X, np.float32); y = np.asarray(y)
    nodes = [[-1, 0, 0, 0, majority(y)]]; heap = []; leaves = 1
    def offer(i, rows):
        s = split(X[rows], y[rows])
        if s: heapq.heappush(heap, (-s[0], i, s[1], s[2], rows))
    offer(0, np.arange(len(y)))
    while heap and leaves < most:
        _, i, j, b, rows = heapq.heappop(heap); low = X[rows, j] <= np.float32(b); l, r = rows[low], rows[~low]
        if not len(l) or not len(r): continue
        nodes[i][:4] = [j, b, len(nodes), len(nodes) + 1]; leaves += 1
        for part in (l, r): nodes.append([-1, 0, 0, 0, majority(y[part])]); offer(len(nodes) - 1, part)
    return nodes

def predict(nodes, X):
    X = np.ascontiguousarray(X, np.float32); out = np.empty(len(X), np.int64); todo = [(0, np.arange(len(X)))]
    while todo:
        i, rows = todo.pop()
        if not len(rows): continue
        j, b, l, r, lab = nodes[i]
        if j < 0: out[rows] = lab; continue
        low = X[rows, j] <= np.float32(b); todo += [(l, rows[low]), (r, rows[~low])]
    return out
