# limit: 2
# "I delete every tensor and 32 MB (8 MB on my other card) remain allocated. Leak in PyTorch?"
import gc

import torch

torch.manual_seed(30)


class Product:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        self.a = torch.randn(self.n, self.n, device="cuda")
        self.b = torch.randn(self.n, self.n, device="cuda")
        return self

    def compute(self):
        return (self.a @ self.b).sum().item()

    def __exit__(self, *exc):
        del self.a, self.b
        gc.collect()
        torch.cuda.empty_cache()


def report(label):
    torch.cuda.synchronize()
    print(f"{label:12s} {torch.cuda.memory_allocated() / 2**20:8.2f} MiB allocated")


report("start")
for i in range(10):
    with Product(1024) as product:
        value = product.compute()
    report(f"round {i}")
