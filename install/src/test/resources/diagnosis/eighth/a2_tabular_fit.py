# limit: 4
# "Training is fine for the whole epoch. The crash always comes in validation, which should need LESS memory?"
from dataclasses import dataclass

import torch
import torch.nn as nn

torch.manual_seed(2)


@dataclass
class Config:
    width: int = 2048
    depth: int = 8
    batch: int = 8192
    train_steps: int = 12
    val_steps: int = 24
    lr: float = 1e-3
    device: str = "cuda"


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        layers = []
        for _ in range(cfg.depth):
            layers += [nn.Linear(cfg.width, cfg.width), nn.ReLU()]
        self.model = nn.Sequential(*layers, nn.Linear(cfg.width, 1)).to(cfg.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr)
        self.criterion = nn.MSELoss()

    def batch(self):
        x = torch.randn(self.cfg.batch, self.cfg.width, device=self.cfg.device)
        return x, x[:, :1] * 0.5

    def train_epoch(self):
        self.model.train()
        running = 0.0
        for _ in range(self.cfg.train_steps):
            x, y = self.batch()
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            running += loss.item()
        return running / self.cfg.train_steps

    def validate(self):
        self.model.eval()
        running = 0.0
        for _ in range(self.cfg.val_steps):
            x, y = self.batch()
            out = self.model(x)
            running += self.criterion(out, y)
        return running / self.cfg.val_steps


trainer = Trainer(Config())
for epoch in range(2):
    print(epoch, "train", trainer.train_epoch())
    print(epoch, "val", float(trainer.validate()))
