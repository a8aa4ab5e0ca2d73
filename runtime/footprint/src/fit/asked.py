"""Asks cuDNN for the workspaces of convolutions: usage: asked.py LAYERS OUTFILE [SECONDS]

LAYERS has lines as layers.py writes them; OUTFILE has each with the bytes behind it, sorted, compressed. With a GPU at hand PyTorch's own question is asked, with a
handle of that GPU; else that of install/vramlab_cudnn.py, for a described H200, to which engines on top of cuBLAS are not offered: plain products are then left out.
asked.txt.gz beside this script was asked on an H200. One process for each processor; SECONDS ends it early, with the lines that were asked by then."""
import ctypes, glob, gzip, multiprocessing, os, sys, time

sys.path.insert(0, os.environ.get('VRAMLAB_INSTALL', os.path.join(os.path.dirname(os.path.abspath(__file__)), *['..'] * 4, 'install')))
import vramlab_cudnn as described

H200 = ('NVIDIA H200', (9, 0), 132, 150109880320)
GRAPH_HANDLE, PLAN_HANDLE, HEURISTICS_DEVICE, PLAN_DEVICE = 800, 400, 204, 407
HANDLE = 0


class OnDevice(described.Cudnn):
    """cuDNN with a handle of the GPU that is there."""

    def __init__(self, library, handle):
        self.c, self.known, self.device, self.handle = library, {}, ctypes.c_void_p(), handle

    def make(self, kind, *attributes):
        handle = {described.GRAPH: GRAPH_HANDLE, described.PLAN: PLAN_HANDLE}.get(kind)
        kept = [a for a in attributes if a[0] not in (HEURISTICS_DEVICE, PLAN_DEVICE)]
        return super().make(kind, *([(handle, HANDLE, 1, ctypes.byref(self.handle))] if handle else []), *kept)

    def offers(self, *product):
        return True


def cudnn():
    """With a GPU's handle, or for a described one."""
    without = described.find(H200)
    if without is None: sys.exit('cuDNN 9.8 or later was looked for among this Python\'s packages: there is none. pip install nvidia-cudnn-cu13 brings one.')
    for pattern in ('cu13/lib/libcudart.so.*', 'cuda_runtime/lib/libcudart.so.*'):
        for path in [f for p in sys.path for f in glob.glob(os.path.join(p, 'nvidia', pattern))][:1]:
            handle = ctypes.c_void_p()
            if ctypes.CDLL(path).cudaFree(None) == 0 and without.c.cudnnCreate(ctypes.byref(handle)) == 0: return OnDevice(without.c, handle)
    return without


def ask(part):
    lines, end = part
    asked, found = cudnn(), []
    for line in lines:
        if time.time() > end: break
        f = line.split()
        n, c, k, g = map(int, f[3:7])
        into, kernel, step, padding, dilation = ([int(v) for v in w.split(',')] for w in f[7:12])
        out = [(x + 2 * p - d * (w - 1) - 1) // s + 1 for x, w, s, p, d in zip(into, kernel, step, padding, dilation)]
        answer = asked.answer(int(f[0]), f[2], f[1] == '1', (n, c, *into), (k, c // g, *kernel), (n, k, *out), step, padding, dilation)
        if answer is not None: found.append(f'{line} {answer[0]}')
    return type(asked).__name__, found


def main(layers, out, seconds=1e9):
    with open(layers) as f: lines = list(dict.fromkeys(f.read().splitlines()))
    parts = os.cpu_count()
    with multiprocessing.get_context('spawn').Pool(os.cpu_count()) as pool:
        answers = pool.map(ask, [(lines[i::parts], time.time() + float(seconds)) for i in range(parts)], 1)
    found = sorted(line for _, some in answers for line in some)
    with open(out, 'wb') as f, gzip.GzipFile(fileobj=f, mode='wb', mtime=0, filename='') as z: z.write(('\n'.join(found) + '\n').encode())
    print(f'{len(found)} of {len(lines)} answered, by {", ".join(sorted({name for name, _ in answers}))}')


if __name__ == '__main__': main(*sys.argv[1:])
