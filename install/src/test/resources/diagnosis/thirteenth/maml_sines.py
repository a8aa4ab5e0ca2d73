# limit: 2.0
"""Second order MAML on sinusoids. Number of tasks per meta batch grows during training."""
import torch
import torch.nn.functional as F

DEV = "cuda"
HID, SHOTS = 1024, 512
INNER_LR = 0.01
torch.manual_seed(2)


def init():
    shapes = [(HID, 1), (HID,), (HID, HID), (HID,), (HID, HID), (HID,), (1, HID), (1,)]
    return [(torch.randn(*s, device=DEV) * (0.5 / s[-1] ** 0.5 if len(s) > 1 else 0.0))
            .requires_grad_() for s in shapes]


def net(x, p):
    for i in range(0, 6, 2):
        x = torch.tanh(F.linear(x, p[i], p[i + 1]))
    return F.linear(x, p[6], p[7])


class SineTask:
    def __init__(self):
        self.amp = 0.1 + 4.9 * torch.rand((), device=DEV)
        self.phase = 3.14 * torch.rand((), device=DEV)

    def data(self):
        x = torch.rand(SHOTS, 1, device=DEV) * 10 - 5
        return x, self.amp * torch.sin(x + self.phase)


def adapt(params, task, steps):
    fast = params
    x, y = task.data()
    for _ in range(steps):
        loss = F.mse_loss(net(x, fast), y)
        grads = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - INNER_LR * g for w, g in zip(fast, grads)]
    return fast


def meta_step(params, opt, n_tasks, inner=5):
    total = 0.0
    for _ in range(n_tasks):
        task = SineTask()
        fast = adapt(params, task, inner)
        xq, yq = task.data()
        total = total + F.mse_loss(net(xq, fast), yq)
    total = total / n_tasks
    opt.zero_grad()
    total.backward()
    opt.step()
    return total.item()


params = init()
opt = torch.optim.Adam(params, lr=1e-4)
for n_tasks in (2, 4, 8, 16, 32):
    for it in range(8):
        loss = meta_step(params, opt, n_tasks)
    print(f"{n_tasks:2d} tasks: query loss {loss:.4f}")
