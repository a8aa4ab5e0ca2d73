import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)


class Prefetcher:
    """Copies and normalizes the next batch on a stream of its own while the current one is trained on."""

    def __init__(self, count):
        self.left, self.stream = count, torch.cuda.Stream()
        self.mean = torch.tensor([0.485, 0.456, 0.406]).cuda().view(1, 3, 1, 1).half()
        self.preload()

    def preload(self):
        if self.left == 0:
            self.images = self.labels = None
            return
        self.left -= 1
        images, labels = torch.randn(64, 3, 64, 64).pin_memory(), torch.randint(0, 100, (64,)).pin_memory()
        with torch.cuda.stream(self.stream):
            self.images = images.cuda(non_blocking=True).half().sub_(self.mean)
            self.labels = labels.cuda(non_blocking=True)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        images, labels = self.images, self.labels
        if images is not None:
            images.record_stream(torch.cuda.current_stream())
            labels.record_stream(torch.cuda.current_stream())
            self.preload()
        return images, labels


model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 64 * 64, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 100)).cuda().half()
opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
fetch = Prefetcher(6)
x, y = fetch.next()
while x is not None:
    loss = F.cross_entropy(model(x).float(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    x, y = fetch.next()
print(loss.item())
