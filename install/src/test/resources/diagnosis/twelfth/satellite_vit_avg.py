# limit: 1.5
import copy

import timm
import torch
import torch.nn.functional as F


class AveragedModel:
    def __init__(self, model, decay=0.999):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)


def train_step(model, opt, x, y):
    loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    return loss.item()


def run(epochs=3, steps=6, ema_start=1):
    torch.manual_seed(2024)
    device = torch.device("cuda")
    model = timm.create_model("vit_base_patch16_224", pretrained=False, num_classes=10)
    model = model.to(device).train()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-5, fused=device.type == "cuda")
    averaged = None
    for epoch in range(epochs):
        if epoch == ema_start:
            averaged = AveragedModel(model)
            print("averaging starts")
        for step in range(steps):
            x = torch.randn(2, 3, 224, 224, device=device)
            y = torch.randint(0, 10, (2,), device=device)
            loss = train_step(model, opt, x, y)
            if averaged is not None:
                averaged.update(model)
        print(f"epoch {epoch} loss {loss:.3f}")


if __name__ == "__main__":
    run()
