"""Ten steps of training a GPT, as one writes them; TenSteps.java.txt is the same, with the GPT of Ports.java.txt.

usage: python -m vramlab_trace --device H200 -o ten_steps.trace ten_steps.py
"""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

dev = 'cuda'


class Attention(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.register_buffer('mask', torch.ones(length, length, dtype=torch.bool).triu(1))

    def forward(self, x):
        b, n, c = x.size(0), x.size(1), x.size(2)
        q, k, v = torch.chunk(self.qkv(x), 3, -1)
        q = q.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        k = k.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        att = q.matmul(k.transpose(-2, -1)).mul(1 / math.sqrt(c // self.heads))
        att = att.masked_fill(self.mask[0:n, 0:n], float('-inf'))
        att = F.softmax(att, -1)
        y = att.matmul(v).transpose(1, 2).reshape(b, n, c)
        return self.proj(y)


class Block(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.ln1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads, length)
        self.ln2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        h = F.gelu(self.up(self.ln2(x)))
        x = x + self.down(h)
        return x


class Gpt(nn.Module):
    def __init__(self, vocabulary, width, heads, layers, length):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList([Block(width, heads, length) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight
        self.at = None

    def forward(self, index):
        n = index.size(1)
        if self.at is None:
            self.at = torch.arange(n, device=index.device)
        x = self.tokens(index) + self.positions(self.at)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


model = Gpt(50304, 384, 6, 6, 256).to(dev)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(10):
    index = torch.randint(0, 50304, (8, 256), device=dev)
    target = torch.randint(0, 50304, (8, 256), device=dev)
    logits = model(index)
    loss = F.cross_entropy(logits.view(-1, 50304), target.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
