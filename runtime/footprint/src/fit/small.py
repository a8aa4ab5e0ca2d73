"""Lists convolutions of small networks as people write them by hand, as asked.py reads them: usage: small.py COUNT SEED > FILE

Each network is drawn: its kind (games, digits, residual, U-Net, adversarial, super-resolution, audio, text, series, video, volumes, patches, recurrent cells, solvers of
equations, gradients of gradients, weights for each member of a batch), its widths, image, batch, type and order of memory; its layers are walked through with the sizes that come out.
Lines as layers.py writes them, COUNT of them, without doubles. What an H100 was asked about came of seeds 2611 and 77."""
import random, sys

WIDTHS = (4, 6, 8, 8, 10, 12, 16, 16, 16, 20, 24, 24, 32, 32, 32, 32, 40, 48, 48, 64, 64, 64, 64, 80, 96, 96, 100, 112, 128, 128, 128, 144, 160, 192, 200, 256, 256, 320, 384, 512)
BATCHES = (1, 2, 3, 4, 5, 6, 8, 8, 10, 12, 16, 16, 16, 20, 24, 25, 30, 32, 32, 32, 36, 40, 48, 50, 60, 64, 64, 64, 72, 80, 96, 100, 120, 128, 128, 128, 150, 160, 192, 200, 250, 256, 256, 300, 320, 384, 400, 500, 512, 512)
LARGE = (128, 256, 256, 320, 400, 480, 512, 512, 600, 640, 768, 800, 960, 1000, 1024, 1024, 1200, 1280, 1536, 1600, 2000, 2048, 2048, 2560, 3000, 3072, 4000, 4096, 4096, 8192)
MOST_BYTES = 6 << 30
pick, flip = random.choice, lambda p: random.random() < p


