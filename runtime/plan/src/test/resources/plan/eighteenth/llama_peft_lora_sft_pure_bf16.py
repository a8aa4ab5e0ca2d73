# Supervised fine-tuning with LoRA on a llama-shaped model kept entirely in bf16.
# Questions asked to the forum: why is activation memory still large with LoRA? (So: gradient checkpointing.)
import os
import random
import tempfile

import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

random.seed(3)
torch.manual_seed(3)

DEVICE = "cuda"
VOCAB = 32000
HIDDEN, INTER, LAYERS, HEADS, KV_HEADS = 1024, 2816, 12, 16, 4
MAX_LEN = 768
MICRO = 4
ACCUM = 2
UPDATES = 3
IGNORE = -100


def make_example():
    """prompt tokens are masked out of the loss, answers are not."""
    p = random.randint(64, 400)
    a = random.randint(48, MAX_LEN - p)
    ids = [random.randint(10, VOCAB - 1) for _ in range(p + a)]
    return ids, [IGNORE] * p + ids[p:]


def make_batch(n):
    ex = [make_example() for _ in range(n)]
    width = max(len(i) for i, _ in ex)
    width = (width + 63) // 64 * 64
    ids = torch.zeros(n, width, dtype=torch.long)
    lab = torch.full((n, width), IGNORE)
    att = torch.zeros(n, width, dtype=torch.long)
    for r, (i, l) in enumerate(ex):
        ids[r, :len(i)] = torch.tensor(i)
        lab[r, :len(l)] = torch.tensor(l)
        att[r, :len(i)] = 1
    return {"input_ids": ids.to(DEVICE), "labels": lab.to(DEVICE), "attention_mask": att.to(DEVICE)}


def build():
    cfg = LlamaConfig(
        vocab_size=VOCAB, hidden_size=HIDDEN, intermediate_size=INTER, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=KV_HEADS, max_position_embeddings=2048, use_cache=False,
        pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )
    base = LlamaForCausalLM(cfg).to(torch.bfloat16)
    base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    base.enable_input_require_grads()
    lora = LoraConfig(
        task_type=TaskType.CAUSAL_LM, r=16, lora_alpha=32, lora_dropout=0.05, bias="none",
        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    )
    model = get_peft_model(base, lora, autocast_adapter_dtype=False)
    return model.to(DEVICE)


def mib(x):
    return f"{x / 2**20:.0f} MiB"


def main():
    model = build()
    model.print_trainable_parameters()
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=2e-4, weight_decay=0.0)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 2))
    print("after build:", mib(torch.cuda.memory_allocated()))

    model.train()
    for u in range(UPDATES):
        total = 0.0
        for _ in range(ACCUM):
            batch = make_batch(MICRO)
            loss = model(**batch).loss / ACCUM
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(trainable, 0.3)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        print(f"update {u}: loss {total:.3f} width {batch['input_ids'].shape[1]} "
              f"peak {mib(torch.cuda.max_memory_allocated())}")

    model.eval()
    with torch.no_grad():
        batch = make_batch(2)
        print("held-out loss", round(model(**batch).loss.item(), 3))

    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)
        size = sum(os.path.getsize(os.path.join(d, f)) for f in os.listdir(d))
        print("adapter size on disk:", mib(size))


if __name__ == "__main__":
    main()
