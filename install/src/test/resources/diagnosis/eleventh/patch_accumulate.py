# limit: 2.0
import timm
import torch
import torch.nn.functional as F

torch.manual_seed(14)


class History:
    def __init__(self):
        self.losses = []

    def add(self, value):
        self.losses.append(value)

    def mean(self, k=8):
        tail = self.losses[-k:]
        return sum(tail) / len(tail)


def micro_batches(n, bs):
    for _ in range(n):
        yield torch.rand(bs, 3, 128, 128, device="cuda"), torch.randint(0, 20, (bs,), device="cuda")


def optimise(model, opt, history, updates=6, accumulate=8, bs=8):
    for u in range(updates):
        for x, y in micro_batches(accumulate, bs):
            loss = F.cross_entropy(model(x), y) / accumulate
            loss.backward()
            history.add(loss.item() * accumulate)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"update {u}: {history.mean():.4f}")


def main():
    model = timm.create_model("vit_small_patch16_224", pretrained=False, img_size=128, num_classes=20).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.05)
    history = History()
    optimise(model, opt, history)
    print("all", len(history.losses), history.mean(48))


main()
