# limit: 2.0
# Acoustic model. Before training one step is made with the largest batch the sampler
# could ever make, so that the allocator has seen it ("pre-allocation" of the tuning guide).
import torch
import torch.nn as nn

MAX_BATCH, MAX_FRAMES = 48, 1600


class Acoustic(nn.Module):
    def __init__(self, d=384, layers=6, tokens=64):
        super().__init__()
        self.front = nn.Linear(80, d)
        self.enc = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(d, 6, 4 * d, dropout=0.0, batch_first=True),
            layers, enable_nested_tensor=False)
        self.out = nn.Linear(d, tokens)

    def forward(self, x):
        return self.out(self.enc(self.front(x)))


class Sampler:
    """batches of about the same number of frames: never more than 6000"""

    def __init__(self, n, seed=0):
        self.g, self.n = torch.Generator().manual_seed(seed), n

    def __iter__(self):
        for _ in range(self.n):
            frames = int(torch.randint(120, MAX_FRAMES, (1,), generator=self.g))
            yield torch.randn(max(1, 3000 // frames), frames, 80, generator=self.g)


def step(model, opt, x):
    logits = model(x.to("cuda"))
    target = torch.zeros(logits.shape[:2], dtype=torch.long, device="cuda")
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())
    opt.zero_grad()
    loss.backward()
    return loss


def main():
    torch.manual_seed(0)
    model = Acoustic().to("cuda")
    opt = torch.optim.AdamW(model.parameters(), 1e-4)
    step(model, opt, torch.zeros(MAX_BATCH, MAX_FRAMES, 80))
    opt.zero_grad(set_to_none=True)
    print("allocator is warm")
    for n, x in enumerate(Sampler(60)):
        loss = step(model, opt, x)
        opt.step()
        if n % 10 == 0:
            print(n, tuple(x.shape), loss.item())


if __name__ == "__main__":
    main()
