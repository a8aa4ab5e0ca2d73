# limit: 1.9
"""Two passes over seismic windows: statistics first, then quantised codes, then stacking."""
import torch

DEV = "cuda"
N_WINDOWS = 60
WIN = (6, 1024, 1024)            # 24 MiB as float32
CODE = (13, 1024, 1024)          # uint8


def read_window(i):
    gen = torch.Generator().manual_seed(i)
    base = torch.rand(1024, generator=gen).to(DEV)
    w = torch.empty(WIN, device=DEV)
    w.copy_(base)
    return w


def statistics():
    windows = [read_window(i) for i in range(N_WINDOWS)]
    mean = sum(w[:, 0].mean() for w in windows) / N_WINDOWS
    scale = max(w[:, 0].max().item() for w in windows)
    return mean.item(), scale


def encode(window, mean, scale):
    code = torch.empty(CODE, dtype=torch.uint8, device=DEV)
    code[:6] = 0
    for c in range(6):
        code[c].copy_(window[c])
    code[6:].fill_(int(255 * mean / max(scale, 1e-6)) % 255)
    return code


def report(tag):
    print(f"{tag:>12}: allocated {torch.cuda.memory_allocated() / 2**20:7.1f} MiB, "
          f"reserved {torch.cuda.memory_reserved() / 2**20:7.1f} MiB", flush=True)


torch.manual_seed(0)
mean, scale = statistics()
report("statistics")

codes = []
for i in range(N_WINDOWS):
    w = read_window(i)
    codes.append(encode(w, mean, scale))
    del w
report("codes")

stack = torch.zeros(6, 5000, 5000, device=DEV)
report("stack")
for code in codes:
    stack[:, :1024, :1024] += code[:6].float()
print("stacked", stack.mean().item())
