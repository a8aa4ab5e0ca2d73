# limit: 2.1
# fine-grained classification; early stopping that compares against the best file
import tempfile
from pathlib import Path
import timm
import torch
import torch.nn as nn

torch.manual_seed(0)


class EarlyStopper:
    def __init__(self, folder, patience=3):
        self.file = Path(folder) / "best.pt"
        self.best, self.bad, self.patience = float("inf"), 0, patience
        self.best_state = None

    def check(self, value, model):
        if value < self.best:
            self.best, self.bad = value, 0
            torch.save(model.state_dict(), self.file)
            return False
        self.bad += 1
        if self.best_state is None:
            self.best_state = torch.load(self.file, map_location="cuda")
        drift = sum((p - self.best_state[k]).norm().item()
                    for k, p in model.named_parameters())
        print(f"   no progress ({self.bad}), drift from best {drift:.2f}")
        return self.bad >= self.patience


def run(epochs=8):
    model = timm.create_model("vit_base_patch16_224", pretrained=False, num_classes=100,
                              img_size=96, depth=16).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    loss_fn = nn.CrossEntropyLoss()
    val = [2.0, 1.6, 1.4, 1.45, 1.5, 1.3, 1.35, 1.4]  # replayed from the real run
    with tempfile.TemporaryDirectory() as d:
        stopper = EarlyStopper(d)
        for epoch in range(epochs):
            model.train()
            for _ in range(10):
                x = torch.rand(2, 3, 96, 96, device="cuda")
                y = torch.randint(0, 100, (2,), device="cuda")
                loss = loss_fn(model(x), y)
                opt.zero_grad()
                loss.backward()
                opt.step()
            print(f"epoch {epoch} train {loss.item():.3f} val {val[epoch]:.3f}")
            with torch.no_grad():
                stop = stopper.check(val[epoch], model)
            if stop:
                break


if __name__ == "__main__":
    run()
