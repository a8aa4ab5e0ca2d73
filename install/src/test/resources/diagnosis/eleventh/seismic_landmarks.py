# limit: 2.2
"""Landmark selection from ever longer recordings."""
import torch

CH = 1024   # channels, 4 KiB per row


def null_level(rows, gen):
    """Noise level of a surrogate that is a little longer than the block."""
    noise = torch.randn(rows + 1536, CH, generator=gen, device="cuda")
    level = noise.abs_().mean().item()
    return level


def recording(rows, gen):
    block = torch.empty(rows, CH, device="cuda")
    block.normal_(generator=gen)
    block[::7].mul_(3)
    return block


def landmarks(block, level, n=1024):
    block.div_(level)
    step = block.shape[0] // n
    return block[::step][:n].clone()


class Catalogue:
    def __init__(self):
        self.entries = []

    def add(self, name, marks):
        self.entries.append((name, marks))

    def summary(self):
        return {n: round(m.abs().mean().item(), 3) for n, m in self.entries}


def main():
    gen = torch.Generator(device="cuda").manual_seed(5)
    cat = Catalogue()
    for hours in range(2, 12):
        rows = hours * 100 * 256            # 100 MiB an hour
        level = null_level(rows, gen)
        block = recording(rows, gen)
        cat.add(f"{hours}h", landmarks(block, level))
        del block
        print(hours, "hours, level", round(level, 4))
    print(cat.summary())


main()
