# limit: 1.9
"""Swarm of simulated agents; trajectories of every agent, then a field over all end points."""
import torch

DEV = torch.device("cuda")
torch.manual_seed(31)


class Agent:
    STEPS, STATE = 255, 1024

    def __init__(self, k):
        self.k = k
        self.trajectory = None

    def simulate(self, drift):
        traj = torch.empty(self.STEPS, self.STATE, device=DEV)
        torch.randn(self.STEPS, self.STATE, out=traj)
        traj.mul_(0.05).add_(drift)
        self.trajectory = traj.cumsum_(0)
        return self.trajectory[-1].clone()


class Swarm:
    def __init__(self, n):
        self.agents = [Agent(k) for k in range(n)]
        self.finals = []

    def run(self, drift):
        for a in self.agents:
            self.finals.append(a.simulate(drift))
            if a.k % 300 == 0:
                print("agent", a.k, f"{torch.cuda.memory_reserved() / 2**20:.0f} MiB")

    def spread(self):
        lo = min(a.trajectory.amin().item() for a in self.agents[:50])
        hi = max(a.trajectory.amax().item() for a in self.agents[:50])
        return lo, hi

    def forget(self):
        for a in self.agents:
            a.trajectory = None


def density(points, grid):
    # one row per grid position and one column per point
    field = torch.empty(grid, len(points), 96, device=DEV)
    centers = torch.linspace(-5, 5, grid, device=DEV)
    for i, c in enumerate(centers):
        field[i] = (points[:, :96] - c).abs_()
    return field.amin(1).mean(0)


def main():
    swarm = Swarm(1500)
    swarm.run(torch.zeros(1024, device=DEV))
    print("range", swarm.spread())
    swarm.forget()
    print(f"kept {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    pts = torch.stack(swarm.finals)
    for grid in (64, 256, 1024, 1536):
        d = density(pts, grid)
        print(grid, d.mean().item())


main()
