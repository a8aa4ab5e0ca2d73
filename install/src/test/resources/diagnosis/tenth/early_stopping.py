# limit: 2.2
import copy

import torch
import torch.nn as nn


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience, self.bad, self.best, self.saved = patience, 0, float("inf"), {}

    def __call__(self, value, model, optimizer):
        if value < self.best:
            self.best, self.bad = value, 0
            self.saved["model"] = copy.deepcopy(model.state_dict())
            self.saved["optimizer"] = copy.deepcopy(optimizer.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.stopper = EarlyStopping()

    def run_epoch(self, train):
        total = 0.0
        for _ in range(10):
            x = torch.randn(64, 4096, device="cuda")
            with torch.set_grad_enabled(train):
                loss = (self.model(x) - x.roll(1, 1)).pow(2).mean()
            if train:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            total += loss.item()
        return total / 10

    def fit(self, epochs=20):
        for e in range(epochs):
            self.run_epoch(True)
            val = self.run_epoch(False)
            print("epoch", e, "val", val)
            if self.stopper(val, self.model, self.optimizer):
                break
        self.model.load_state_dict(self.stopper.saved["model"])


with torch.device("cuda"):
    net = nn.Sequential(*[m for _ in range(8) for m in (nn.Linear(4096, 4096), nn.Tanh())])
Trainer(net).fit()
