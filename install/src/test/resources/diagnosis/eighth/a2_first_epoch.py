# limit: 4
# "forward OK, backward OK, and then OOM. Batch size 1 does not help either"
import torch
import torch.nn as nn

torch.manual_seed(14)


class Residual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        return x + torch.tanh(self.lin(x))


class Loop:
    def __init__(self, model, lr=1e-4):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.hooks = {"after_forward": [], "after_backward": [], "after_step": []}

    def on(self, event):
        def register(fn):
            self.hooks[event].append(fn)
            return fn
        return register

    def fire(self, event):
        for fn in self.hooks[event]:
            fn(event)

    def train_one(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        self.fire("after_forward")
        loss.backward()
        self.fire("after_backward")
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.fire("after_step")
        return loss.item()


with torch.device("cuda"):
    net = nn.Sequential(*[Residual(4096) for _ in range(18)])
loop = Loop(net)


@loop.on("after_forward")
@loop.on("after_backward")
@loop.on("after_step")
def log(event):
    print(event, torch.cuda.memory_allocated() >> 20, "MiB")


for i in range(3):
    x = torch.randn(16, 4096, device="cuda")
    print(i, loop.train_one(x, x.flip(-1)))
