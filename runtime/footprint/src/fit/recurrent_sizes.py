"""Asks cuDNN for the workspaces and reserves of recurrent layers, on a GPU: usage: recurrent_sizes.py OUTFOLDER SECONDS SEED

Rows of 64-bit numbers: algorithm, mode (0 relu, 1 tanh, 2 LSTM, 3 GRU), dtype (0 float32, 2 float16, 9 bfloat16), math, layers, directions, projection, packed, training, times, batch,
rows, input, hidden, workspace, reserve; -1 where cuDNN refuses."""
import ctypes, os, random, sys, time
import numpy as np
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import asked

class Rnn:
    def __init__(self):
        d = asked.cudnn(); self.c, self.h = d.c, d.handle
        assert type(d).__name__ == 'OnDevice'
        self.rnn, self.data, self.drop = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        assert self.c.cudnnCreateRNNDescriptor(ctypes.byref(self.rnn)) == 0
        assert self.c.cudnnCreateRNNDataDescriptor(ctypes.byref(self.data)) == 0
        assert self.c.cudnnCreateDropoutDescriptor(ctypes.byref(self.drop)) == 0
        assert self.c.cudnnSetDropoutDescriptor(self.drop, self.h, ctypes.c_float(0), None, ctypes.c_size_t(0), ctypes.c_ulonglong(0)) == 0
        self.ws, self.rs = ctypes.c_size_t(), ctypes.c_size_t()

    def ask(self, algo, mode, dtype, math, L, D, proj, packed, train, T, B, I, H, lengths=None):
        N = T * B if lengths is None else sum(lengths)
        row = [algo, mode, dtype, math, L, D, proj, packed, train, T, B, N, I, H]
        if self.c.cudnnSetRNNDescriptor_v8(self.rnn, algo, mode, 2, D - 1, 0, dtype, 0 if dtype == 0 else 0, math, I, H, proj or H, L, self.drop, 0 if packed else 1): return row + [-1, -1]
        seq = (ctypes.c_int * B)(*(lengths or [T] * B))
        if self.c.cudnnSetRNNDataDescriptor(self.data, dtype, 1 if packed else 0, T, B, I, seq, None): return row + [-2, -2]
        if self.c.cudnnGetRNNTempSpaceSizes(self.h, self.rnn, train, self.data, ctypes.byref(self.ws), ctypes.byref(self.rs)): return row + [-3, -3]
        return row + [self.ws.value, self.rs.value]

def main(out, seconds, seed):
    r = random.Random(int(seed)); end = time.time() + float(seconds); q = Rnn(); rows = []
    TENSOR, FMA, DEFAULT = 1, 3, 0
    def legal(algo, dtype, L, D, I, H, mode):
        if algo == 3: return H <= (384 if mode < 2 else 192)
        if algo == 1: return dtype == 2 and L == D == 1 and H % 128 == 0 and I % 128 == 0 and H <= 1024 and mode != 3
        return True
    math = lambda dtype: TENSOR if dtype == 2 else DEFAULT
    bases = [(20, 16, 32, 64), (35, 20, 200, 200), (64, 32, 512, 512), (9, 7, 30, 50), (128, 64, 256, 128), (3, 100, 1000, 1024)]
    nets = [(1, 1), (2, 1), (1, 2), (3, 2), (4, 1)]
    jobs = []
    values = dict(T=list(range(1, 70)) + [80, 100, 127, 128, 129, 200, 255, 256, 257, 500, 1000], B=list(range(1, 140)) + [160, 192, 200, 255, 256, 257, 300, 384, 512, 1000],
                  I=list(range(1, 140)) + [160, 192, 200, 255, 256, 257, 300, 384, 512, 768, 1000, 1024, 2048], H=list(range(1, 200)) + [200, 208, 220, 255, 256, 257, 300, 320, 383, 384, 385, 400, 500, 512, 600, 640, 650, 700, 768, 800, 896, 900, 1000, 1024, 1150, 1280, 1500, 1536, 2000, 2048])
    for algo in (0, 3, 1):
        for mode in (1, 2, 3):
            for dtype in (0, 2, 9):
                for (L, D) in nets:
                    for base in bases:
                        for axis in range(4): jobs.append((algo, mode, dtype, L, D, base, axis))
    r.shuffle(jobs); half = time.time() + float(seconds) * .6
    for algo, mode, dtype, L, D, base, axis in jobs:
        if time.time() > half: break
        for v in values['TBIH'[axis]]:
            s = list(base); s[axis] = v
            if not legal(algo, dtype, L, D, s[2], s[3], mode): continue
            for train in (0, 1): rows.append(q.ask(algo, mode, dtype, math(dtype), L, D, 0, 0, train, *s))
    print(len(rows), 'in sweeps')
    while time.time() < end:
        mode = r.choice([0, 1, 2, 2, 2, 3, 3, 3]); dtype = r.choice([0, 0, 0, 2, 9]); L = r.choice([1, 1, 2, 2, 3, 4, 6]); D = r.choice([1, 1, 2])
        T = r.choice([1, 2, 5, 10, 16, 20, 28, 32, 35, 50, 64, 70, 80, 100, 128, 200, 256, r.randint(1, 300)]); B = r.choice([1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 80, 96, 100, 128, 256, r.randint(1, 300)])
        I = r.choice([1, 3, 8, 10, 13, 16, 28, 32, 40, 50, 64, 80, 100, 128, 200, 256, 300, 320, 512, 768, 1024, r.randint(1, 600)]); H = r.choice([8, 10, 16, 20, 32, 50, 64, 96, 100, 128, 150, 192, 200, 256, 300, 384, 400, 512, 600, 650, 768, 1000, 1024, 1500, r.randint(1, 700)])
        algos = [a for a in (0, 1, 3) if legal(a, dtype, L, D, I, H, mode)]; algo = r.choice(algos); kind = r.random(); proj = packed = 0; lengths = None; m = math(dtype)
        if kind < .1 and mode == 2 and H > 4: algo, proj = 0, r.randint(1, H - 1)
        elif kind < .35:
            algo, packed = 0, 1; lengths = sorted((r.randint(1, T) for _ in range(B)), reverse=True); lengths[0] = T
        elif kind < .4 and dtype == 0: m = FMA
        for train in (0, 1): rows.append(q.ask(algo, mode, dtype, m, L, D, proj, packed, train, T, B, I, H, lengths))
    print(len(rows), 'in all')
    np.save(f'{out}/rnn-{seed}.npy', np.array(rows, dtype=np.int64))

if __name__ == '__main__': main(*sys.argv[1:])
