# limit: 3
"""Training with a CUDA-stream prefetcher."""
import torch
import torch.nn as nn
from torchvision.models import resnet18


class Prefetcher:
    def __init__(self, n, size=64):
        self.host = torch.rand(size, 3, 128, 128).pin_memory()
        self.left = n
        self.stream = torch.cuda.Stream()
        self.preload()

    def preload(self):
        if self.left == 0:
            self.next = None
            return
        self.left -= 1
        with torch.cuda.stream(self.stream):
            self.next = self.host.to("cuda", non_blocking=True)

    def get(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.next
        if batch is not None:
            batch.record_stream(torch.cuda.current_stream())
        self.preload()
        return batch


torch.manual_seed(0)
model = resnet18(weights=None, num_classes=10).to("cuda")
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
loader = Prefetcher(60)
step, x = 0, loader.get()
while x is not None:
    y = torch.randint(0, 10, (x.size(0),), device="cuda")
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item())
    step, x = step + 1, loader.get()
