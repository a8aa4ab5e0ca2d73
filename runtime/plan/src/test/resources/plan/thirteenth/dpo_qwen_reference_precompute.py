"""Direct preference optimisation on a Qwen2-shaped model. Reference log-probabilities are computed up front, the
reference model is then dropped, and only the upper half of the policy is trained (pure bf16 weights, RMSprop)."""
import copy
import gc

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from transformers import Qwen2Config, Qwen2ForCausalLM

BETA = 0.1
PAIRS = 16
BATCH = 2
VOCAB = 32_000
PAD = 0


class Preferences(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)

        def ints(lo, hi):
            return int(torch.randint(lo, hi, (1,), generator=g))

        self.rows = []
        for _ in range(n):
            prompt = torch.randint(1, VOCAB, (ints(60, 250),), generator=g)
            good = torch.randint(1, VOCAB, (ints(50, 260),), generator=g)
            bad = torch.randint(1, VOCAB, (ints(50, 260),), generator=g)
            self.rows.append((prompt, good, bad))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return (i, *self.rows[i])


def collate(batch):
    """chosen in the first half of the rows, rejected in the second"""
    seqs, starts = [], []
    for pick in (2, 3):
        for item in batch:
            seqs.append(torch.cat([item[1], item[pick]]))
            starts.append(len(item[1]))
    n = max(map(len, seqs))
    ids = torch.full((len(seqs), n), PAD)
    mask, answer = torch.zeros(len(seqs), n, dtype=torch.long), torch.zeros(len(seqs), n)
    for i, (s, st) in enumerate(zip(seqs, starts)):
        ids[i, : len(s)], mask[i, : len(s)], answer[i, st : len(s)] = s, 1, 1.0
    return torch.tensor([b[0] for b in batch]), ids, mask, answer


def answer_logps(model, ids, mask, answer):
    logits = model(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, :-1]
    logp = -F.cross_entropy(logits.float().transpose(1, 2), ids[:, 1:], reduction="none")
    return (logp * answer[:, 1:]).sum(1)


def policy_model(device):
    cfg = Qwen2Config(
        vocab_size=VOCAB, hidden_size=1024, intermediate_size=2816, num_hidden_layers=12,
        num_attention_heads=16, num_key_value_heads=4, max_position_embeddings=1024, tie_word_embeddings=True,
    )
    return Qwen2ForCausalLM(cfg).to(device=device, dtype=torch.bfloat16)


def main():
    torch.manual_seed(2023)
    device = torch.device("cuda")
    data = Preferences(PAIRS, 5)
    policy = policy_model(device)
    reference = copy.deepcopy(policy).eval()

    table = torch.zeros(PAIRS, 2, device=device)
    with torch.inference_mode():
        for idx, *rest in DataLoader(data, BATCH * 2, collate_fn=collate):
            lp = answer_logps(reference, *(t.to(device) for t in rest))
            c, r = lp.chunk(2)
            table[idx.to(device)] = torch.stack([c, r], 1)
    del reference, lp, c, r
    gc.collect()
    torch.cuda.empty_cache()
    print(f"reference done, allocated {torch.cuda.memory_allocated() / 2**20:.0f} MiB, "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    policy.requires_grad_(False)
    layers = policy.model.layers
    for layer in layers[len(layers) // 2 :]:
        layer.requires_grad_(True)
    policy.model.norm.requires_grad_(True)
    params = [p for p in policy.parameters() if p.requires_grad]
    opt = torch.optim.RMSprop(params, lr=5e-6, alpha=0.99)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 0.2, 1.0, total_iters=4)
    policy.train()
    torch.cuda.reset_peak_memory_stats()
    for step, (idx, *rest) in enumerate(DataLoader(data, BATCH, shuffle=True, collate_fn=collate)):
        ids, mask, answer = (t.to(device) for t in rest)
        c, r = answer_logps(policy, ids, mask, answer).chunk(2)
        ref = table[idx.to(device)]
        rewards_c, rewards_r = BETA * (c - ref[:, 0]), BETA * (r - ref[:, 1])
        loss = -F.logsigmoid(rewards_c - rewards_r).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} len {ids.size(1)} loss {loss.item():.4f} margin {(rewards_c - rewards_r).mean().item():+.4f}")
    print(f"training peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