class Net:
    """Layers as they are met, of one batch."""

    def __init__(self, batch, channels, size):
        self.n, self.c, self.size, self.met = batch, channels, list(size), []

    def conv(self, k, kernel, step=1, padding=None, dilation=1, groups=1):
        d = len(self.size); wide = lambda v: list(v) if isinstance(v, (tuple, list)) else [v] * d
        kernel, step, dilation = wide(kernel), wide(step), wide(dilation)
        padding = [(w - 1) * e // 2 for w, e in zip(kernel, dilation)] if padding is None else wide(padding)
        out = [(x + 2 * p - e * (w - 1) - 1) // s + 1 for x, w, s, p, e in zip(self.size, kernel, step, padding, dilation)]
        if min(out) < 1 or self.c % groups or k % groups: return self
        self.met.append((self.n, self.c, k, groups, self.size, kernel, step, padding, dilation, out)); self.c, self.size = k, out
        return self

    def up(self, k, kernel, step, padding, extra=0):
        """a transposed one: told as the convolution whose gradient it is"""
        d = len(self.size); wide = lambda v: list(v) if isinstance(v, (tuple, list)) else [v] * d
        kernel, step, padding = wide(kernel), wide(step), wide(padding)
        out = [(x - 1) * s - 2 * p + w + extra for x, w, s, p in zip(self.size, kernel, step, padding)]
        if min(out) < 1: return self
        self.met.append((self.n, k, self.c, 1, out, kernel, step, padding, [1] * d, self.size)); self.c, self.size = k, out
        return self

    def pool(self, by=2):
        if min(self.size) >= by: self.size = [x // by for x in self.size]
        return self

    def grow(self, by=2):
        self.size = [x * by for x in self.size]
        return self


def games():
    n = Net(pick(LARGE if flip(.7) else BATCHES), pick((1, 2, 3, 3, 4, 4, 4, 6, 8, 9, 12)), [pick((5, 7, 8, 9, 10, 11, 12, 15, 16, 16, 19, 20, 24, 32, 42, 48, 64, 64, 80, 84, 84, 84, 96))] * 2)
    if flip(.4): return n.conv(pick((16, 32, 32)), 8, 4, 0).conv(pick((32, 64, 64)), 4, 2, 0).conv(64, 3, 1, 0)
    w = pick((8, 16, 16, 32, 32, 64, 128)); padding = pick((0, None, None))
    for i in range(random.randint(2, 5)):
        n.conv(w, pick((2, 3, 3, 3, 3, 5)), pick((1, 1, 1, 2)), padding); w = min(256, w * pick((1, 2, 2)))
        if flip(.3): n.pool()
        if flip(.2): n.conv(pick((1, 2, 4)), 1)
    return n


def digits():
    n = Net(pick(BATCHES + LARGE[:20]), pick((1, 1, 3, 3, 3)), [pick((28, 28, 32, 32, 32, 40, 48, 64, 64, 96))] * 2); w = pick(WIDTHS[:25])
    for i in range(random.randint(2, 6)):
        n.conv(w, pick((3, 3, 3, 3, 5, 5, 7)), pick((1, 1, 1, 2)), pick((None, None, 0, 1)))
        if flip(.5): n.pool()
        w = pick((w, 2 * w, 2 * w, pick(WIDTHS)))
    return n


def residual():
    n = Net(pick(BATCHES), pick((1, 3, 3, 3)), [pick((32, 32, 32, 64, 64, 96, 112, 128, 160, 192, 224, 224, 256, 288, 320, 384))] * 2); w = pick((16, 16, 24, 32, 32, 48, 64, 64, 64, 96, 128))
    n.conv(w, *pick(((3, 1), (3, 1), (7, 2), (3, 2), (5, 2), (4, 4))))
    if flip(.4): n.pool()
    groups = pick((1, 1, 1, 1, 1, 2, 4, 8, 16, 32)); deep = pick((1, 1, 1, 4))
    for i in range(random.randint(2, 4)):
        step = 1 if i == 0 else 2; into, size = n.c, n.size
        if deep > 1: n.conv(w, 1)
        n.conv(w, 3, step, groups=groups).conv(w * deep, 1 if deep > 1 else 3)
        side = Net(n.n, into, size).conv(w * deep, 1, step, 0); n.met += side.met
        if flip(.6): n.conv(w, 1).conv(w, 3, groups=groups).conv(w * deep, 1)
        if flip(.2): n.conv(w * deep, pick((3, 5, 7)), groups=n.c)
        w *= 2
    return n


def unet(d=2):
    size = pick((16, 28, 32, 32, 48, 64, 64, 96, 128, 128, 160, 192, 224, 256, 256, 320, 384, 512)) if d == 2 else pick((16, 24, 32, 32, 48, 64, 64, 80, 96, 128))
    n = Net(pick(BATCHES) if size < 65 and d == 2 else pick((1, 1, 2, 2, 4, 4, 6, 8, 16, 32)), pick((1, 1, 2, 3, 3, 4, 4, 6, 8)), [size] * d); first, w, widths, out = n.c, pick(WIDTHS[6:31]), [], pick((1, 2, 3, 4, 10, 19, 21))
    down, up, twice = pick(('pool', 'pool', 'step', 'four')), pick(('up', 'near', 'near', 'four')), flip(.7)
    for i in range(random.randint(2, 4)):
        n.conv(w, 3); n.conv(w, 3) if twice else 0; widths.append(w)
        n.pool() if down == 'pool' else n.conv(w, 3, 2) if down == 'step' else n.conv(w, 4, 2, 1)
        w = min(1024, w * 2)
    n.conv(w, 3).conv(w, 3)
    if flip(.3): n.conv(3 * w, 1); n.c = w; n.conv(w, 1)
    for v in widths[::-1]:
        if up == 'up': n.up(v, 2, 2, 0)
        elif up == 'four': n.up(v, 4, 2, 1)
        else: n.grow()
        n.c += v; n.conv(v, 3); n.conv(v, 3) if twice else 0
        if flip(.3): n.met += Net(n.n, 2 * v, n.size).conv(v, 1).met
    return n.conv(pick((first, out)), pick((1, 1, 3)))


def adversarial():
    w, size, n = pick((16, 32, 32, 48, 64, 64, 96, 128)), pick((4, 4, 4, 7, 8)), pick(BATCHES); z = pick((16, 32, 64, 100, 100, 128, 128, 256, 512)); g = Net(n, z, [1, 1]); many = random.randint(2, 5); k, p, e = pick(((4, 1, 0), (4, 1, 0), (5, 2, 1), (3, 1, 1)))
    if flip(.6): g.up(w << min(many, 4), size, 1, 0)
    else: g.c, g.size = w << min(many, 4), [size] * 2
    for i in range(many)[::-1]:
        if flip(.75): g.up(w << min(i, 4), k, 2, p, e)
        else: g.grow().conv(w << min(i, 4), 3)
        if flip(.2): g.conv(g.c, 3)
    if flip(.7): g.conv(pick((1, 3, 3)), pick((3, 3, 1, 7)))
    d = Net(pick((n, n, 2 * n)), pick((1, 3, 3)), g.size)
    for i in range(many): d.conv(w << min(i, 4), *pick(((4, 2, 1), (4, 2, 1), (5, 2, 2), (3, 2, 1), (3, 1, 1))))
    d.conv(1, min(d.size), 1, 0)
    g.met += d.met
    return g


def resolution():
    n = Net(pick((1, 2, 4, 8, 8, 16, 16, 16, 32, 64)), pick((1, 3, 3)), [pick((16, 24, 32, 32, 48, 48, 64, 96, 96, 128, 192, 256, 512))] * 2); w, by = pick((16, 24, 32, 32, 40, 48, 64, 64, 64, 96, 128)), pick((2, 3, 4)); out = n.c
    n.conv(w, pick((3, 3, 5, 7, 9)))
    for i in range(2):
        n.conv(w, 3).conv(w, pick((1, 3)))
        if flip(.3): n.conv(pick((16, 32)), 3); n.c += w; n.conv(w, 1)
    if flip(.5): n.conv(out * by * by, 3)
    else:
        n.conv(w * by * by, 3); n.c = w; n.grow(by).conv(out, pick((3, 3, 9)))
    return n


def audio():
    length = pick((800, 1000, 1024, 2048, 4000, 4096, 8000, 8000, 8192, 12000, 16000, 16000, 16384, 22050, 24000, 32000, 32768, 44100, 48000, 64000, 80000, 128000, 160000))
    n = Net(pick((1, 2, 4, 4, 8, 8, 8, 12, 16, 16, 16, 24, 32, 32, 64)), pick((1, 1, 1, 1, 2)), [length]); w, kind = pick((8, 16, 24, 32, 32, 48, 64, 64, 96, 128, 256)), pick(('wave', 'stem', 'gan', 'many', 'autoencoder', 'period'))
    if kind == 'wave':
        n.conv(w, pick((1, 2, 3)))
        for e in (1, 2, 4, 8, 16, 32, 64, 128, 256): n.conv(pick((w, 2 * w)), pick((2, 3)), 1, pick((None, 0)), e); n.conv(w, 1)
    elif kind == 'stem':
        for k, s in pick((((10, 5), (3, 2), (3, 2), (3, 2), (2, 2)), ((400, 160), (3, 1)), ((80, 4), (3, 1), (3, 1)), ((64, 32), (15, 2), (15, 2)), ((251, 1), (5, 1)))): n.conv(w, k, s, pick((0, None))); w = pick((w, w, 2 * w))
    elif kind == 'gan':
        n.c, n.size = pick((64, 80, 80, 100, 128)), [pick((16, 32, 32, 40, 64, 100))]; w = pick((128, 256, 512)); n.conv(w, 7)
        for k, s in pick((((16, 8), (16, 8), (4, 2), (4, 2)), ((8, 4), (8, 4), (4, 2)), ((20, 10), (10, 5), (4, 2)))):
            w //= 2; n.up(w, k, s, (k - s) // 2)
            for k in pick(((3, 7, 11), (3,), (7,))): n.conv(w, k, 1, None, pick((1, 3, 5, 9)))
        n.conv(1, 7)
    elif kind == 'many':
        n.conv(16 * pick((1, 8)), 15)
        for v, g in ((64, 4), (256, 16), (1024, 64)): n.conv(v, 41, 4, 20, 1, pick((g, g, 1)))
        n.conv(1024, 5).conv(1, 3)
    elif kind == 'period':
        p = pick((2, 3, 5, 7, 11)); n = Net(n.n, 1, [length // p, p])
        for v in (32, 128, 512, 1024): n.conv(v, (5, 1), (3, 1), (2, 0))
        n.conv(1024, (5, 1), 1, (2, 0)).conv(1, (3, 1), 1, (1, 0))
    else:
        n.conv(w, 7)
        for s in pick(((2, 4, 5, 8), (2, 2, 2, 2), (4, 4), (2, 4, 8))): n.conv(w, 3).conv(2 * w, 2 * s, s, s // 2); w *= 2
        for s in pick(((8, 5, 4, 2), (2, 2, 2), (4, 4))): w //= 2; n.up(w, 2 * s, s, s // 2)
        n.conv(1, 7)
    return n


def text():
    n, c, t = pick(BATCHES), pick((32, 50, 64, 100, 128, 200, 256, 300, 300, 384, 512, 768)), pick((16, 20, 32, 40, 50, 64, 100, 128, 200, 256, 400, 512)); all_ = Net(n, c, [t])
    for k in pick(((3, 4, 5), (2, 3, 4), (1, 3), (5, 5), (7, 7), (3, 3, 3))):
        each = Net(n, c, [t]) if flip(.7) else Net(n, 1, [t, c]); v = pick((32, 64, 100, 100, 128, 256)); each.conv(v, k if len(each.size) == 1 else (k, c), 1, 0 if len(each.size) == 2 else pick((0, None))); all_.met += each.met
    if flip(.3): all_.conv(4 * c, pick((1, 3, 9))).conv(c, 1)
    return all_


def series():
    n = Net(pick(BATCHES + LARGE), pick((1, 1, 2, 3, 4, 6, 7, 8, 9, 12, 12, 16, 21, 22, 32, 64)), [pick((24, 30, 48, 50, 60, 64, 96, 100, 128, 128, 168, 187, 200, 250, 256, 336, 365, 500, 512, 720, 1000, 1024, 1250, 2000, 2048, 2500, 3000, 4096, 5000))]); w = pick(WIDTHS[:28]); causal = flip(.3)
    for i in range(random.randint(2, 6)):
        k = pick((2, 3, 3, 3, 5, 5, 7, 7, 9, 11, 15, 16, 25, 31)); e = 1 << i if causal else 1
        n.conv(w, k, 1 if causal else pick((1, 1, 1, 2, 4)), (k - 1) * e if causal else pick((None, None, 0)), e)
        if flip(.3) and not causal: n.pool()
        if flip(.2): n.conv(pick((w, 2 * w)), 1)
        if not causal: w = pick((w, 2 * w, pick(WIDTHS[:30])))
    return n


def brain():
    """electrodes by time: kernels of one row or one column, groups"""
    n = Net(pick(BATCHES), 1, [pick((8, 14, 19, 22, 32, 62, 64)), pick((128, 250, 256, 500, 512, 1000, 1024, 1125))]); f = pick((4, 8, 8, 16, 40)); rows = n.size[0]
    n.conv(f, (1, pick((25, 32, 50, 64, 125))), 1, pick((0, None))).conv(pick((f, 2 * f)), (rows, 1), 1, 0, 1, pick((1, f, f)))
    n.size = [1, max(1, n.size[1] // 4)]
    return n.conv(n.c, (1, 16), 1, None, 1, pick((1, n.c))).conv(pick((16, 32)), 1)


def spectra():
    n = Net(pick(BATCHES[:40]), pick((1, 1, 1, 2, 3)), [pick((40, 64, 64, 80, 128, 128, 201, 257, 513)), pick((32, 44, 63, 64, 94, 98, 100, 101, 128, 157, 200, 251, 256, 313, 400, 501, 512, 1000))]); w = pick(WIDTHS[3:24])
    for i in range(random.randint(2, 5)):
        n.conv(w, *pick(((3, 1), (3, 1), (3, 1), ((3, 3), (2, 1)), ((3, 3), 2), ((5, 5), 1), ((1, 3), 1), ((5, 3), (2, 1)), ((3, 9), (1, 2)))))
        if flip(.4): n.pool()
        w = pick((w, 2 * w, 2 * w))
    return n


def video():
    n = Net(pick((1, 1, 2, 2, 4, 4, 6, 8, 8, 16, 32)), pick((1, 3, 3, 3, 4)), [pick((4, 5, 8, 8, 10, 16, 16, 16, 20, 32)), *[pick((16, 24, 28, 32, 32, 48, 56, 64, 64, 96, 112, 112, 128, 160, 224))] * 2]); w = pick((8, 16, 16, 24, 32, 32, 45, 48, 64, 64, 96))
    n.conv(w, *pick((((3, 7, 7), (1, 2, 2)), (3, 1), ((1, 7, 7), (1, 2, 2)), ((2, 16, 16), (2, 16, 16), 0), ((3, 3, 3), (1, 2, 2)))))
    for i in range(random.randint(2, 4)):
        if flip(.35): n.conv(pick((w, 2 * w, 83, 144)), (1, 3, 3), (1, pick((1, 2)), pick((1, 2)))).conv(w, (3, 1, 1), pick((1, (2, 1, 1))))
        else: n.conv(w, 3, pick((1, 1, 2, (1, 2, 2))))
        if flip(.3): n.size = [n.size[0], *[max(1, x // 2) for x in n.size[1:]]]
        if flip(.2): n.conv(w, (3, 3, 3), groups=pick((1, n.c)))
        if flip(.3): n.conv(pick((w, 2 * w)), 1, pick((1, 2)), 0)
        w = min(512, w * pick((1, 2, 2)))
    return n


def patches():
    size, p = pick((32, 64, 96, 128, 144, 160, 192, 224, 224, 256, 384, 448)), pick((2, 4, 4, 7, 8, 14, 16, 16, 32)); n = Net(pick(BATCHES), pick((1, 3, 3, 4, 12)), [size] * 2); w = pick((64, 96, 128, 192, 192, 256, 320, 384, 384, 512, 768, 768, 1024))
    n.conv(w, p, p, 0)
    for i in range(random.randint(0, 3)):
        n.conv(w, pick((3, 5, 7, 7, 9)), groups=pick((1, w, w)))
        if flip(.5): n.conv(4 * w, 1).conv(w, 1)
        if flip(.4): n.conv(2 * w, 2, 2, 0); w *= 2
    return n


def cells():
    """convolutional recurrent cells, heads of detectors, atrous pyramids"""
    n, size = pick(BATCHES[:40]), pick((8, 10, 12, 13, 14, 16, 16, 20, 24, 26, 28, 30, 32, 32, 33, 38, 40, 45, 50, 52, 60, 64, 64, 65, 75, 80, 100, 104, 128)); w, c = pick(WIDTHS), pick(WIDTHS); net = Net(n, c, [size, pick((size, size, size, 2 * size, size + 8))])
    kind = pick(('cell', 'head', 'atrous', 'flow', 'valid'))
    if kind == 'cell': net.c += w; net.conv(pick((4, 3, 2)) * w, pick((3, 3, 5, 7)))
    elif kind == 'head': net.conv(w, 1); net.conv(w, 3).conv(w, 3).conv(pick((4, 5, 9, 18, 24, 36, 54, 75, 84, 85, 91, 255, 720)), pick((1, 3)))
    elif kind == 'atrous':
        for e in pick(((6, 12, 18), (12, 24, 36), (1, 2, 4, 8), (2, 3))): net.met += Net(net.n, net.c, net.size).conv(w, 3, 1, None, e).met
        net.conv(w, 1)
    elif kind == 'flow': net.conv(2 * w, (1, 5)).conv(w, (5, 1)).conv(2, 3)
    else:
        q = pick((1, 2, 3)); net.size = [x + 2 * q for x in net.size]
        for i in range(3): net.conv(w, 2 * q + 1, 1, 0); net.size = [x + 2 * q for x in net.size]
    return net


def equations():
    d = pick((1, 1, 2, 2, 2, 3)); size = pick(((64, 128, 256, 512, 1024, 2048, 8192), (32, 32, 48, 64, 64, 85, 96, 100, 128, 128, 241, 256, 421), (16, 20, 32, 40, 48, 64))[d - 1]); n = Net(pick(BATCHES[:36]), pick((1, 2, 3, 3, 4, 10)), [size] * d); w = pick((12, 16, 20, 24, 32, 32, 40, 48, 64, 64, 96, 128))
    n.conv(w, pick((1, 3, 5)))
    for i in range(3): n.conv(pick((w, w, 2 * w)), pick((1, 1, 3, 5)))
    return n.conv(pick((128, 128, w)), 1).conv(pick((1, 2, 3)), 1)


def gradients():
    """the gradient of a weight's gradient: images and channels change places, the kernel is as large as an output"""
    n = pick((digits, adversarial, games, residual))(); found = [m for m in n.met if m[3] == 1 and m[0] <= 512]; n.met = []
    for b, c, k, g, size, kernel, step, padding, dilation, out in found: n.met.append((c, b, k, 1, size, out, dilation, padding, step, kernel))
    return n


def members():
    """torch.func: a group for each member of a batch of models"""
    b, n = pick((2, 4, 4, 5, 8, 8, 10, 16, 16, 20, 25, 32, 64)), pick((digits, games, series))(); small = pick((1, 2, 4, 5, 5, 10, 15, 16, 25, 32, 64, 75, 100, 128))
    n.met = [(small, b * c, b * k, b, *rest) for _, c, k, g, *rest in n.met if g == 1]
    return n


KINDS = (games,) * 5 + (digits,) * 4 + (residual,) * 4 + (unet,) * 4 + (adversarial,) * 4 + (resolution,) * 2 + (audio,) * 5 + (text, text, series, series, series, series, brain, spectra, spectra) + (video,) * 4 + ((lambda: unet(3)),) * 3 + (patches,) * 2 + (cells,) * 3 + (equations,) * 2 + (gradients, members)
TYPES = [('float32', 0)] * 11 + [('bfloat16', 0)] * 4 + [('float16', 0)] * 3 + [('float32', 1), ('bfloat16', 1), ('float16', 1)]


def product(sizes):
    n = 1
    for v in sizes: n *= v
    return n


def main(count, seed):
    random.seed(seed); lines = {}
    text_ = lambda sizes: ','.join(map(str, sizes))
    while len(lines) < count:
        dtype, last = pick(TYPES)
        for n, c, k, g, size, kernel, step, padding, dilation, out in pick(KINDS)().met:
            if 1 < g == c and dtype != 'float16' and not last or last and len(size) == 1: continue          # PyTorch's own kernels; no such order of one dimension
            if 4 * max(n * c * product(size), n * k * product(out)) > MOST_BYTES or n * c * product(size) >= 1 << 31 or n * k * product(out) >= 1 << 31: continue
            layer = f'{last} {dtype} {n} {c} {k} {g} {text_(size)} {text_(kernel)} {text_(step)} {text_(padding)} {text_(dilation)}'
            for p in (0, 1, 2):
                if len(lines) < count: lines.setdefault(f'{p} {layer}')
    print('\n'.join(lines))


if __name__ == '__main__': main(int(sys.argv[1]), int(sys.argv[2]))
