# limit: 1.75
# Emulator of a climate model's column physics: whole training step as one CUDA graph
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(55)
dev = torch.device("cuda")
N_IN, N_OUT, HID, BATCH = 128, 64, 2048, 8192


def emulator(depth=6):
    dims = [N_IN] + [HID] * depth
    mods = []
    for a, b in zip(dims[:-1], dims[1:]):
        mods += [nn.Linear(a, b), nn.GELU()]
    return nn.Sequential(*mods, nn.Linear(HID, N_OUT))


class GraphedTrainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-4, capturable=True)
        self.x = torch.randn(BATCH, N_IN, device=dev)
        self.y = torch.randn(BATCH, N_OUT, device=dev)

    def _step(self):
        self.opt.zero_grad(set_to_none=True)
        loss = F.mse_loss(self.model(self.x), self.y)
        loss.backward()
        self.opt.step()
        return loss

    def capture(self):
        s = torch.cuda.Stream()
        s.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(s):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(s)
        self.opt.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.loss = self._step()

    def train_batch(self, x, y):
        self.x.copy_(x)
        self.y.copy_(y)
        self.graph.replay()
        return self.loss


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    err = F.mse_loss(model(x.to(dev)), y.to(dev)).item()
    model.train()
    return err


def main():
    columns = torch.randn(65536 + 49152, N_IN)
    target = columns[:, :N_OUT].tanh()
    train_x, train_y = columns[:65536], target[:65536]
    val_x, val_y = columns[65536:], target[65536:]
    trainer = GraphedTrainer(emulator().to(dev))
    trainer.capture()
    for epoch in range(4):
        for i in range(0, len(train_x), BATCH):
            loss = trainer.train_batch(train_x[i:i + BATCH], train_y[i:i + BATCH])
        print(f"epoch {epoch} train {loss.item():.4f}")
        print(f"epoch {epoch} valid {validate(trainer.model, val_x, val_y):.4f}")


if __name__ == "__main__":
    main()
