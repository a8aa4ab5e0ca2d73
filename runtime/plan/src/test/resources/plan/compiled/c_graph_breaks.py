"""A mixture of two ways through a network that asks for a value in between, and prints."""
import torch
import torch.nn as nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 2048), nn.GELU())
        self.norm = nn.LayerNorm(2048)
        self.last = nn.Sequential(nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 10))

    def forward(self, x, step):
        x = self.norm(self.first(x))
        if step % 2 == 0:
            print("mean", x.detach().float().mean().item() > -1e9)
        y = torch.tanh(x) * 0.5 + x
        torch._dynamo.graph_break()
        return self.last(y)


net = torch.compile(Net().cuda())
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
for step in range(6):
    x, y = torch.randn(8192, 512, device="cuda"), torch.randint(0, 10, (8192,), device="cuda")
    loss = nn.functional.cross_entropy(net(x, step), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
