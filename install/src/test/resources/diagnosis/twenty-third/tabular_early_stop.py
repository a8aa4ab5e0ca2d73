# limit: 1.55
# Kaggle tabular, wide MLP, early stopping that restores the best weights.
# Fails in epoch 2 at optimizer.step(), although epoch 1 went through with the same batches.
import copy

import torch
import torch.nn as nn

torch.manual_seed(42)
device = "cuda"
N_FEATURES, WIDTH, CLASSES = 512, 8192, 10


class EarlyStopping:
    def __init__(self, patience=3, min_delta=0.0):
        self.patience = patience
        self.min_delta = min_delta
        self.best_loss = float("inf")
        self.best_model = None
        self.counter = 0

    def __call__(self, val_loss, model):
        if val_loss < self.best_loss - self.min_delta:
            self.best_loss = val_loss
            self.best_model = copy.deepcopy(model)
            self.counter = 0
        else:
            self.counter += 1
        return self.counter >= self.patience


def get_batches(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.randn(256, N_FEATURES, generator=g)
        y = (x[:, :CLASSES]).argmax(1)
        yield x.to(device), y.to(device)


def build():
    return nn.Sequential(
        nn.Linear(N_FEATURES, WIDTH), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(WIDTH, CLASSES),
    ).to(device)


def fit(model, epochs=10):
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    loss_fn = nn.CrossEntropyLoss()
    stopper = EarlyStopping()
    for epoch in range(epochs):
        model.train()
        for x, y in get_batches(20, epoch):
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            val = sum(loss_fn(model(x), y).item() for x, y in get_batches(5, 999)) / 5
        print(f"epoch {epoch} val {val:.4f} mem {torch.cuda.memory_allocated() / 2**30:.2f} GiB")
        if stopper(val, model):
            break
    return stopper.best_model


best = fit(build())
print(sum(p.numel() for p in best.parameters()))
