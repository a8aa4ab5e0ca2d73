# limit: 1.6
# Model-based RL: imagination rollouts are CUDA graphs, the update of the world model is eager.
import torch
import torch.nn as nn

torch.manual_seed(0)
dev = torch.device("cuda")
N, S = 16384, 256


class World(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(S, 512), nn.SiLU(), nn.Linear(512, S))

    def forward(self, s):
        return s + 0.1 * self.f(s)


world = World().to(dev)
static_state = torch.zeros(N, S, device=dev)


def imagine(state, horizon):
    states = [state]
    for _ in range(horizon):
        states.append(world(states[-1]))
    return torch.stack(states).mean(0)


def capture(horizon):
    s = torch.cuda.Stream()
    s.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(s), torch.no_grad():
        imagine(static_state, horizon)
    torch.cuda.current_stream().wait_stream(s)
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g), torch.no_grad():
        result = imagine(static_state, horizon)
    return g, result


rollouts = {}
for horizon in (3, 5, 7, 9):
    rollouts[horizon] = capture(horizon)
    print("captured horizon", horizon, "reserved", torch.cuda.memory_reserved() >> 20, "MiB")

opt = torch.optim.Adam(world.parameters(), lr=1e-3)
for it in range(40):
    horizon = (3, 5, 7, 9)[it % 4]
    graph, result = rollouts[horizon]
    static_state.normal_()
    graph.replay()
    target = result.clone()

    unroll = 1 + it // 8
    s = static_state
    loss = 0.0
    for k in range(unroll):
        s = world(s)
        loss = loss + (s - target).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 8 == 0:
        print(f"it {it} unroll {unroll} loss {loss.item():.4f} reserved {torch.cuda.memory_reserved() >> 20} MiB")
