"""Kaggle essay discourse tagging: DeBERTa-v3 style token classifier, adversarial weight perturbation (AWP),
layer-wise learning rates, fp16 with GradScaler, sorted batches to limit padding."""
import gc
import random
import time

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score
from transformers import DebertaV2Config, DebertaV2Model, get_cosine_schedule_with_warmup


class CFG:
    seed = 2022
    vocab = 32_000
    hidden = 768
    layers = 6
    labels = 15
    max_len = 512
    batch = 4
    n_train = 24
    n_valid = 12
    lr = 2e-5
    head_lr = 1e-4
    lr_decay = 0.9
    awp_start = 2
    awp_lr = 1e-4
    awp_eps = 1e-2


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        config = DebertaV2Config(
            vocab_size=CFG.vocab, hidden_size=CFG.hidden, num_hidden_layers=CFG.layers,
            num_attention_heads=CFG.hidden // 64, intermediate_size=4 * CFG.hidden, relative_attention=True,
            pos_att_type=["p2c", "c2p"], position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True,
            max_relative_positions=-1, position_biased_input=False, type_vocab_size=0,
        )
        self.backbone = DebertaV2Model(config)
        self.drops = nn.ModuleList([nn.Dropout(0.1 * i) for i in range(1, 6)])
        self.fc = nn.Linear(CFG.hidden, CFG.labels)

    def forward(self, ids, mask):
        h = self.backbone(input_ids=ids, attention_mask=mask).last_hidden_state
        return torch.stack([self.fc(d(h)) for d in self.drops]).mean(0)


class AWP:
    def __init__(self, model, lr, eps):
        self.model, self.lr, self.eps, self.backup = model, lr, eps, {}

    def attack(self):
        for n, p in self.model.named_parameters():
            if p.requires_grad and p.grad is not None and "layer" in n and n.endswith("weight") and p.ndim == 2:
                gn, wn = p.grad.norm(), p.data.norm()
                self.backup[n] = p.data.clone()
                if gn > 0 and torch.isfinite(gn):
                    step = self.lr * p.grad / (gn + 1e-6) * (wn + 1e-6)
                    bound = self.eps * p.data.abs()
                    p.data.add_(torch.max(torch.min(step, bound), -bound))

    def restore(self):
        for n, p in self.model.named_parameters():
            if n in self.backup:
                p.data = self.backup[n]
        self.backup = {}


def layerwise(model):
    groups = [{"params": list(model.fc.parameters()), "lr": CFG.head_lr}]
    lr = CFG.lr
    for layer in reversed(model.backbone.encoder.layer):
        groups.append({"params": list(layer.parameters()), "lr": lr})
        lr *= CFG.lr_decay
    done = {id(p) for g in groups for p in g["params"]}
    groups.append({"params": [p for p in model.parameters() if id(p) not in done], "lr": lr})
    return groups


def essays(n, seed):
    rng = random.Random(seed)
    docs = []
    for _ in range(n):
        length = rng.randint(120, CFG.max_len)
        ids = [rng.randrange(5, CFG.vocab) for _ in range(length)]
        docs.append((ids, [i % CFG.labels for i in ids]))
    return docs


def batches(docs, shuffle):
    docs = sorted(docs, key=lambda d: len(d[0]))
    groups = [docs[i : i + CFG.batch] for i in range(0, len(docs), CFG.batch)]
    if shuffle:
        random.shuffle(groups)
    for g in groups:
        n = max(len(d[0]) for d in g)
        ids, mask, y = torch.zeros(len(g), n, dtype=torch.long), torch.zeros(len(g), n, dtype=torch.long), torch.full((len(g), n), -100)
        for i, (a, b) in enumerate(g):
            ids[i, : len(a)], mask[i, : len(a)], y[i, : len(a)] = torch.tensor(a), 1, torch.tensor(b)
        yield ids, mask, y


def main():
    random.seed(CFG.seed), np.random.seed(CFG.seed), torch.manual_seed(CFG.seed)
    device = torch.device("cuda")
    model = Tagger().to(device)
    opt = torch.optim.AdamW(layerwise(model), weight_decay=0.01)
    total = CFG.n_train // CFG.batch
    sched = get_cosine_schedule_with_warmup(opt, 1, total)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0**12)
    ce, awp = nn.CrossEntropyLoss(), AWP(model, CFG.awp_lr, CFG.awp_eps)

    def loss_of(ids, mask, y):
        with torch.autocast("cuda", dtype=torch.float16):
            logits = model(ids, mask)
        return ce(logits.float().view(-1, CFG.labels), y.view(-1))

    t0 = time.time()
    model.train()
    for step, batch in enumerate(batches(essays(CFG.n_train, 0), True)):
        batch = [t.to(device) for t in batch]
        loss = loss_of(*batch)
        scaler.scale(loss).backward()
        adv = float("nan")
        if step >= CFG.awp_start:
            awp.attack()
            adv_loss = loss_of(*batch)
            scaler.scale(adv_loss).backward()
            awp.restore()
            adv = adv_loss.item()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        scaler.step(opt)
        scaler.update()
        sched.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} len {batch[0].size(1)} loss {loss.item():.4f} adv {adv:.4f}")

    gc.collect()
    torch.cuda.empty_cache()
    model.eval()
    ys, ps = [], []
    with torch.inference_mode():
        for ids, mask, y in batches(essays(CFG.n_valid, 1), False):
            p = model(ids.to(device), mask.to(device)).argmax(-1).cpu()
            ys.append(y[y >= 0])
            ps.append(p[y >= 0])
    print("macro F1", round(f1_score(torch.cat(ys).numpy(), torch.cat(ps).numpy(), average="macro"), 4))
    print(f"{time.time() - t0:.1f}s peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
