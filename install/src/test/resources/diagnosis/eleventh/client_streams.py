# limit: 0.6
"""Toy multi-tenant inference, each client on a stream of its own."""
import torch
from torch import nn


class Client:
    def __init__(self, cid):
        self.cid = cid
        self.stream = torch.cuda.Stream()
        self.served = 0

    def ask(self, model, seed):
        with torch.cuda.stream(self.stream):
            g = torch.Generator(device="cuda").manual_seed(seed)
            x = torch.randn(64, 512, generator=g, device="cuda")
            y = model(x)
            score = y.float().mean()
        self.stream.synchronize()
        self.served += 1
        return score.item()


class Pool:
    def __init__(self, limit):
        self.limit, self.clients = limit, {}

    def get(self, cid):
        if cid not in self.clients:
            if len(self.clients) >= self.limit:
                raise RuntimeError("too many clients")
            self.clients[cid] = Client(cid)
        return self.clients[cid]


def traffic(n, clients, seed):
    g = torch.Generator().manual_seed(seed)
    for i in range(n):
        newest = min(clients, 2 + i // 8)
        yield int(torch.randint(0, newest, (1,), generator=g))


@torch.inference_mode()
def serve():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 512)).cuda().eval()
    pool = Pool(limit=32)
    for i, cid in enumerate(traffic(400, 30, seed=4)):
        value = pool.get(cid).ask(model, seed=i)
        if i % 25 == 0:
            print(i, "clients", len(pool.clients), "score", round(value, 5))


serve()
