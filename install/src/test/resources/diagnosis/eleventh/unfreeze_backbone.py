# limit: 1.1
# Two-stage transfer learning: head first, then everything.
import timm
import torch
from torch import nn

torch.manual_seed(123)
dev = "cuda"

model = timm.create_model("deit_base_patch16_224", pretrained=False, img_size=64, num_classes=37).to(dev)


def set_backbone(trainable):
    for name, p in model.named_parameters():
        if not name.startswith("head"):
            p.requires_grad = trainable


def make_optimizer(lr):
    params = [p for p in model.parameters() if p.requires_grad]
    print("trainable:", sum(p.numel() for p in params))
    return torch.optim.Adam(params, lr=lr)


def stage(name, steps, lr, bs=8):
    opt = make_optimizer(lr)
    crit = nn.CrossEntropyLoss()
    model.train()
    for step in range(steps):
        images = torch.randn(bs, 3, 64, 64, device=dev)
        labels = torch.randint(0, 37, (bs,), device=dev)
        opt.zero_grad()
        loss = crit(model(images), labels)
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(name, step, f"{loss.item():.3f}")


set_backbone(False)
stage("head", 40, 1e-3)
set_backbone(True)
stage("full", 40, 1e-5)
print("done")
