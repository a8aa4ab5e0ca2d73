# limit: 1.25
"""Bird call spectrograms; the effective batch grows during training."""
import timm
import torch
import torch.nn.functional as F

PHASES = [("warm", 1, 4), ("mid", 2, 4), ("final", 10, 4)]
MICRO = 32


def spectrograms(n):
    for _ in range(n):
        yield torch.randn(MICRO, 3, 128, 128), torch.randint(0, 264, (MICRO,))


class Stepper:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt

    def step(self, micro_batches):
        total = 0.0
        count = 0
        for x, y in micro_batches:
            x, y = x.to("cuda"), y.to("cuda")
            total = total + F.cross_entropy(self.model(x), y)
            count += 1
        loss = total / count
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(21)
    model = timm.create_model("resnet18", pretrained=False, num_classes=264).to("cuda")
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    stepper = Stepper(model, opt)
    for name, accum, updates in PHASES:
        for u in range(updates):
            loss = stepper.step(spectrograms(accum))
            print(f"{name} x{accum} update {u} loss {loss:.3f}", flush=True)


if __name__ == "__main__":
    main()
