# limit: 2.0
# track the top Hessian eigenvalue during training ("edge of stability" reproduction)
import gc
import torch
import torch.nn as nn

dev = "cuda"
torch.manual_seed(0)


def net():
    layers = []
    for i in range(6):
        layers += [nn.Linear(1024 if i else 256, 1024), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(1024, 10)).to(dev)


def hvp(loss_fn, params, v):
    grads = torch.autograd.grad(loss_fn(), params, create_graph=True)
    dot = sum((g * x).sum() for g, x in zip(grads, v))
    return torch.autograd.grad(dot, params)


def power_iteration(loss_fn, params, iters=4):
    v = [torch.randn_like(p) for p in params]
    lam = 0.0
    for _ in range(iters):
        norm = torch.sqrt(sum((x * x).sum() for x in v))
        v = [x / norm for x in v]
        hv = hvp(loss_fn, params, v)
        lam = sum((a * b).sum() for a, b in zip(hv, v)).item()
        v = list(hv)
    return lam


def clean():
    gc.collect()
    torch.cuda.empty_cache()


model = net()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
X = torch.randn(4096, 256, device=dev)
Y = torch.randint(0, 10, (4096,), device=dev)
ce = nn.CrossEntropyLoss()
params = list(model.parameters())
trace = []

for step in range(60):
    def full_loss():
        return ce(model(X), Y)

    loss = full_loss()
    opt.zero_grad()
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    trace.append(power_iteration(full_loss, params))
    del loss
    clean()
    if step % 10 == 0:
        print(f"step {step} lambda_max {trace[-1]:.3f}")

print("max sharpness", max(trace))
