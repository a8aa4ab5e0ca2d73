# limit: 2.0
import torch
import torch.nn.functional as F


class Encoder(torch.nn.Module):
    def __init__(self, d=512):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(d, d), torch.nn.Tanh(), torch.nn.Linear(d, d))

    def forward(self, x):
        return self.net(x)


class Bank:
    def __init__(self, n, d):
        self.vectors = torch.empty(n, d, device="cuda")
        self.fill = 0

    def add(self, x):
        self.vectors[self.fill:self.fill + len(x)] = x
        self.fill += len(x)

    def normalise(self):
        self.vectors = F.normalize(self.vectors, dim=-1)

    def search(self, q, k=10):
        scores, ids = [], []
        for start in range(0, self.fill, 65536):
            s, i = (q @ self.vectors[start:start + 65536].T).topk(k)
            scores.append(s)
            ids.append(i + start)
        s, j = torch.cat(scores, 1).topk(k)
        return s, torch.cat(ids, 1).gather(1, j)


@torch.no_grad()
def main():
    torch.manual_seed(0)
    enc = Encoder().to("cuda")
    bank = Bank(600_000, 512)
    while bank.fill < 600_000:
        n = min(20_000, 600_000 - bank.fill)
        bank.add(enc(torch.randn(n, 512, device="cuda")))
    print(f"bank {bank.fill} rows, {bank.vectors.nbytes / 2**20:.0f} MiB")
    q = torch.randn(8, 512, device="cuda")
    print("raw", bank.search(q)[1][0].tolist())
    bank.normalise()
    print("cosine", bank.search(F.normalize(q, dim=-1))[1][0].tolist())


if __name__ == "__main__":
    main()
