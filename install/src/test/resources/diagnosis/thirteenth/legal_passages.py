# limit: 1.5
"""Passage index: token states of a section are held until the section is closed, summaries stay."""
import torch
from torch import nn

TOK, D, HEADS = 480, 512, 30


class Summariser(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(D, D)
        self.pick = nn.Linear(D, HEADS)

    def states(self, x):
        return torch.tanh(self.enc(x))

    def summary(self, h):
        return self.pick(h).softmax(0).T @ h


class Section:
    def __init__(self):
        self.states = []
        self.summaries = []

    def close(self):
        self.states.clear()

    def add(self, net, x):
        h = net.states(x)
        self.states.append(h)
        self.summaries.append(net.summary(h))


def build_index(rows, width):
    index = torch.zeros(rows, width, device="cuda")
    index.normal_()
    return index


@torch.no_grad()
def main():
    torch.manual_seed(19)
    net = Summariser().to("cuda")
    section = Section()
    for i in range(1300):
        section.add(net, torch.randn(TOK, D, device="cuda"))
        if i % 100 == 0:
            print(f"passage {i}: {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    section.close()
    print(f"closed: in use {torch.cuda.memory_allocated() / 2**20:.0f} MiB, "
          f"reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB")
    index = build_index(350_000, D)
    scores = torch.stack([(index[:1000] @ s.mean(0)).max() for s in section.summaries])
    print("mean best score", scores.mean().item())


if __name__ == "__main__":
    main()
