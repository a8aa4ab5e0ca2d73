# limit: 3
# "My grid is 1.7 GiB, GPU has 3. The solver does nothing but an elementwise function"
import torch

torch.manual_seed(10)


class Field:
    def __init__(self, n, device="cuda"):
        self.state = torch.rand(n, n, device=device)
        self.time = 0.0

    @property
    def gib(self):
        return self.state.numel() * self.state.element_size() / 2 ** 30


class Solver:
    def __init__(self, field, dt=0.01, callbacks=()):
        self.field = field
        self.dt = dt
        self.callbacks = list(callbacks)

    def advance(self):
        self.field.state = torch.tanh(self.field.state)
        self.field.time += self.dt
        for cb in self.callbacks:
            cb(self.field)


def print_mean(field):
    print(f"t={field.time:.2f} mean={field.state[0].mean().item():.4f}")


if __name__ == "__main__":
    field = Field(21360)
    print(f"grid of {field.gib:.2f} GiB")
    solver = Solver(field, callbacks=[print_mean])
    with torch.no_grad():
        for _ in range(10):
            solver.advance()
