# limit: 1.5
import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, d=20):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.price = nn.Linear(128, 1)

    def forward(self, x):
        return self.price(self.body(x))


def table(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 20, generator=g)
    return x.cuda(), (x @ torch.linspace(-1, 1, 20)).cuda()


def rmse(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = model(x)
        err = pred - y
        return err.pow(2).mean().sqrt().item()


def train(model, x, y, epochs=3, bs=256):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        for i in range(0, len(x), bs):
            pred = model(x[i:i + bs])
            loss = nn.functional.mse_loss(pred, y[i:i + bs].unsqueeze(1))
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} loss {loss.item():.4f} rmse(train head) {rmse(model, x[:2000], y[:2000]):.4f}")


torch.manual_seed(0)
x_train, y_train = table(20000, 1)
x_test, y_test = table(30000, 2)
net = Regressor().cuda()
train(net, x_train, y_train)
print("test rmse", rmse(net, x_test, y_test))
