# limit: 1.1
"""Toy continuous-batching server; each request reserves its cache at admission."""
import torch
from torch import nn

DEV = "cuda"
WIDTH = 8192          # layers * 2 * head dim, flattened: 32 KiB per token


class Cache:
    def __init__(self, tokens):
        self.data = torch.zeros(tokens, WIDTH, device=DEV)
        self.pos = 0

    def append(self, row):
        self.data[self.pos] = row
        self.pos += 1


class Server:
    def __init__(self):
        torch.manual_seed(0)
        self.step_net = nn.Linear(64, WIDTH, device=DEV)
        self.active = {}
        self.done = 0

    def admit(self, rid, tokens):
        self.active[rid] = Cache(tokens)
        print(f"admit {rid} ({tokens} tokens)  active {len(self.active)}")

    @torch.no_grad()
    def decode(self, n):
        for _ in range(n):
            x = torch.randn(len(self.active), 64, device=DEV)
            rows = self.step_net(x)
            for row, cache in zip(rows, self.active.values()):
                cache.append(row)

    def finish(self, rid):
        self.active.pop(rid)
        self.done += 1


def main():
    srv = Server()
    # morning: eight summarisation jobs
    for i in range(8):
        srv.admit(f"sum{i}", 3840)
    srv.decode(40)
    for i in range(8):
        srv.finish(f"sum{i}")
    # then chats
    for i in range(8):
        srv.admit(f"chat{i}", 2240)
        srv.decode(5)
    # one user uploads a contract
    srv.admit("contract", 6400)
    srv.decode(50)
    for rid in list(srv.active):
        srv.finish(rid)
    print("served", srv.done)


if __name__ == "__main__":
    main()
