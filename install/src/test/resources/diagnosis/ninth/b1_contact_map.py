# limit: 3
"""Residue contacts from a single-sequence encoder; the maps feed the contact head."""
import torch
from torch import nn

dev = torch.device("cuda")
RESIDUES, DIM, HEADS, LENGTH = 25, 320, 16, 3072


class EncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(DIM)
        self.attn = nn.MultiheadAttention(DIM, HEADS, batch_first=True)
        self.ff = nn.Sequential(nn.LayerNorm(DIM), nn.Linear(DIM, 2 * DIM), nn.GELU(), nn.Linear(2 * DIM, DIM))

    def forward(self, x):
        h = self.norm(x)
        h, maps = self.attn(h, h, h, need_weights=True, average_attn_weights=True)
        x = x + h
        return x + self.ff(x), maps


class ContactNet(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.embed = nn.Embedding(RESIDUES, DIM)
        self.layers = nn.ModuleList(EncoderLayer() for _ in range(depth))
        self.mix = nn.Parameter(torch.ones(depth) / depth)

    def forward(self, seq):
        x = self.embed(seq)
        contact = 0
        for w, layer in zip(self.mix, self.layers):
            x, maps = layer(x)
            contact = contact + w * (maps + maps.transpose(1, 2))
        return contact


def proteins(n, batch=2):
    for _ in range(n):
        seq = torch.randint(0, RESIDUES, (batch, LENGTH), device=dev)
        pairs = torch.randint(0, LENGTH, (batch, 400, 2), device=dev)
        yield seq, pairs


def main():
    net = ContactNet().to(dev)
    opt = torch.optim.Adam(net.parameters(), lr=1e-4)
    for step, (seq, pairs) in enumerate(proteins(15)):
        contact = net(seq)
        rows = torch.arange(seq.shape[0], device=dev)[:, None]
        near = contact[rows, pairs[..., 0], pairs[..., 1]]
        loss = -torch.log(near + 1e-6).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print("step", step, "loss", loss.item())


main()
