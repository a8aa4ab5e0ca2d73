import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
WIDTH, HEADS, SHARED, HEAD, LAYERS, WORDS, LONGEST = 1024, 16, 4, 64, 6, 32000, 160


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.q, self.kv = nn.Linear(WIDTH, HEADS * HEAD, bias=False), nn.Linear(WIDTH, 2 * SHARED * HEAD, bias=False)
        self.o = nn.Linear(HEADS * HEAD, WIDTH, bias=False)
        self.gate_up, self.down = nn.Linear(WIDTH, 2 * 2816, bias=False), nn.Linear(2816, WIDTH, bias=False)

    def forward(self, x, cos, sin, cache, at):
        b, t, _ = x.shape
        h = self.before(x)
        q = rotate(self.q(h).view(b, t, HEADS, HEAD).transpose(1, 2), cos, sin)
        k, v = self.kv(h).view(b, t, 2 * SHARED, HEAD).transpose(1, 2).chunk(2, 1)
        cache[0][:, :, at:at + t] = rotate(k, cos, sin)
        cache[1][:, :, at:at + t] = v
        a = F.scaled_dot_product_attention(q, cache[0][:, :, :at + t], cache[1][:, :, :at + t], is_causal=t > 1, enable_gqa=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, -1))
        gate, up = self.gate_up(self.between(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


torch.set_default_dtype(torch.bfloat16)
embed, layers = nn.Embedding(WORDS, WIDTH).cuda(), nn.ModuleList(Layer() for _ in range(LAYERS)).cuda()
norm, head = nn.RMSNorm(WIDTH).cuda(), nn.Linear(WIDTH, WORDS, bias=False).cuda()
angles = torch.outer(torch.arange(LONGEST, device="cuda").float(), 1.0 / 10000 ** (torch.arange(0, HEAD, 2, device="cuda").float() / HEAD))
cos, sin = angles.cos().bfloat16(), angles.sin().bfloat16()
with torch.inference_mode():
    ids = torch.randint(0, WORDS, (8, 128), device="cuda")
    caches = [torch.zeros(2, 8, SHARED, LONGEST, HEAD, device="cuda") for _ in layers]
    at = 0
    for step in range(17):
        x = embed(ids)
        t = ids.shape[1]
        for layer, cache in zip(layers, caches):
            x = layer(x, cos[at:at + t], sin[at:at + t], cache, at)
        at += t
        probabilities = F.softmax(head(norm(x[:, -1])).float() / 0.8, -1)
        ordered, places = probabilities.sort(descending=True)
        ordered[ordered.cumsum(-1) - ordered > 0.9] = 0
        ordered /= ordered.sum(-1, keepdim=True)
        ids = places.gather(1, torch.multinomial(ordered, 1))
