# limit: 2.6
import torch
from transformers import GPT2Config, GPT2LMHeadModel


class Player:
    def __init__(self, name, seed):
        torch.manual_seed(seed)
        self.name = name
        config = GPT2Config(vocab_size=16000, n_positions=512, n_embd=1280, n_layer=20, n_head=20)
        with torch.device("cuda"):
            self.model = GPT2LMHeadModel(config)
        self.model.eval()
        self.wins = 0

    @torch.inference_mode()
    def perplexity(self, ids):
        return self.model(ids, labels=ids, use_cache=False).loss.exp().item()


def duel(a, b, rounds=20):
    for r in range(rounds):
        ids = torch.randint(0, 16000, (2, 128), device="cuda")
        pa, pb = a.perplexity(ids), b.perplexity(ids)
        (a if pa < pb else b).wins += 1
    return a.wins, b.wins


baseline = Player("baseline", 1)
print("baseline ppl", baseline.perplexity(torch.randint(0, 16000, (2, 128), device="cuda")))
candidate = Player("candidate", 2)
print(duel(baseline, candidate))
