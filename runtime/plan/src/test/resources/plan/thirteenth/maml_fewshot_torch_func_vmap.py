"""Second-order MAML on synthetic 5-way few-shot images using torch.func (functional_call + grad + vmap)."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

WAYS, SHOTS, QUERIES = 5, 5, 10
TASKS = 4
INNER_STEPS = 3
INNER_LR = 0.05
META_STEPS = 5
SIZE = 56
WIDTH = 32


class ConvNet4(nn.Module):
    def __init__(self):
        super().__init__()
        blocks, c = [], 3
        for _ in range(4):
            blocks += [nn.Conv2d(c, WIDTH, 3, padding=1), nn.GroupNorm(8, WIDTH), nn.ReLU(), nn.MaxPool2d(2)]
            c = WIDTH
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(WIDTH * (SIZE // 16) ** 2, WAYS)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


def sample_tasks(n, device):
    """every class is a random low-frequency texture"""
    proto = torch.randn(n, WAYS, 3, 7, 7, device=device)
    proto = F.interpolate(proto.flatten(0, 1), size=(SIZE, SIZE), mode="bilinear").view(n, WAYS, 1, 3, SIZE, SIZE)
    k = SHOTS + QUERIES
    x = proto + 0.7 * torch.randn(n, WAYS, k, 3, SIZE, SIZE, device=device)
    y = torch.arange(WAYS, device=device).view(1, WAYS, 1).expand(n, WAYS, k)
    xs, xq = x[:, :, :SHOTS].flatten(1, 2), x[:, :, SHOTS:].flatten(1, 2)
    ys, yq = y[:, :, :SHOTS].flatten(1), y[:, :, SHOTS:].flatten(1)
    return xs, ys, xq, yq


def make_task_loss(net):
    def support_loss(params, x, y):
        return F.cross_entropy(functional_call(net, params, (x,)), y)

    def task(params, alphas, xs, ys, xq, yq):
        fast = params
        for _ in range(INNER_STEPS):
            g = grad(support_loss)(fast, xs, ys)
            fast = {k: fast[k] - alphas[k] * g[k] for k in fast}
        logits = functional_call(net, fast, (xq,))
        return F.cross_entropy(logits, yq), (logits.argmax(-1) == yq).float().mean()

    return task


def main():
    torch.manual_seed(9)
    device = torch.device("cuda")
    net = ConvNet4().to(device)
    params = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}
    # meta-SGD style learned step size for each tensor
    alphas = {k: torch.full((), INNER_LR, device=device, requires_grad=True) for k in params}
    opt = torch.optim.Adam([{"params": list(params.values()), "lr": 1e-3}, {"params": list(alphas.values()), "lr": 1e-4}])
    batched = vmap(make_task_loss(net), in_dims=(None, None, 0, 0, 0, 0), randomness="error")

    for step in range(META_STEPS):
        tasks = sample_tasks(TASKS, device)
        losses, accs = batched(params, alphas, *tasks)
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(params.values()), 10.0)
        opt.step()
        print(f"meta {step} loss {loss.item():.4f} query acc {accs.mean().item():.3f} "
              f"mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    with torch.no_grad():
        tasks = sample_tasks(TASKS, device)
        losses, accs = batched(params, alphas, *tasks)
    print(f"test tasks: loss {losses.mean().item():.4f} acc {accs.mean().item():.3f} +- {accs.std().item():.3f}")
    print("learned step sizes", round(min(a.item() for a in alphas.values()), 4), round(max(a.item() for a in alphas.values()), 4))


if __name__ == "__main__":
    main()
