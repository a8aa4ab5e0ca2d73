# limit: 1.25
"""Stateful character model: the hidden state goes on from one window to the next."""
import torch
from torch import nn
import torch.nn.functional as F


class StatefulGRU(nn.Module):
    def __init__(self, vocab=120, d=512, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.cells = nn.ModuleList(nn.GRUCell(d, d) for _ in range(layers))
        self.out = nn.Linear(d, vocab)

    def forward(self, ids, state):
        ys = []
        for t in range(ids.shape[1]):
            x = self.emb(ids[:, t])
            for i, cell in enumerate(self.cells):
                state[i] = cell(x, state[i])
                x = state[i]
            ys.append(x)
        return self.out(torch.stack(ys, 1)), state

    def zero_state(self, batch, d=512):
        return [torch.zeros(batch, d, device="cuda") for _ in self.cells]


def windows(n, batch=64, width=24):
    g = torch.Generator().manual_seed(1)
    for _ in range(n):
        w = torch.randint(0, 120, (batch, width + 1), generator=g)
        yield w.to("cuda")


def train(epochs=2):
    torch.manual_seed(1)
    net = StatefulGRU().to("cuda")
    for epoch in range(epochs):
        state = net.zero_state(64)
        running = 0.0
        for i, w in enumerate(windows(120)):
            logits, state = net(w[:, :-1], state)
            loss = F.cross_entropy(logits.flatten(0, 1), w[:, 1:].flatten())
            grads = torch.autograd.grad(loss, list(net.out.parameters()), retain_graph=True)
            with torch.no_grad():
                for p, g in zip(net.out.parameters(), grads):
                    p.sub_(g, alpha=0.0)
            running += loss.item()
            if i % 5 == 0:
                print(f"epoch {epoch} window {i}: {running / (i + 1):.4f}")


if __name__ == "__main__":
    train()
