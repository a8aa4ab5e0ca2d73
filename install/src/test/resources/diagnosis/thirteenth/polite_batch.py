# limit: 1.5
# start too high, halve until it fits, then train
import gc
import timm
import torch
import torch.nn.functional as F

DEV = "cuda"


def build():
    torch.manual_seed(0)
    return timm.create_model("resnet26", pretrained=False, num_classes=30).to(DEV)


def train_step(model, opt, n):
    x = torch.rand(n, 3, 128, 128, device=DEV)
    y = torch.randint(0, 30, (n,), device=DEV)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    return loss.item()


def probe(model, opt, n):
    """True if two steps with batch n run through"""
    failed = None
    try:
        for _ in range(2):
            train_step(model, opt, n)
    except torch.OutOfMemoryError as e:
        failed = str(e).split(".")[0]
    if failed is None:
        return True
    opt.zero_grad(set_to_none=True)
    gc.collect()
    torch.cuda.empty_cache()
    print(f"batch {n}: {failed}")
    return False


def choose(model, opt, start=1024):
    n = start
    while n > 1 and not probe(model, opt, n):
        n //= 2
    return max(1, n * 3 // 4)   # some air


class History(list):
    def add(self, epoch, loss):
        self.append((epoch, loss))
        print(f"epoch {epoch}: {loss:.4f}")


def main():
    model = build()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    n = choose(model, opt)
    print("training with batch", n)
    hist = History()
    for epoch in range(5):
        total = 0.0
        for _ in range(12):
            total += train_step(model, opt, n)
        hist.add(epoch, total / 12)
    return hist


if __name__ == "__main__":
    main()
