"""Supervised fine-tuning of a Qwen2-like model with LoRA (peft), bf16 weights, gradient checkpointing."""
import argparse
import os
import tempfile

import torch
from peft import LoraConfig, TaskType, get_peft_model, get_peft_model_state_dict
from torch.utils.data import DataLoader, Dataset
from transformers import Qwen2Config, Qwen2ForCausalLM, get_cosine_schedule_with_warmup

IGNORE = -100
PAD = 0


class Instructions(Dataset):
    def __init__(self, n, vocab, max_len, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            lp = int(torch.randint(max_len // 8, max_len // 2, (1,), generator=g))
            lr = int(torch.randint(max_len // 8, max_len // 2, (1,), generator=g))
            ids = torch.randint(10, vocab, (lp + lr,), generator=g)
            labels = ids.clone()
            labels[:lp] = IGNORE
            self.rows.append((ids, labels))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(batch, multiple=16):
    n = max(len(b[0]) for b in batch)
    n = (n + multiple - 1) // multiple * multiple
    ids = torch.full((len(batch), n), PAD)
    labels = torch.full((len(batch), n), IGNORE)
    mask = torch.zeros((len(batch), n), dtype=torch.long)
    for i, (x, y) in enumerate(batch):
        ids[i, : len(x)], labels[i, : len(y)], mask[i, : len(x)] = x, y, 1
    return dict(input_ids=ids, labels=labels, attention_mask=mask)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=896)
    ap.add_argument("--layers", type=int, default=14)
    ap.add_argument("--vocab", type=int, default=50000)
    ap.add_argument("--max-len", type=int, default=768)
    ap.add_argument("--micro-batch", type=int, default=4)
    ap.add_argument("--accum", type=int, default=2)
    ap.add_argument("--steps", type=int, default=4)
    ap.add_argument("--rank", type=int, default=16)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = "cuda"

    config = Qwen2Config(vocab_size=args.vocab, hidden_size=args.hidden, intermediate_size=args.hidden * 4,
                         num_hidden_layers=args.layers, num_attention_heads=14, num_key_value_heads=2,
                         tie_word_embeddings=True, use_cache=False, pad_token_id=PAD)
    base = Qwen2ForCausalLM(config).to(torch.bfloat16)
    base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    base.enable_input_require_grads()
    peft_config = LoraConfig(task_type=TaskType.CAUSAL_LM, r=args.rank, lora_alpha=32, lora_dropout=0.05,
                             target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"])
    model = get_peft_model(base, peft_config).to(device)
    trainable = [p for p in model.parameters() if p.requires_grad]
    print(f"trainable {sum(p.numel() for p in trainable) / 1e6:.2f}M "
          f"of {sum(p.numel() for p in model.parameters()) / 1e6:.1f}M, dtype {trainable[0].dtype}")

    optimizer = torch.optim.AdamW(trainable, lr=2e-4, weight_decay=0.0)
    scheduler = get_cosine_schedule_with_warmup(optimizer, 1, args.steps)
    data = Instructions(args.micro_batch * args.accum * args.steps, args.vocab, args.max_len)
    loader = iter(DataLoader(data, args.micro_batch, shuffle=True, collate_fn=collate))
    model.train()
    for step in range(args.steps):
        total = 0.0
        for _ in range(args.accum):
            batch = {k: v.to(device) for k, v in next(loader).items()}
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(**batch).loss / args.accum
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(trainable, 0.3)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        print(f"step {step} len {batch['input_ids'].shape[1]} loss {total:.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "adapter.pt")
        torch.save(get_peft_model_state_dict(model), path)
        print("adapter size %.1f MB" % (os.path.getsize(path) / 1e6))
    merged = model.merge_and_unload()
    merged.eval()
    with torch.no_grad():
        print("eval loss", merged(**batch).loss.item())


if __name__ == "__main__":
    main()
