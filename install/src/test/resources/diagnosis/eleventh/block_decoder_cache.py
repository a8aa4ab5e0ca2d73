# limit: 2.5
"""Blockwise decoding with a hand-made decoder."""
import math
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.hd = h, d // h
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, past):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, self.hd).permute(2, 0, 3, 1, 4)
        if past is not None:
            k = torch.cat((past[0], k), dim=2)
            v = torch.cat((past[1], v), dim=2)
        else:
            k, v = k.contiguous(), v.contiguous()
        w = (q @ k.transpose(-1, -2) / math.sqrt(self.hd)).softmax(-1)
        y = (w @ v).transpose(1, 2).reshape(b, t, d)
        x = x + self.out(y)
        return x + self.ff(x), (k, v)


class Decoder(nn.Module):
    def __init__(self, d=1024, h=16, n=12, vocab=4000):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(Layer(d, h) for _ in range(n))

    def forward(self, ids, cache):
        x = self.emb(ids)
        new = []
        for layer, past in zip(self.layers, cache):
            x, kv = layer(x, past)
            new.append(kv)
        return x @ self.emb.weight.t(), new


@torch.inference_mode()
def generate(model, ids, blocks, block=16):
    cache = [None] * len(model.layers)
    for i in range(blocks):
        logits, cache = model(ids, cache)
        ids = logits[:, -1].topk(block, dim=-1).indices
        if i % 16 == 0:
            print("block", i, "cache length", cache[0][0].shape[2])
    return ids


torch.manual_seed(0)
net = Decoder().half().to("cuda").eval()
prompt = torch.randint(0, 4000, (64, 16), device="cuda")
generate(net, prompt, blocks=100)
