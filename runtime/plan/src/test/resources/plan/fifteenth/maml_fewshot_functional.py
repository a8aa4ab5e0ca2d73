"""MAML on random few-shot image tasks using torch.func (functional_call, grad, vmap); second order."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

N_WAY, K_SHOT, K_QUERY = 5, 5, 15
META_BATCH = 6
INNER_STEPS = 3
INNER_LR = 0.05
IMG = 28
WIDTH = 48
META_STEPS = 5
device = torch.device("cuda")


def conv_block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1),
        nn.BatchNorm2d(cout, affine=True, track_running_stats=False),
        nn.ReLU(),
        nn.MaxPool2d(2),
    )


class ConvNet4(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*[conv_block(3 if i == 0 else WIDTH, WIDTH) for i in range(4)])
        side = IMG // 16
        self.classifier = nn.Linear(WIDTH * side * side, N_WAY)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def sample_tasks(n):
    protos = torch.randn(n, N_WAY, 1, 3, IMG, IMG, device=device)

    def draw(k):
        x = protos + 0.8 * torch.randn(n, N_WAY, k, 3, IMG, IMG, device=device)
        y = torch.arange(N_WAY, device=device)[None, :, None].expand(n, N_WAY, k)
        return x.flatten(1, 2), y.flatten(1, 2)

    xs, ys = draw(K_SHOT)
    xq, yq = draw(K_QUERY)
    return xs, ys, xq, yq


net = None


def task_loss(params, x, y):
    return F.cross_entropy(functional_call(net, params, (x,)), y)


def adapt(params, x, y, steps):
    for _ in range(steps):
        grads = grad(task_loss)(params, x, y)
        params = {k: p - INNER_LR * grads[k] for k, p in params.items()}
    return params


def query_loss(params, xs, ys, xq, yq):
    fast = adapt(params, xs, ys, INNER_STEPS)
    logits = functional_call(net, fast, (xq,))
    return F.cross_entropy(logits, yq), (logits.argmax(-1) == yq).float().mean()


def main():
    global net
    torch.manual_seed(55)
    net = ConvNet4().to(device)
    params = dict(net.named_parameters())
    opt = torch.optim.Adam(params.values(), lr=1e-3)
    batched = vmap(query_loss, in_dims=(None, 0, 0, 0, 0))
    for step in range(META_STEPS):
        xs, ys, xq, yq = sample_tasks(META_BATCH)
        losses, accs = batched(params, xs, ys, xq, yq)
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"meta step {step} loss {loss.item():.4f} acc {accs.mean().item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # meta test: adapt longer, one task after the other
    accs = []
    for _ in range(4):
        xs, ys, xq, yq = (t[0] for t in sample_tasks(1))
        detached = {k: p.detach() for k, p in params.items()}
        fast = adapt(detached, xs, ys, 10)
        with torch.no_grad():
            accs.append((functional_call(net, fast, (xq,)).argmax(-1) == yq).float().mean().item())
    print("meta-test accuracies", [round(a, 3) for a in accs])


if __name__ == "__main__":
    main()
