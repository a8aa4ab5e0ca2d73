import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95, steps=5):
        super().__init__(params, dict(lr=lr, momentum=momentum, steps=steps))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                g = p.grad
                state = self.state[p]
                if "buffer" not in state:
                    state["buffer"] = torch.zeros_like(g)
                buffer = state["buffer"]
                buffer.lerp_(g, 1 - group["momentum"])
                g = g.lerp(buffer, group["momentum"])
                x = g.bfloat16()
                if g.size(0) > g.size(1):
                    x = x.T
                x = x / (x.norm() + 1e-7)
                for _ in range(group["steps"]):
                    a = x @ x.T
                    b = -4.7750 * a + 2.0315 * a @ a
                    x = 3.4445 * x + b @ x
                if g.size(0) > g.size(1):
                    x = x.T
                p.add_(x.to(p.dtype), alpha=-group["lr"] * max(1, g.size(0) / g.size(1)) ** 0.5)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 4 * width, bias=False), nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(F.rms_norm(x, (c,))).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k = F.rms_norm(q, (c // self.heads,)), F.rms_norm(k, (c // self.heads,))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.relu(self.up(F.rms_norm(x, (c,)))).square())


embed, head = nn.Embedding(8192, 384).cuda(), nn.Linear(384, 8192, bias=False).cuda()
blocks = nn.Sequential(*[Block(384, 6) for _ in range(4)]).cuda()
muon = Muon(blocks.parameters())
adam = torch.optim.AdamW([*embed.parameters(), *head.parameters()], lr=3e-4)
for step in range(3):
    ids = torch.randint(0, 8192, (8, 257), device="cuda")
    with torch.autocast("cuda", torch.bfloat16):
        logits = head(blocks(embed(ids[:, :-1])))
        logits = 15 * torch.tanh(logits / 15)
        loss = F.cross_entropy(logits.float().view(-1, 8192), ids[:, 1:].reshape(-1))
    loss.backward()
    muon.step()
    adam.step()
    muon.zero_grad()
    adam.zero_grad()
