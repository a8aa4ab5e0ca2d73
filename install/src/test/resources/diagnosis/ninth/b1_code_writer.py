# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, DIM, HEADS, DEPTH = 32000, 1536, 16, 36


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.qkv = nn.Linear(DIM, 3 * DIM, bias=False)
        self.out = nn.Linear(DIM, DIM, bias=False)
        self.fc = nn.Linear(DIM, 4 * DIM)
        self.back = nn.Linear(4 * DIM, DIM)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.a(x)).view(b, t, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, DIM))
        return x + self.back(F.gelu(self.fc(self.b(x))))


class CodeWriter(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(DEPTH))
        self.norm = nn.LayerNorm(DIM)

    def forward(self, ids):
        x = self.tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x[:, -1]) @ self.tokens.weight.T


@torch.inference_mode()
def write(model, prompt, count=40):
    ids = prompt
    for _ in range(count):
        scores = model(ids)
        ids = torch.cat([ids, scores.argmax(-1, keepdim=True)], 1)
    return ids


def load(path=None):
    with torch.device("meta"):
        model = CodeWriter()
    model.to_empty(device="cuda")
    for p in model.parameters():
        nn.init.normal_(p, std=0.02)
    return model.eval()


if __name__ == "__main__":
    model = load()
    prompt = torch.randint(0, VOCAB, (1, 64), device="cuda")
    print(write(model, prompt)[0, 64:].tolist())
