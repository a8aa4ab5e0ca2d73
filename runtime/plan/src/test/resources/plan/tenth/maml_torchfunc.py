"""MAML with torch.func: vmap over tasks, grad inside grad. 5-way 5-shot 'omniglot' from noise prototypes."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

WAYS, SHOTS, QUERIES = 5, 5, 15
TASKS = 16
INNER_STEPS = 4
INNER_LR = 0.1
IMG = 28


class ConvNet(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        blocks, c = [], 1
        for _ in range(4):
            # group norm instead of batch norm, vmap friendly
            blocks += [nn.Conv2d(c, width, 3, padding=1), nn.GroupNorm(8, width), nn.ReLU(), nn.MaxPool2d(2)]
            c = width
        self.features = nn.Sequential(*blocks)
        self.head = nn.Linear(width, WAYS)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def sample_tasks(n, device):
    protos = torch.randn(n, WAYS, 1, 1, IMG, IMG, device=device)
    x = protos + 0.5 * torch.randn(n, WAYS, SHOTS + QUERIES, 1, IMG, IMG, device=device)
    y = torch.arange(WAYS, device=device)[None, :, None].expand(n, WAYS, SHOTS + QUERIES)
    xs, xq = x[:, :, :SHOTS], x[:, :, SHOTS:]
    ys, yq = y[:, :, :SHOTS], y[:, :, SHOTS:]
    return xs.flatten(1, 2), ys.flatten(1, 2), xq.flatten(1, 2), yq.flatten(1, 2)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    net = ConvNet().to(device)
    params = dict(net.named_parameters())
    opt = torch.optim.Adam(params.values(), lr=1e-3)

    def loss_fn(p, x, y):
        return F.cross_entropy(functional_call(net, p, (x,)), y)

    def adapt(p, x, y):
        for _ in range(INNER_STEPS):
            g = grad(loss_fn)(p, x, y)
            p = {k: v - INNER_LR * g[k] for k, v in p.items()}
        return p

    def task_loss(p, xs, ys, xq, yq):
        fast = adapt(p, xs, ys)
        logits = functional_call(net, fast, (xq,))
        acc = (logits.argmax(-1) == yq).float().mean()
        return F.cross_entropy(logits, yq), acc

    batched = vmap(task_loss, in_dims=(None, 0, 0, 0, 0))

    for it in range(3):
        tasks = sample_tasks(TASKS, device)
        losses, accs = batched(params, *tasks)
        meta = losses.mean()
        opt.zero_grad()
        meta.backward()
        opt.step()
        print(f"meta iter {it}: loss {meta.item():.4f} query acc {accs.mean().item():.3f}")

    # evaluation, no outer graph needed
    with torch.no_grad():
        losses, accs = batched(params, *sample_tasks(TASKS, device))
    print(f"test loss {losses.mean().item():.4f} acc {accs.mean().item():.3f} +- {accs.std().item():.3f}")


if __name__ == "__main__":
    main()
