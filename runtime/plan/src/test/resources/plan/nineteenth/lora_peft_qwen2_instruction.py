# Instruction tuning with peft LoRA on a Qwen2-like model. The base is in bf16, adapters in fp32.
import argparse
import os
import tempfile

import torch
from peft import LoraConfig, PeftModel, TaskType, get_peft_model
from torch.utils.data import DataLoader
from transformers import Qwen2Config, Qwen2ForCausalLM, get_cosine_schedule_with_warmup


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=1024)
    ap.add_argument("--layers", type=int, default=16)
    ap.add_argument("--rank", type=int, default=16)
    ap.add_argument("--bs", type=int, default=4)
    ap.add_argument("--max-len", type=int, default=512)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--vocab", type=int, default=48000)
    ap.add_argument("--lr", type=float, default=2e-4)
    return ap.parse_args()


def make_examples(a, n):
    g = torch.Generator().manual_seed(77)
    out = []
    for _ in range(n):
        q = int(torch.randint(a.max_len // 8, a.max_len // 2, (1,), generator=g))
        r = int(torch.randint(a.max_len // 8, a.max_len // 2, (1,), generator=g))
        ids = torch.randint(10, a.vocab, (q + r,), generator=g)
        labels = ids.clone()
        labels[:q] = -100  # the loss is on the answer only
        out.append((ids, labels))
    return out


def collate(rows):
    w = max(len(i) for i, _ in rows)
    ids = torch.zeros(len(rows), w, dtype=torch.long)
    lab = torch.full((len(rows), w), -100)
    att = torch.zeros(len(rows), w, dtype=torch.long)
    for k, (i, l) in enumerate(rows):
        ids[k, : len(i)], lab[k, : len(l)], att[k, : len(i)] = i, l, 1
    return dict(input_ids=ids, attention_mask=att, labels=lab)


def main():
    a = parse()
    torch.manual_seed(0)
    dev = "cuda"
    cfg = Qwen2Config(
        vocab_size=a.vocab, hidden_size=a.hidden, intermediate_size=a.hidden * 11 // 4, num_hidden_layers=a.layers,
        num_attention_heads=a.hidden // 64, num_key_value_heads=max(1, a.hidden // 256), max_position_embeddings=2048,
        tie_word_embeddings=True, use_cache=False, bos_token_id=1, eos_token_id=2, pad_token_id=0,
    )
    base = Qwen2ForCausalLM(cfg).to(torch.bfloat16)
    lora = LoraConfig(
        task_type=TaskType.CAUSAL_LM, r=a.rank, lora_alpha=2 * a.rank, lora_dropout=0.05,
        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    )
    model = get_peft_model(base, lora)
    for n, p in model.named_parameters():
        if p.requires_grad:
            p.data = p.data.float()
    model.to(dev)
    model.print_trainable_parameters()
    model.enable_input_require_grads()

    loader = DataLoader(make_examples(a, a.bs * a.steps), batch_size=a.bs, collate_fn=collate)
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=a.lr, weight_decay=0.0)
    sched = get_cosine_schedule_with_warmup(opt, 1, a.steps)
    model.train()
    for i, b in enumerate(loader):
        b = {k: v.to(dev) for k, v in b.items()}
        with torch.autocast(dev, dtype=torch.bfloat16):
            loss = model(**b).loss
        loss.backward()
        gn = torch.nn.utils.clip_grad_norm_(trainable, 0.3)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {i} tokens {b['input_ids'].numel()} loss {loss.item():.4f} grad {gn.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")

    # save the adapter, load it on the same base, merge, and decode a little
    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)
        size = sum(os.path.getsize(os.path.join(d, f)) for f in os.listdir(d))
        print(f"adapter {size / 1e6:.1f} MB")
        base = model.unload()
        again = PeftModel.from_pretrained(base, d)
        again = again.merge_and_unload()
    again.to(dev).eval()
    again.config.use_cache = True
    prompt = torch.randint(10, a.vocab, (2, 24), device=dev)
    with torch.no_grad(), torch.autocast(dev, dtype=torch.bfloat16):
        out = again.generate(input_ids=prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=12, do_sample=False)
    print("generated", tuple(out.shape))
    print(f"end {torch.cuda.memory_allocated() / 2**30:.2f} GiB, peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
