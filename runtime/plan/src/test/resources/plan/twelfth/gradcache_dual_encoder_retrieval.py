"""Dense passage retrieval with GradCache: big contrastive batch, two forward passes in small chunks, RNG replay by seed."""
import random

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertModel, get_constant_schedule_with_warmup

BATCH, CHUNK, STEPS = 128, 16, 3
Q_LEN, P_LEN, VOCAB = 32, 192, 30522
HIDDEN, LAYERS = 512, 6


def encoder():
    return BertModel(BertConfig(vocab_size=VOCAB, hidden_size=HIDDEN, num_hidden_layers=LAYERS,
                                num_attention_heads=8, intermediate_size=4 * HIDDEN), add_pooling_layer=False)


def tokens(n, maxlen, rng):
    lens = [rng.randint(maxlen // 3, maxlen) for _ in range(n)]
    ids = torch.zeros(n, maxlen, dtype=torch.long)
    att = torch.zeros(n, maxlen, dtype=torch.long)
    for i, l in enumerate(lens):
        ids[i, :l] = torch.tensor([rng.randrange(1000, VOCAB) for _ in range(l)])
        att[i, :l] = 1
    return ids, att


def encode(model, ids, att, seed):
    torch.cuda.manual_seed_all(seed)
    torch.manual_seed(seed)
    m = int(att.sum(1).max())
    ids, att = ids[:, :m], att[:, :m]
    h = model(input_ids=ids, attention_mask=att).last_hidden_state
    pooled = (h * att[..., None]).sum(1) / att.sum(1, keepdim=True)
    return F.normalize(pooled.float(), dim=-1)


def main():
    torch.manual_seed(12)
    rng = random.Random(12)
    dev = torch.device("cuda")
    q_enc, p_enc = encoder().to(dev), encoder().to(dev)
    params = [*q_enc.parameters(), *p_enc.parameters()]
    opt = torch.optim.AdamW(params, lr=2e-5, foreach=False)
    sched = get_constant_schedule_with_warmup(opt, 2)
    q_enc.train(), p_enc.train()
    for step in range(STEPS):
        q, p = tokens(BATCH, Q_LEN, rng), tokens(BATCH, P_LEN, rng)
        jobs = []
        for enc, (ids, att) in ((q_enc, q), (p_enc, p)):
            ids, att = ids.to(dev), att.to(dev)
            jobs.append([(enc, i, a, 1000 * step + k) for k, (i, a) in enumerate(zip(ids.split(CHUNK), att.split(CHUNK)))])
        # 1. representations without graph
        with torch.no_grad(), torch.autocast(dev.type, dtype=torch.bfloat16):
            reps = [torch.cat([encode(*j) for j in side]) for side in jobs]
        # 2. loss and gradient with respect to representations
        reps = [r.detach().requires_grad_() for r in reps]
        sim = reps[0] @ reps[1].T / 0.05
        labels = torch.arange(BATCH, device=dev)
        loss = 0.5 * (F.cross_entropy(sim, labels) + F.cross_entropy(sim.T, labels))
        loss.backward()
        # 3. replay chunks with graph
        for side, r in zip(jobs, reps):
            for j, g in zip(side, r.grad.split(CHUNK)):
                with torch.autocast(dev.type, dtype=torch.bfloat16):
                    z = encode(*j)
                (z * g).sum().backward()
        torch.nn.utils.clip_grad_norm_(params, 2.0)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        acc = (sim.argmax(1) == labels).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} in-batch acc {acc:.3f}")

    q_enc.eval(), p_enc.eval()
    with torch.inference_mode():
        corpus = torch.cat([encode(p_enc, i, a, 0) for _, i, a, _ in jobs[1]])
        hits = (encode(q_enc, *jobs[0][0][1:3], 0) @ corpus.T).topk(5).indices
    print("top5", hits[0].tolist(), "peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
