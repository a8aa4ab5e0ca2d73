# limit: 1.75
# Seismic traces: filter on the GPU in a pool of its own, then train in the default pool.
import contextlib

import torch
import torch.nn as nn


class Arena:
    """Keeps the preprocessing's allocations apart from the training's."""

    def __init__(self):
        self.pool = torch.cuda.MemPool()

    @contextlib.contextmanager
    def __call__(self):
        with torch.cuda.use_mem_pool(self.pool):
            yield


def whiten(x):
    x = x - x.mean(1, keepdim=True)
    return x / (x.std(1, keepdim=True) + 1e-6)


def taper(x, n=128):
    w = torch.ones(x.shape[1], device=x.device)
    ramp = torch.linspace(0, 1, n, device=x.device)
    w[:n] = ramp
    w[-n:] = ramp.flip(0)
    return x * w


def stack(x, k=8):
    return x.view(x.shape[0] // k, k, -1).mean(1)


def preprocess(arena, n=24_000, samples=4096):
    with arena():
        raw = torch.randn(n, samples, device="cuda")
        out = stack(taper(whiten(raw)))
    return out


class Picker(nn.Module):
    def __init__(self, samples=4096):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Linear(samples, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, samples)
        )

    def forward(self, x):
        return self.enc(x)


def train(traces, epochs=3, batch=3000):
    model = Picker().to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for epoch in range(epochs):
        total = 0.0
        for chunk in traces.split(batch):
            noisy = chunk + 0.3 * torch.randn_like(chunk)
            loss = nn.functional.l1_loss(model(noisy), chunk)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: {total:.3f}", flush=True)


def main():
    torch.manual_seed(55)
    arena = Arena()
    traces = preprocess(arena)
    print("traces", tuple(traces.shape), f"{traces.nbytes >> 20} MiB", flush=True)
    train(traces)


if __name__ == "__main__":
    main()
