# limit: 2.0
# multi-physics toy: each stage gets its own memory pool ("so they don't disturb each other")
import torch

torch.manual_seed(0)
dev = "cuda"
STAGES = ["advect", "diffuse", "react", "project", "output"]


class Stage:
    def __init__(self, name, scale):
        self.name = name
        self.scale = scale
        self.pool = torch.cuda.MemPool()

    def __call__(self, state):
        with torch.cuda.use_mem_pool(self.pool):
            scratch = torch.empty(150, 1024, 1024, device=dev)
            scratch.copy_(state)
            scratch.mul_(self.scale).tanh_()
            delta = scratch.mean()
            del scratch
        state.add_(delta, alpha=0.1)
        return delta.item()


class Solver:
    def __init__(self):
        self.state = torch.randn(1024, 1024, device=dev)
        self.stages = {}

    def stage(self, name):
        if name not in self.stages:
            self.stages[name] = Stage(name, 0.5 + 0.1 * len(self.stages))
        return self.stages[name]

    def step(self, active):
        return {n: self.stage(n)(self.state) for n in active}


def main():
    solver = Solver()
    for step in range(60):
        # physics is switched on one after the other
        active = STAGES[: 1 + step // 10]
        deltas = solver.step(active)
        if step % 5 == 0:
            txt = " ".join(f"{k}={v:.4f}" for k, v in deltas.items())
            print(f"step {step:2d}: {txt}")
    print("final", solver.state.norm().item())


main()
