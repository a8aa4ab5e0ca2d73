# limit: 3
# "1.1 GiB allocated of 3 GiB, tried to allocate 210 MiB, OOM. Where is the rest?"
import torch

MIB = 2 ** 20
torch.manual_seed(23)


def buffer(mib):
    return torch.zeros(mib * MIB, dtype=torch.uint8, device="cuda")


class PromptPool:
    """One buffer per running prompt, sized by the prompt's length."""

    def __init__(self):
        self.running = {}
        self.next_id = 0

    def warm_up(self, mib):
        buffer(mib).add_(1)  # profile run with the longest possible batch, result not kept

    def admit(self, mib):
        self.running[self.next_id] = buffer(mib)
        self.next_id += 1
        return self.next_id - 1

    def finish(self, prompt_id):
        del self.running[prompt_id]

    def stats(self):
        used, held = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
        return f"{len(self.running)} running, {used // MIB} MiB in use, {held // MIB} MiB reserved"


pool = PromptPool()
pool.warm_up(2700)
first_wave = [pool.admit(100) for _ in range(27)]
print(pool.stats())
for i, prompt in enumerate(first_wave):
    if i % 3 != 2:  # two of three are short answers and finish early
        pool.finish(prompt)
print(pool.stats())
for _ in range(8):  # the second wave's prompts are a bit longer than two of the old ones
    pool.admit(210)
    print(pool.stats())
