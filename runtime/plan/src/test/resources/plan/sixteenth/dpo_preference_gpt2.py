"""Direct preference optimisation of a GPT-2 style policy against a frozen copy of itself."""
import argparse
import copy

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from transformers import GPT2Config, GPT2LMHeadModel, get_constant_schedule_with_warmup


class Preferences(Dataset):
    def __init__(self, n, vocab, max_prompt, max_resp, seed=0):
        g = torch.Generator().manual_seed(seed)
        r = lambda lo, hi: int(torch.randint(lo, hi, (1,), generator=g))
        t = lambda k: torch.randint(5, vocab, (k,), generator=g)
        self.rows = [(t(r(max_prompt // 4, max_prompt)), t(r(max_resp // 4, max_resp)), t(r(max_resp // 4, max_resp)))
                     for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    seqs, masks = [], []
    for which in (1, 2):  # all chosen, then all rejected
        for row in rows:
            seqs.append(torch.cat([row[0], row[which]]))
            masks.append(torch.cat([torch.zeros(len(row[0])), torch.ones(len(row[which]))]))
    ids = torch.nn.utils.rnn.pad_sequence(seqs, batch_first=True, padding_value=0)
    resp = torch.nn.utils.rnn.pad_sequence(masks, batch_first=True)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "response_mask": resp}


def sequence_logps(model, batch):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
    logp = torch.log_softmax(logits[:, :-1].float(), -1)
    tok = logp.gather(-1, batch["input_ids"][:, 1:, None]).squeeze(-1)
    return (tok * batch["response_mask"][:, 1:]).sum(-1)


def dpo_loss(pol, ref, beta, smoothing=0.0):
    pc, pr = pol.chunk(2)
    rc, rr = ref.chunk(2)
    logits = (pc - pr) - (rc - rr)
    loss = -F.logsigmoid(beta * logits) * (1 - smoothing) - F.logsigmoid(-beta * logits) * smoothing
    reward_c, reward_r = beta * (pc - rc).detach(), beta * (pr - rr).detach()
    return loss.mean(), (reward_c > reward_r).float().mean(), (reward_c - reward_r).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--vocab", type=int, default=24000)
    ap.add_argument("--dim", type=int, default=640)
    ap.add_argument("--layers", type=int, default=8)
    ap.add_argument("--pairs", type=int, default=4)
    ap.add_argument("--steps", type=int, default=6)
    ap.add_argument("--max-prompt", type=int, default=160)
    ap.add_argument("--max-resp", type=int, default=200)
    ap.add_argument("--beta", type=float, default=0.1)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda")
    cfg = GPT2Config(vocab_size=args.vocab, n_positions=512, n_embd=args.dim, n_layer=args.layers, n_head=10,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False,
                     bos_token_id=1, eos_token_id=2)
    policy = GPT2LMHeadModel(cfg).to(device)
    reference = copy.deepcopy(policy).to(torch.bfloat16).eval().requires_grad_(False)
    opt = torch.optim.RMSprop(policy.parameters(), lr=5e-6)
    sched = get_constant_schedule_with_warmup(opt, 2)
    data = Preferences(args.pairs * args.steps, args.vocab, args.max_prompt, args.max_resp)
    loader = DataLoader(data, args.pairs, shuffle=True, collate_fn=collate)

    policy.train()
    for step, batch in enumerate(loader):
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.no_grad():
            ref = sequence_logps(reference, batch)
        pol = sequence_logps(policy, batch)
        loss, acc, margin = dpo_loss(pol, ref, args.beta, smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 10.0)
        opt.step()
        sched.step()
        print(f"step {step} T {batch['input_ids'].shape[1]} loss {loss.item():.4f} acc {acc.item():.2f} "
              f"margin {margin.item():+.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    policy.eval()
    val = DataLoader(Preferences(args.pairs * 2, args.vocab, args.max_prompt, args.max_resp, seed=7), args.pairs,
                     collate_fn=collate)
    accs = []
    with torch.no_grad():
        for batch in val:
            batch = {k: v.to(device) for k, v in batch.items()}
            accs.append(dpo_loss(sequence_logps(policy, batch), sequence_logps(reference, batch), args.beta)[1])
    print("val reward accuracy", torch.stack(accs).mean().item())


if __name__ == "__main__":
    main()
