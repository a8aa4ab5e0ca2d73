# limit: 4
"""Keep recent chat sessions' key/value blocks on the GPU within a byte budget."""
import random
import torch

random.seed(4)
torch.manual_seed(4)
BUDGET = int(2.5 * 2**30)
BYTES_PER_TOKEN = 12 * 2 * 768 * 4


class SessionStore:
    def __init__(self, budget):
        self.budget, self.used = budget, 0
        self.sessions = {}

    def drop_one(self):
        key = random.choice(list(self.sessions))
        kv = self.sessions.pop(key)
        self.used -= kv.numel() * kv.element_size()

    def open(self, key, tokens):
        need = tokens * BYTES_PER_TOKEN
        while self.used + need > self.budget:
            self.drop_one()
        self.sessions[key] = torch.empty(tokens, 12, 2, 768, device="cuda")
        self.used += need
        return self.sessions[key]


def prefill(kv):
    kv.normal_()
    return kv[-1, :, 0].mean()


store = SessionStore(BUDGET)
for request in range(3000):
    length = int(random.choice([200, 400, 800, 2000, 6000]) * random.uniform(0.6, 1.4))
    kv = store.open(request, length)
    score = prefill(kv).item()
    del kv
    if request % 100 == 0:
        print(f"request {request}: {len(store.sessions)} sessions, {store.used / 2**30:.2f} GiB, {score:.4f}")
