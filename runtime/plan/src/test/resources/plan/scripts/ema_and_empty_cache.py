import torch, copy
from models import SmallResNet
m = SmallResNet(width=48).cuda(); ema = copy.deepcopy(m).requires_grad_(False); o = torch.optim.AdamW(m.parameters(), lr=1e-3)
for step, size in enumerate((32, 48, 40, 64)):
    x, y = torch.randn(64, 3, size, size, device="cuda"), torch.randint(0, 10, (64,), device="cuda")
    loss = torch.nn.functional.cross_entropy(m(x), y); o.zero_grad(); loss.backward(); o.step()
    with torch.no_grad():
        for a, b in zip(ema.parameters(), m.parameters()): a.lerp_(b, 0.01)
    if step == 1: torch.cuda.empty_cache()
