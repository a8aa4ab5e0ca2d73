# limit: 1.1
# offline value learning on game positions, plain PyTorch
from collections import deque
import torch
from torch import nn
import torch.nn.functional as F


class Replay:
    """at most `maxlen` slabs of positions on the GPU, the oldest are dropped"""

    def __init__(self, maxlen):
        self.slabs = deque(maxlen=maxlen)

    def push(self, obs, ret):
        self.slabs.append((obs, ret))

    def sample(self, n):
        i = torch.randint(0, len(self.slabs), (1,)).item()
        obs, ret = self.slabs[i]
        j = torch.randint(0, len(obs), (n,), device="cuda")
        return obs[j], ret[j]


def play(net, n=4096):
    obs = torch.randn(n, 1024, device="cuda")
    with torch.no_grad():
        ret = 0.9 * net(obs).squeeze(-1) + 0.1 * obs[:, 0]
    return obs, ret


def main():
    torch.manual_seed(13)
    net = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1)).to("cuda")
    opt = torch.optim.Adam(net.parameters(), lr=3e-4)
    replay = Replay(maxlen=48)
    curve = []
    for it in range(160):
        replay.push(*play(net))
        losses = []
        for _ in range(4):
            obs, ret = replay.sample(512)
            loss = F.mse_loss(net(obs).squeeze(-1), ret)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.detach())
        curve.append(torch.stack(losses).mean().cpu())
        if it % 20 == 0:
            print(f"iteration {it}: loss {curve[-1].item():.4f}, {len(replay.slabs)} slabs, "
                  f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    print("last mean", torch.stack(curve[-20:]).mean().item())


if __name__ == "__main__":
    main()
