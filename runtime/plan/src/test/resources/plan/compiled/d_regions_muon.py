"""Each block compiled on its own, and the orthogonal updates of Muon by hand in a compiled function."""
import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(0)
width, heads = 512, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.qkv, self.out = nn.RMSNorm(width), nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.norm2, self.up, self.down = nn.RMSNorm(width), nn.Linear(width, 3 * width, bias=False), nn.Linear(3 * width, width, bias=False)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (z.view(b, t, heads, c // heads).transpose(1, 2) for z in self.qkv(self.norm(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.relu(self.up(self.norm2(x))).square())


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.blocks, self.head = nn.Embedding(5000, width), nn.ModuleList(Block() for _ in range(4)), nn.Linear(width, 5000, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@torch.compile
def orthogonal(g):
    x = g.bfloat16() / (g.norm() + 1e-7)
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return x


model = Model().cuda()
for block in model.blocks:
    block.compile()
matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
others = [p for p in model.parameters() if p.ndim != 2] + [model.embed.weight, model.head.weight]
moments = [torch.zeros_like(p) for p in matrices]
adam = torch.optim.AdamW(others, lr=1e-3)
for step in range(4):
    tokens = torch.randint(0, 5000, (8, 385), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    with torch.no_grad():
        for p, m in zip(matrices, moments):
            m.mul_(0.95).add_(p.grad)
            wide = p.shape[0] <= p.shape[1]
            update = orthogonal(m if wide else m.T)
            p.add_(update if wide else update.T, alpha=-0.02)
    adam.step()
    model.zero_grad()
print(loss.item())
