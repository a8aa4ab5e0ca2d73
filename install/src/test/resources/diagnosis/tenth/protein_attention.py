# limit: 4
import torch
import torch.nn as nn

D, H, LAYERS = 512, 8, 4


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(D, 3 * D)
        self.proj = nn.Linear(D, D)
        self.scale = (D // H) ** -0.5

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, H, D // H).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = attn.softmax(dim=-1)
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, D))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.attn = SelfAttention()
        self.mlp = nn.Sequential(nn.Linear(D, 2 * D), nn.GELU(), nn.Linear(2 * D, D))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class ProteinModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(25, D)
        self.pos = nn.Parameter(torch.zeros(1, 4096, D))
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.head = nn.Linear(D, 25)

    def forward(self, ids):
        return self.head(self.blocks(self.tok(ids) + self.pos[:, : ids.shape[1]]))


model = ProteinModel().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for length in (256, 512, 2048):
    ids = torch.randint(0, 25, (8, length), device="cuda")
    loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(length, loss.item())
