# limit: 2.5
import math
import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda")
VOCAB, DIM, CONTEXT = 50257, 256, 1024


class Block(nn.Module):
    def __init__(self, heads=8):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.attn, self.proj = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.attn(self.ln1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.ln2(x))


class Tales(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.token, self.place = nn.Embedding(VOCAB, DIM), nn.Embedding(CONTEXT, DIM)
        self.blocks = nn.Sequential(*[Block() for _ in range(depth)])
        self.norm = nn.LayerNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB, bias=False)
        self.head.weight = self.token.weight

    def forward(self, ids, targets):
        x = self.token(ids) + self.place.weight[: ids.shape[1]]
        x = self.norm(self.blocks(x))
        logits = self.head(x)
        return F.cross_entropy(logits.view(-1, VOCAB), targets.reshape(-1))


torch.manual_seed(7)
model = Tales().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95))
for step in range(25):
    text = torch.randint(0, VOCAB, (8, CONTEXT + 1), device=device)
    loss = model(text[:, :-1], text[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, "loss", loss.item(), "perplexity", math.exp(min(20.0, loss.item())))
