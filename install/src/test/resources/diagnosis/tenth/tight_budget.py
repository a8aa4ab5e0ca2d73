# limit: 1.9
"""bf16, plain SGD, checkpointed blocks, micro-batches of one sequence."""
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

D, FF, BLOCKS, TOKENS = 2048, 8192, 10, 8192


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(D)
        self.up = nn.Linear(D, FF, bias=False)
        self.down = nn.Linear(FF, D, bias=False)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(64, D)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.out = nn.Linear(D, 64)

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False, preserve_rng_state=False)
        return self.out(x)


with torch.device("cuda"):
    torch.set_default_dtype(torch.bfloat16)
    model = Model()
opt = torch.optim.SGD(model.parameters(), lr=1e-2, foreach=False)

for step in range(50):
    opt.zero_grad(set_to_none=True)
    for micro in range(4):
        x = torch.randn(TOKENS, 64, device="cuda")
        loss = (model(x) - x.roll(1, 0)).pow(2).mean() / 4
        loss.backward()
    opt.step()
    if step % 5 == 0:
        print(step, 4 * loss.item(), torch.cuda.max_memory_allocated() // 2**20)
