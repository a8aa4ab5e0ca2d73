# DenseNet-121 + stochastic weight averaging. Batches are copied ahead on a side stream (apex style prefetcher).
import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import densenet121


class Prefetcher:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([125.3, 123.0, 113.9], device=device).view(1, 3, 1, 1)
        self.std = torch.tensor([63.0, 62.1, 66.7], device=device).view(1, 3, 1, 1)

    def _load(self):
        try:
            x, y = next(self.it)
        except StopIteration:
            self.next = None
            return
        with torch.cuda.stream(self.stream):
            x = x.to(self.device, non_blocking=True)
            y = y.to(self.device, non_blocking=True)
            self.next = ((x.float() - self.mean) / self.std, y)

    def __iter__(self):
        self.it = iter(self.loader)
        # the buffers above were made on the default stream
        self.stream.wait_stream(torch.cuda.current_stream())
        self._load()
        while self.next is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
            x, y = self.next
            x.record_stream(torch.cuda.current_stream())
            y.record_stream(torch.cuda.current_stream())
            self._load()
            yield x, y

    def __len__(self):
        return len(self.loader)


def accuracy(model, batches):
    model.eval()
    good = n = 0
    with torch.no_grad():
        for x, y in batches:
            good += (model(x).argmax(1) == y).sum().item()
            n += len(y)
    return 100.0 * good / n


def main():
    torch.manual_seed(50)
    res, classes, bs, n = 128, 10, 32, 96
    epochs, swa_start = 3, 1
    device = torch.device("cuda", 0)
    images = torch.randint(0, 256, (n, 3, res, res), dtype=torch.uint8)
    labels = torch.randint(0, classes, (n,))
    loader = DataLoader(TensorDataset(images, labels), bs, shuffle=True, drop_last=True, pin_memory=True)
    train = Prefetcher(loader, device)
    test = Prefetcher(DataLoader(TensorDataset(images[:64], labels[:64]), 64, pin_memory=True), device)

    model = densenet121(weights=None, num_classes=classes, drop_rate=0.1).to(device)
    swa_model = AveragedModel(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    swa_sched = SWALR(opt, swa_lr=0.02, anneal_epochs=1)
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(epochs):
        model.train()
        total = torch.zeros((), device=device)
        for x, y in train:
            opt.zero_grad(set_to_none=True)
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.detach()
        if epoch >= swa_start:
            swa_model.update_parameters(model)
            swa_sched.step()
        else:
            cosine.step()
        print(f"epoch {epoch} loss {total.item() / len(train):.4f} lr {opt.param_groups[0]['lr']:.4f} "
              f"allocated {torch.cuda.memory_allocated() / 2**20:.0f} MiB")

    acc = accuracy(model, test)
    update_bn(train, swa_model)
    print(f"last weights {acc:.1f}%  averaged weights {accuracy(swa_model, test):.1f}% (n={swa_model.n_averaged.item()})")
    stats = torch.cuda.memory_stats()
    print(f"peak allocated {stats['allocated_bytes.all.peak'] / 2**20:.0f} MiB, "
          f"peak reserved {stats['reserved_bytes.all.peak'] / 2**20:.0f} MiB, retries {stats['num_alloc_retries']}")


if __name__ == "__main__":
    main()
