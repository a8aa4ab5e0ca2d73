# limit: 1.0
"""Which backbone can we afford? Throughput of four sizes on fake images."""
import gc
import time

import timm
import torch

CANDIDATES = [
    "vit_tiny_patch16_224",
    "vit_small_patch16_224",
    "vit_base_patch16_224",
    "vit_large_patch16_224",
]


def throughput(model, bs=8, rounds=5):
    x = torch.randn(bs, 3, 224, 224, device="cuda")
    with torch.inference_mode():
        model(x)
        torch.cuda.synchronize()
        t = time.perf_counter()
        for _ in range(rounds):
            model(x)
        torch.cuda.synchronize()
    return bs * rounds / (time.perf_counter() - t)


def measure(name):
    with torch.device("cuda"):
        model = timm.create_model(name, pretrained=False)
    model.eval()
    n = sum(p.numel() for p in model.parameters()) / 1e6
    speed = throughput(model)
    return n, speed


def main():
    torch.manual_seed(0)
    rows = []
    for name in CANDIDATES:
        n, speed = measure(name)
        rows.append((name, n, speed))
        print(f"{name:28s} {n:7.1f} M  {speed:8.1f} img/s", flush=True)
        gc.collect()
        torch.cuda.empty_cache()
    best = max(rows, key=lambda r: r[2] * r[1] ** 0.5)
    print("pick", best[0])


if __name__ == "__main__":
    main()
