"""Small GPT-2 pretraining loop: bf16 autocast, grad accumulation, cosine schedule with warmup."""
import math
import time

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForCausalLM, GPT2Config, get_cosine_schedule_with_warmup

CONTEXT = 1024
VOCAB = 50257
MICRO_BS = 4
GRAD_ACCUM = 4
MAX_STEPS = 3


class PackedTokens(Dataset):
    """Zipf distributed token stream cut into blocks"""

    def __init__(self, n_blocks, seed=0):
        g = torch.Generator().manual_seed(seed)
        u = torch.rand(n_blocks * CONTEXT, generator=g).clamp_(min=1e-4)
        self.data = (1.0 / u).long().clamp_(max=VOCAB - 1).view(n_blocks, CONTEXT)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return {"input_ids": self.data[i], "labels": self.data[i]}


@torch.no_grad()
def perplexity(model, loader, device):
    model.eval()
    losses = []
    for batch in loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.autocast("cuda", dtype=torch.bfloat16):
            losses.append(model(**batch).loss.float())
    model.train()
    return math.exp(min(20.0, torch.stack(losses).mean().item()))


def param_groups(model, wd):
    no_decay = ("bias", "ln_1.weight", "ln_2.weight", "ln_f.weight")
    a = [p for n, p in model.named_parameters() if not n.endswith(no_decay)]
    b = [p for n, p in model.named_parameters() if n.endswith(no_decay)]
    return [{"params": a, "weight_decay": wd}, {"params": b, "weight_decay": 0.0}]


def main():
    torch.manual_seed(1337)
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda")

    config = GPT2Config(vocab_size=VOCAB, n_positions=CONTEXT, n_embd=768, n_layer=12, n_head=12,
                        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa").to(device)
    print(f"{model.num_parameters():,} parameters")

    train = DataLoader(PackedTokens(MICRO_BS * GRAD_ACCUM * MAX_STEPS), batch_size=MICRO_BS, shuffle=True)
    val = DataLoader(PackedTokens(8, seed=1), batch_size=MICRO_BS)

    optimizer = torch.optim.AdamW(param_groups(model, 0.1), lr=6e-4, betas=(0.9, 0.95), fused=True)
    scheduler = get_cosine_schedule_with_warmup(optimizer, num_warmup_steps=1, num_training_steps=MAX_STEPS + 1)

    it = iter(train)
    model.train()
    for step in range(MAX_STEPS):
        t0 = time.time()
        loss_acc = 0.0
        for _ in range(GRAD_ACCUM):
            batch = {k: v.to(device) for k, v in next(it).items()}
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(**batch).loss / GRAD_ACCUM
            loss.backward()
            loss_acc += loss.item()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        tok = MICRO_BS * GRAD_ACCUM * CONTEXT / (time.time() - t0)
        print(f"step {step} | loss {loss_acc:.4f} | norm {norm:.3f} | {tok:,.0f} tok/s")
    print("val ppl", perplexity(model, val, device))


if __name__ == "__main__":
    main()
