"""Generation with a cache of fixed size: the prompt as it is, each further token by a compiled step."""
import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(0)
width, heads, layers, most, batch, vocabulary = 768, 12, 8, 640, 16, 32000


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.gate, self.up, self.down = nn.Linear(width, 2048, bias=False), nn.Linear(width, 2048, bias=False), nn.Linear(2048, width, bias=False)
        self.register_buffer("k", torch.zeros(batch, heads, most, width // heads))
        self.register_buffer("v", torch.zeros(batch, heads, most, width // heads))

    def forward(self, x, place, mask):
        b, t, c = x.shape
        q, k, v = (z.view(b, t, heads, c // heads).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        self.k[:, :, place], self.v[:, :, place] = k, v
        y = F.scaled_dot_product_attention(q, self.k, self.v, attn_mask=mask)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        z = self.n2(x)
        return x + self.down(F.silu(self.gate(z)) * self.up(z))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.layers = nn.Embedding(vocabulary, width), nn.ModuleList(Layer() for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.register_buffer("causal", torch.ones(most, most, dtype=torch.bool).tril())

    def forward(self, tokens, place):
        x, mask = self.token(tokens), self.causal[None, None, place]
        for layer in self.layers:
            x = layer(x, place, mask)
        return self.head(self.norm(x[:, -1]))


model = Model().eval().to("cuda", torch.bfloat16)
step = torch.compile(model)
with torch.inference_mode():
    prompt = torch.randint(0, vocabulary, (batch, 512), device="cuda")
    token = model(prompt, torch.arange(512, device="cuda")).argmax(-1, keepdim=True)
    out = [prompt, token]
    for at in range(512, 544):
        token = step(token, torch.tensor([at], device="cuda")).argmax(-1, keepdim=True)
        out.append(token)
print(torch.cat(out, 1).shape)
