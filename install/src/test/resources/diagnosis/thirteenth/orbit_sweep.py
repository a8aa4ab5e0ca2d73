# limit: 1.3
# sweep over integrator settings for an N-body ring; some of them blow up
import torch

DEV = "cuda"


class Diverged(RuntimeError):
    pass


class Ring:
    def __init__(self, n, seed):
        g = torch.Generator(DEV).manual_seed(seed)
        self.x = torch.randn(n, 3, device=DEV, generator=g)
        self.v = torch.randn(n, 3, device=DEV, generator=g) * 0.1

    def energy(self):
        return (self.v.pow(2).sum() * 0.5 - (1.0 / self.x.norm(dim=1).clamp_min(0.05)).sum()).item()


def integrate(ring, dt, steps):
    e0 = ring.energy()
    path = torch.empty(steps, len(ring.x), 3, device=DEV)
    for t in range(steps):
        r3 = ring.x.norm(dim=1, keepdim=True).clamp_min(0.05) ** 3
        ring.v.sub_(dt * ring.x / r3)
        ring.x.add_(ring.v, alpha=dt)
        path[t] = ring.x
        if t % 10 == 9:
            drift = abs((ring.energy() - e0) / e0)
            if drift > 0.5:
                raise Diverged(f"dt={dt:.3f}: drift {drift:.2f} after {t} steps")
    return path.std(0).mean().item()


class Sweep:
    def __init__(self):
        self.ok, self.failed = {}, []

    def run(self, settings):
        for k, dt in enumerate(settings):
            ring = Ring(100_000, seed=k)
            try:
                self.ok[k] = integrate(ring, dt, steps=100)
            except Diverged as e:
                self.failed.append(e)

    def report(self):
        print(f"{len(self.ok)} fine, {len(self.failed)} diverged")
        for e in self.failed[-3:]:
            print("   ", e)


sweep = Sweep()
for round_ in range(10):
    # stiff and soft settings alternate
    sweep.run([0.0005, 0.4 + 0.05 * round_, 0.001, 0.6])
    print("round", round_, end=": ")
    sweep.report()
