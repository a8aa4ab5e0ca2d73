# limit: 3.0
# session based recommender (GRU4Rec style, full softmax over the catalogue)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
DEV = "cuda"
ITEMS, DIM = 400_000, 48


class SessionGRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(ITEMS, DIM)
        nn.init.normal_(self.emb.weight, std=0.05)
        self.gru = nn.GRU(DIM, DIM, batch_first=True)

    def forward(self, items):
        h, _ = self.gru(self.emb(items))
        return h @ self.emb.weight.T


class Sessions:
    """short sessions are the majority, long ones are at the end of the sorted log"""

    def __init__(self, batch=32):
        self.batch = batch

    def __iter__(self):
        for length in [3] * 40 + [5] * 30 + [8] * 20 + [14] * 10 + [24] * 5:
            yield torch.randint(0, ITEMS, (self.batch, length + 1), device=DEV)


def loss_fn(model, batch):
    scores = model(batch[:, :-1])
    return F.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten())


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, v):
        self.total += v
        self.n += 1

    def __str__(self):
        return f"{self.total / max(1, self.n):.4f}"


def main(epochs=2):
    model = SessionGRU().to(DEV)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        meter, last = Meter(), None
        for batch in Sessions():
            if batch.shape[1] != last:
                last = batch.shape[1]
                print(f"epoch {epoch}: sessions of {last - 1} clicks, loss so far {meter}")
            loss = loss_fn(model, batch)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            meter.add(loss.item())
        print("epoch", epoch, meter)


main()
