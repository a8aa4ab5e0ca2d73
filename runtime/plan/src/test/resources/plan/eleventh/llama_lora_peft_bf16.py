# LoRA finetuning (peft) of a shrunken Llama in pure bfloat16 with gradient checkpointing.
import os
import tempfile

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup

SEED = 7
SEQ = 768
MICRO = 4
ACCUM = 2
UPDATES = 3

torch.manual_seed(SEED)

config = LlamaConfig(
    vocab_size=32000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=12,
    num_attention_heads=16, num_key_value_heads=4, max_position_embeddings=1024,
    tie_word_embeddings=False, attn_implementation="sdpa",
)
model = LlamaForCausalLM(config).to(dtype=torch.bfloat16)
model.config.use_cache = False
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.enable_input_require_grads()

peft_cfg = LoraConfig(
    r=16, lora_alpha=32, lora_dropout=0.05, bias="none", task_type="CAUSAL_LM",
    target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
)
model = get_peft_model(model, peft_cfg).to("cuda")
trainable = [p for p in model.parameters() if p.requires_grad]
n_train, n_all = sum(p.numel() for p in trainable), sum(p.numel() for p in model.parameters())
print(f"trainable {n_train / 1e6:.2f}M of {n_all / 1e6:.1f}M; dtype of adapters {trainable[0].dtype}")

optimizer = torch.optim.AdamW(trainable, lr=2e-4, weight_decay=0.0)
scheduler = get_cosine_schedule_with_warmup(optimizer, 1, UPDATES)


def instruction_batch(n):
    """prompt part is masked from the loss; prompts are of different lengths"""
    ids = torch.randint(3, config.vocab_size, (n, SEQ))
    labels = ids.clone()
    for row in range(n):
        cut = int(torch.randint(SEQ // 8, SEQ // 2, (1,)))
        labels[row, :cut] = -100
    mask = torch.ones_like(ids)
    tails = torch.randint(0, SEQ // 4, (n,))
    for row, t in enumerate(tails.tolist()):
        if t:
            mask[row, -t:] = 0
            labels[row, -t:] = -100
    return ids.to("cuda"), mask.to("cuda"), labels.to("cuda")


model.train()
for update in range(UPDATES):
    running = 0.0
    for _ in range(ACCUM):
        ids, mask, labels = instruction_batch(MICRO)
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss / ACCUM
        loss.backward()
        running += loss.item()
    gnorm = torch.nn.utils.clip_grad_norm_(trainable, 0.3)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad(set_to_none=True)
    print(f"update {update}: loss {running:.4f} gnorm {float(gnorm):.3f} peak {torch.cuda.max_memory_allocated() / 1024**2:.0f} MiB")

with tempfile.TemporaryDirectory() as out:
    model.save_pretrained(out)
    print("adapter files:", sorted(f for f in os.listdir(out) if "adapter" in f))

merged = model.merge_and_unload()
merged.eval()
with torch.no_grad():
    ids, mask, _ = instruction_batch(1)
    logits = merged(input_ids=ids[:, :128], use_cache=False).logits
print("merged logits", tuple(logits.shape), logits.dtype)
