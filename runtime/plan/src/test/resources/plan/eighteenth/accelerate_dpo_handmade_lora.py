"""Direct preference optimisation with accelerate. LoRA written by hand; the reference model is the same
network with the adapters switched off, so no second copy is needed."""
import contextlib
import math
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import MistralConfig, MistralForCausalLM

VOCAB, CTX = 20000, 384
BETA = 0.1
BATCH, ACCUM, STEPS = 4, 2, 6


class LoRALinear(nn.Module):
    enabled = True

    def __init__(self, base, r=8, alpha=16, p=0.0):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.empty(r, base.in_features))
        self.b = nn.Parameter(torch.zeros(base.out_features, r))
        self.scale, self.drop = alpha / r, nn.Dropout(p)
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))

    def forward(self, x):
        y = self.base(x)
        if LoRALinear.enabled:
            y = y + F.linear(F.linear(self.drop(x), self.a), self.b) * self.scale
        return y


@contextlib.contextmanager
def reference_mode():
    LoRALinear.enabled = False
    try:
        with torch.no_grad():
            yield
    finally:
        LoRALinear.enabled = True


def inject(model, names=("q_proj", "v_proj", "o_proj")):
    for p in model.parameters():
        p.requires_grad_(False)
    for layer in model.model.layers:
        for n in names:
            setattr(layer.self_attn, n, LoRALinear(getattr(layer.self_attn, n)))
    return model


class Pairs(Dataset):
    def __init__(self, n):
        self.rows = []
        g = torch.Generator().manual_seed(10)
        for _ in range(n):
            p, c, r = (int(torch.randint(lo, hi, (1,), generator=g)) for lo, hi in ((60, 160), (40, 200), (40, 200)))
            draw = lambda k: torch.randint(3, VOCAB, (k,), generator=g)
            self.rows.append((draw(p), draw(c), draw(r)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    """chosen answers are stacked over rejected ones: one forward for both"""
    seqs = [(p, c) for p, c, _ in rows] + [(p, r) for p, _, r in rows]
    width = min(CTX, max(len(p) + len(a) for p, a in seqs))
    ids = torch.zeros(len(seqs), width, dtype=torch.long)
    att, ans = torch.zeros_like(ids), torch.zeros_like(ids)
    for k, (p, a) in enumerate(seqs):
        s = torch.cat([p, a])[:width]
        ids[k, :len(s)], att[k, :len(s)], ans[k, len(p):len(s)] = s, 1, 1
    return {"ids": ids, "att": att, "ans": ans}


def sequence_logps(model, b):
    logits = model(input_ids=b["ids"], attention_mask=b["att"], use_cache=False).logits[:, :-1].float()
    lp = logits.log_softmax(-1).gather(-1, b["ids"][:, 1:, None]).squeeze(-1)
    return (lp * b["ans"][:, 1:]).sum(-1).chunk(2)


def main():
    set_seed(10)
    with tempfile.TemporaryDirectory() as tmp:
        acc = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=ACCUM, project_dir=tmp)
        model = inject(MistralForCausalLM(MistralConfig(
            vocab_size=VOCAB, hidden_size=768, intermediate_size=2048, num_hidden_layers=8, num_attention_heads=12,
            num_key_value_heads=4, sliding_window=256, max_position_embeddings=1024)))
        train = [p for p in model.parameters() if p.requires_grad]
        opt = torch.optim.AdamW(train, lr=5e-5)
        sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=STEPS)
        loader = DataLoader(Pairs(BATCH * STEPS), batch_size=BATCH, collate_fn=collate)
        model, opt, loader, sched = acc.prepare(model, opt, loader, sched)
        acc.print(f"trainable {sum(p.numel() for p in train):,} on {acc.device}")
        model.train()
        for step, batch in enumerate(loader):
            with acc.accumulate(model):
                with reference_mode():
                    ref_c, ref_r = sequence_logps(model, batch)
                pol_c, pol_r = sequence_logps(model, batch)
                margin = BETA * ((pol_c - ref_c) - (pol_r - ref_r))
                loss = -F.logsigmoid(margin).mean()
                acc.backward(loss)
                if acc.sync_gradients:
                    acc.clip_grad_norm_(train, 1.0)
                opt.step()
                sched.step()
                opt.zero_grad()
            acc.print(f"step {step} loss {loss.item():.4f} margin {margin.mean().item():+.4f} "
                      f"width {batch['ids'].shape[1]} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
        acc.save({k: v for k, v in acc.unwrap_model(model).state_dict().items() if k.endswith((".a", ".b"))},
                 f"{tmp}/lora.pt")


if __name__ == "__main__":
    main()
