import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig

# LoRA finetune of a (randomly initialised) llama in bf16 w/ gradient checkpointing
device = "cuda"
torch.manual_seed(0)

config = LlamaConfig(
    vocab_size=32000,
    hidden_size=1536,
    intermediate_size=4096,
    num_hidden_layers=12,
    num_attention_heads=12,
    num_key_value_heads=4,
    max_position_embeddings=2048,
)
with torch.device(device):
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16, attn_implementation="sdpa")
model.config.use_cache = False

peft_config = LoraConfig(
    task_type=TaskType.CAUSAL_LM,
    r=16,
    lora_alpha=32,
    lora_dropout=0.05,
    target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
)
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.enable_input_require_grads()
model = get_peft_model(model, peft_config)
model.print_trainable_parameters()
model.to(device)

optim = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=2e-4)


def fake_instruction_batch(bs=4, seq=1536):
    ids = torch.randint(3, 32000, (bs, seq))
    labels = ids.clone()
    mask = torch.ones_like(ids)
    for i in range(bs):
        prompt = torch.randint(32, 256, (1,)).item()
        length = torch.randint(seq // 2, seq + 1, (1,)).item()
        labels[i, :prompt] = -100       # don't train on the prompt
        labels[i, length:] = -100       # right padding
        mask[i, length:] = 0
        ids[i, length:] = 2
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device), "labels": labels.to(device)}


model.train()
for step in range(4):
    batch = fake_instruction_batch()
    out = model(**batch)
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.3)
    optim.step()
    optim.zero_grad()
    print(f"step {step}: loss = {out.loss.item():.4f}")

merged = model.merge_and_unload()
merged.eval()
with torch.no_grad():
    out = merged(input_ids=torch.randint(3, 32000, (2, 128), device=device))
print("merged logits", tuple(out.logits.shape), out.logits.dtype)
