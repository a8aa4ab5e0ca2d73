# limit: 1.5
"""Fine-tuning with a small Trainer and callbacks; one of them looks at the feature statistics."""
import timm
import torch
import torch.nn as nn

torch.manual_seed(0)
DEV = "cuda"


class Callback:
    def on_step_end(self, trainer, feats, loss):
        pass

    def on_epoch_end(self, trainer):
        pass


class PrintLoss(Callback):
    def on_step_end(self, trainer, feats, loss):
        if trainer.step % 10 == 0:
            print(f"step {trainer.step:4d} loss {loss.item():.4f}", flush=True)


class FeatureRecorder(Callback):
    """Mean and deviation of the stages per epoch."""

    def __init__(self):
        self.maps = []

    def on_step_end(self, trainer, feats, loss):
        self.maps.append([f.detach() for f in feats])

    def on_epoch_end(self, trainer):
        for s in range(len(self.maps[0])):
            m = torch.stack([x[s].mean() for x in self.maps])
            print("stage", s, m.mean().item(), m.std().item())
        self.maps.clear()


class Trainer:
    def __init__(self, backbone, head, callbacks):
        self.backbone, self.head = backbone.to(DEV), head.to(DEV)
        params = list(backbone.parameters()) + list(head.parameters())
        self.opt = torch.optim.AdamW(params, lr=3e-4)
        self.callbacks, self.step = callbacks, 0

    def fit(self, epochs, steps, bs=32):
        for _ in range(epochs):
            for _ in range(steps):
                x = torch.randn(bs, 3, 128, 128, device=DEV)
                y = torch.randint(0, 20, (bs,), device=DEV)
                feats = self.backbone(x)
                loss = nn.functional.cross_entropy(self.head(feats[-1].mean((2, 3))), y)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                self.opt.step()
                self.step += 1
                for c in self.callbacks:
                    c.on_step_end(self, feats, loss)
            for c in self.callbacks:
                c.on_epoch_end(self)


net = timm.create_model("resnet18", pretrained=False, features_only=True)
Trainer(net, nn.Linear(512, 20), [PrintLoss(), FeatureRecorder()]).fit(epochs=2, steps=80)
