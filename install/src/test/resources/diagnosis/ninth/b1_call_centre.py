# limit: 4
import torch
import torch.nn as nn
import torch.nn.functional as F

DEVICE = "cuda"
MELS, DIM, HEADS, LAYERS, INTENTS = 80, 384, 6, 6, 40


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.qkv, self.proj = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.up, self.down = nn.Linear(DIM, 4 * DIM), nn.Linear(4 * DIM, DIM)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, DIM)
        x = x + self.proj(a)
        return x + self.down(F.gelu(self.up(self.n2(x))))


class IntentModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(MELS, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.out = nn.Linear(DIM, INTENTS)

    def forward(self, mel):
        x = self.inp(mel)
        for layer in self.layers:
            x = layer(x)
        return self.out(x.mean(1))


def calls(batch, frames=1000):
    while True:
        mel = torch.randn(batch, frames, MELS)
        yield mel.to(DEVICE), torch.randint(0, INTENTS, (batch,), device=DEVICE)


def run(batch=48, steps=20):
    model = IntentModel().to(DEVICE)
    opt = torch.optim.AdamW(model.parameters(), lr=5e-4)
    for step, (mel, intent) in zip(range(steps), calls(batch)):
        loss = F.cross_entropy(model(mel), intent)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, f"{loss.item():.3f}")


run()
