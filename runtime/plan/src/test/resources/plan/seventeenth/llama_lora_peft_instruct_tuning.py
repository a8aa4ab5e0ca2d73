"""SFT of a llama-shaped model: frozen bf16 base, LoRA adapters (peft), gradient checkpointing, loss on answers only."""
import argparse

import torch
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup


def parse():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--hidden", type=int, default=1536)
    p.add_argument("--layers", type=int, default=12)
    p.add_argument("--vocab", type=int, default=32000)
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--batch", type=int, default=4)
    p.add_argument("--max_len", type=int, default=768)
    p.add_argument("--grad_accum", type=int, default=2)
    p.add_argument("--updates", type=int, default=3)
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--device", default="cuda")
    return p.parse_args()


def fake_conversations(n, vocab, max_len):
    g = torch.Generator().manual_seed(0)
    rows = []
    for _ in range(n):
        q = int(torch.randint(16, max_len // 2, (1,), generator=g))
        a = int(torch.randint(16, max_len // 2, (1,), generator=g))
        ids = torch.randint(3, vocab, (q + a,), generator=g)
        lab = ids.clone()
        lab[:q] = -100
        rows.append((ids, lab))
    return rows


def collate(rows):
    longest = max(len(i) for i, _ in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    lab = torch.full_like(ids, -100)
    att = torch.zeros_like(ids)
    for k, (i, l) in enumerate(rows):
        ids[k, : len(i)], lab[k, : len(l)], att[k, : len(i)] = i, l, 1
    return ids, att, lab


def main():
    a = parse()
    torch.manual_seed(a.rank)
    cfg = LlamaConfig(vocab_size=a.vocab, hidden_size=a.hidden, intermediate_size=a.hidden * 8 // 3,
                      num_hidden_layers=a.layers, num_attention_heads=a.hidden // 128,
                      num_key_value_heads=a.hidden // 384, max_position_embeddings=4096)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device(a.device):
        base = LlamaForCausalLM(cfg)
    torch.set_default_dtype(torch.float32)
    base.config.use_cache = False
    base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    base.enable_input_require_grads()
    lora = LoraConfig(r=a.rank, lora_alpha=2 * a.rank, lora_dropout=0.05, bias="none", task_type="CAUSAL_LM",
                      target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"])
    model = get_peft_model(base, lora)
    model.print_trainable_parameters()
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=a.lr, weight_decay=0.0)
    sched = get_cosine_schedule_with_warmup(opt, 1, a.updates)

    data = fake_conversations(a.batch * a.grad_accum * a.updates, a.vocab, a.max_len)
    loader = DataLoader(data, batch_size=a.batch, shuffle=True, collate_fn=collate)
    model.train()
    for i, (ids, att, lab) in enumerate(loader, 1):
        ids, att, lab = ids.to(a.device), att.to(a.device), lab.to(a.device)
        with torch.autocast(a.device, dtype=torch.bfloat16):
            loss = model(input_ids=ids, attention_mask=att, labels=lab).loss
        (loss / a.grad_accum).backward()
        if i % a.grad_accum == 0:
            torch.nn.utils.clip_grad_norm_(trainable, 0.3)
            opt.step()
            sched.step()
            opt.zero_grad(set_to_none=True)
        print(f"batch {i} len {ids.shape[1]} loss {loss.item():.3f} "
              f"now {torch.cuda.memory_allocated() / 1e9:.2f} GB max {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")

    model.eval()
    merged = model.merge_and_unload()
    with torch.no_grad():
        print("argmax of merged:", merged(ids[:1, :16]).logits[0, -1].argmax().item())


if __name__ == "__main__":
    main()
