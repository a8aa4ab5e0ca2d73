"""Workspaces that cuDNN's convolutions take from PyTorch's allocator: usage: workspaces.py LAYERS OUTFOLDER SECONDS WORKERS

LAYERS is a JSON list of [channels, outputs, groups, input, kernel, stride, padding, dilation, batch]; a transposed convolution is the one whose gradient it is. Each layer runs
in float32 and bfloat16, each of its three products by itself; the workspace is the peak of the requested bytes less what the product gives back. What is written has a line for
each product (0 output, 1 gradient of the input, 2 of the weight): kind, 0 for PyTorch's order of memory, dtype, batch, channels, outputs, groups, input, kernel, stride, padding,
dilation, workspace. 24,000 layers take a minute and a half with 14 workers on an H200."""
import json, os, sys, time
import torch, torch.multiprocessing as mp

aten = torch.ops.aten


def workspace(product):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_stats()['requested_bytes.all.current']
    made = product()
    kept = sum(t.numel() * t.element_size() for t in (made if isinstance(made, tuple) else (made,)) if t is not None)
    return torch.cuda.memory_stats()['requested_bytes.all.peak'] - before - kept


def products(c, k, g, into, kernel, s, p, d, n, dtype):
    x = torch.empty([n, c, *into], device='cuda', dtype=dtype)
    w = torch.empty([k, c // g, *kernel], device='cuda', dtype=dtype)
    none = [0] * len(into)
    forward = lambda: aten.convolution(x, w, None, s, p, d, False, none, g)
    y = torch.empty_like(forward())                      # the first call of a shape also makes its plans
    backward = lambda *mask: aten.convolution_backward(y, x, w, None, s, p, d, False, none, g, mask)
    return workspace(forward), workspace(lambda: backward(True, False, False)), workspace(lambda: backward(False, True, False))


def work(part, of, layers, out, until):
    torch.set_num_threads(1)
    text = lambda sizes: ','.join(map(str, sizes))
    with open(f'{out}/{part}.txt', 'w') as f:
        for c, k, g, into, kernel, s, p, d, n in layers[part::of]:
            for dtype in (torch.float32, torch.bfloat16):
                if time.time() > until:
                    return
                for kind, size in enumerate(products(c, k, g, into, kernel, s, p, d, n, dtype)):
                    print(kind, 0, str(dtype)[6:], n, c, k, g, *map(text, (into, kernel, s, p, d)), size, file=f)
                if torch.cuda.memory_reserved() > 6 << 30:
                    torch.cuda.empty_cache()


if __name__ == '__main__':
    layers, out, until, of = json.load(open(sys.argv[1])), sys.argv[2], time.time() + float(sys.argv[3]), int(sys.argv[4])
    os.makedirs(out, exist_ok=True)
    workers = [mp.get_context('spawn').Process(target=work, args=(i, of, layers, out, until)) for i in range(of)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
