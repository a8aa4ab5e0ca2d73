# limit: 1.5
import itertools

import timm
import torch
import torch.nn.functional as F

torch.backends.cudnn.benchmark = True
torch.manual_seed(102)

SIZES = (128, 160, 192)


def batches(bs, n):
    for size in itertools.islice(itertools.cycle(SIZES), n):
        yield torch.randn(bs, 3, size, size), torch.randint(0, 102, (bs,))


def build():
    model = timm.create_model("mobilenetv3_small_100", pretrained=False, num_classes=102)
    return model.to("cuda").train()


class PeakLog:
    def __init__(self):
        self.rows = []

    def __call__(self, step, size):
        self.rows.append((step, size, torch.cuda.max_memory_reserved() // 2**20))
        torch.cuda.reset_peak_memory_stats()

    def show(self):
        for step, size, mib in self.rows[:6] + self.rows[-3:]:
            print(f"step {step:3d} size {size} peak {mib} MiB")


def main():
    model = build()
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.9)
    peaks = PeakLog()
    for step, (x, y) in enumerate(batches(24, 45)):
        x, y = x.to("cuda", non_blocking=True), y.to("cuda")
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        peaks(step, x.shape[-1])
        if step % 15 == 0:
            print("loss", loss.item())
    peaks.show()


if __name__ == "__main__":
    main()
