# limit: 1.6
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Layer(nn.Module):
    def __init__(self, d=512, h=8):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.h = h

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        a = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class Encoder(nn.Module):
    def __init__(self, depth=16):
        super().__init__()
        self.emb = nn.Embedding(2000, 512)
        self.layers = nn.ModuleList(Layer() for _ in range(depth))
        self.head = nn.Linear(512, 30)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return self.head(x.mean(1))


def main():
    torch.manual_seed(2)
    net = Encoder().to("cuda")
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    for step in range(14):
        ids = torch.randint(0, 2000, (8, 640), device="cuda")
        y = torch.randint(0, 30, (8,), device="cuda")
        loss = nn.functional.cross_entropy(net(ids), y)
        loss.backward()
        opt.step()
        opt.zero_grad()
        if step % 4 == 0:
            print(f"step {step}: {loss.item():.4f}, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
