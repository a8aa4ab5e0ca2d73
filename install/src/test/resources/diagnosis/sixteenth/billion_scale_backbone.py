# limit: 3.0
"""Language backbone built directly on the device, for embedding extraction."""
import torch
import torch.nn as nn

WIDTH = 2048
LAYERS = 24
HEADS = 16


class Block(nn.Module):
    def __init__(self, d, device):
        super().__init__()
        self.ln1 = nn.LayerNorm(d, device=device)
        self.qkv = nn.Linear(d, 3 * d, device=device)
        self.proj = nn.Linear(d, d, device=device)
        self.ln2 = nn.LayerNorm(d, device=device)
        self.up = nn.Linear(d, 4 * d, device=device)
        self.down = nn.Linear(4 * d, d, device=device)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, HEADS, d // HEADS).permute(2, 0, 3, 1, 4)
        a = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.down(nn.functional.gelu(self.up(self.ln2(x))))


class Backbone(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.tok = nn.Embedding(16000, WIDTH, device=device)
        self.blocks = nn.ModuleList()
        for i in range(LAYERS):
            self.blocks.append(Block(WIDTH, device))
            n = sum(p.numel() for p in self.parameters())
            print(f"layer {i + 1:2d}/{LAYERS}: {n / 1e6:7.1f} M parameters", flush=True)
        self.norm = nn.LayerNorm(WIDTH, device=device)

    def forward(self, ids):
        x = self.tok(ids)
        for b in self.blocks:
            x = b(x)
        return self.norm(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Backbone("cuda").eval()
    with torch.inference_mode():
        for i in range(10):
            ids = torch.randint(0, 16000, (2, 128), device="cuda")
            print(i, model(ids).mean().item())
