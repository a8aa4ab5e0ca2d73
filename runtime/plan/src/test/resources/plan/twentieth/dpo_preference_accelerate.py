"""Direct preference optimization of a GPT-NeoX-like policy against a frozen reference copy, with accelerate."""
import copy
import random

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM, get_constant_schedule_with_warmup

VOCAB = 24000
MAX_PROMPT = 160
MAX_ANSWER = 224
BETA = 0.1
PAIRS = 4
PAD = 0


class Preferences(Dataset):
    def __init__(self, n, seed=0):
        r = random.Random(seed)
        words = lambda k: [r.randrange(5, VOCAB) for _ in range(k)]
        self.rows = []
        for _ in range(n):
            prompt = words(r.randint(MAX_PROMPT // 4, MAX_PROMPT))
            self.rows.append((prompt, words(r.randint(MAX_ANSWER // 3, MAX_ANSWER)), words(r.randint(MAX_ANSWER // 3, MAX_ANSWER))))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    """chosen sequences first and rejected ones after them, in one tensor"""
    seqs = [(p, c) for p, c, _ in rows] + [(p, r) for p, _, r in rows]
    m = max(len(p) + len(a) for p, a in seqs)
    ids = torch.full((len(seqs), m), PAD)
    att = torch.zeros(len(seqs), m, dtype=torch.long)
    ans = torch.zeros(len(seqs), m, dtype=torch.bool)
    for i, (p, a) in enumerate(seqs):
        n = len(p) + len(a)
        ids[i, :n] = torch.tensor(p + a)
        att[i, :n] = 1
        ans[i, len(p):n] = True
    return {"input_ids": ids, "attention_mask": att, "answer": ans}


def sequence_logps(model, batch):
    logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits[:, :-1].float()
    tok = batch["input_ids"][:, 1:]
    logp = logits.log_softmax(-1).gather(2, tok.unsqueeze(2)).squeeze(2)
    return (logp * batch["answer"][:, 1:]).sum(-1)


def main():
    torch.manual_seed(31)
    acc = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
    cfg = GPTNeoXConfig(vocab_size=VOCAB, hidden_size=640, num_hidden_layers=8, num_attention_heads=10,
                        intermediate_size=2560, max_position_embeddings=512, use_cache=False,
                        bos_token_id=1, eos_token_id=2)
    policy = GPTNeoXForCausalLM(cfg)
    reference = copy.deepcopy(policy).eval().requires_grad_(False).to(acc.device, torch.bfloat16)
    opt = torch.optim.RMSprop(policy.parameters(), lr=5e-6)       # as in the paper
    loader = DataLoader(Preferences(PAIRS * 6), batch_size=PAIRS, collate_fn=collate, shuffle=True)
    sched = get_constant_schedule_with_warmup(opt, 2)
    policy, opt, loader, sched = acc.prepare(policy, opt, loader, sched)
    policy.train()
    for step, batch in enumerate(loader):
        with torch.no_grad():
            ref = sequence_logps(reference, batch)
        with acc.accumulate(policy):
            pol = sequence_logps(policy, batch)
            pc, pr = pol.chunk(2)
            rc, rr = ref.chunk(2)
            margin = BETA * ((pc - rc) - (pr - rr))
            loss = -F.logsigmoid(margin).mean()
            acc.backward(loss)
            if acc.sync_gradients:
                acc.clip_grad_norm_(policy.parameters(), 10.0)
            opt.step()
            sched.step()
            opt.zero_grad()
        acc.print(f"step {step} len {batch['input_ids'].shape[1]} loss {loss.item():.4f} "
                  f"margin {margin.mean().item():+.4f} acc {(margin > 0).float().mean().item():.2f}")
    acc.print(f"peak memory {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
