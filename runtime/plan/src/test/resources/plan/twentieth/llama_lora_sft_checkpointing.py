"""LoRA instruction tuning of a ~300M Llama-like model: bf16 base, gradient checkpointing, prompt masking."""
import math
import os
import tempfile

import torch
from peft import LoraConfig, TaskType, get_peft_model
from torch.utils.data import DataLoader, Dataset
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup


class HParams:
    hidden = 1024
    inter = 2816
    layers = 16
    heads = 16
    kv_heads = 4
    vocab = 32000
    seq = 768
    micro_bs = 4
    accum = 2
    lr = 2e-4
    updates = 3
    rank = 16


hp = HParams()
IGNORE = -100


class Instructions(Dataset):
    def __init__(self, n):
        self.g = torch.Generator().manual_seed(2024)
        self.data = []
        for _ in range(n):
            p = int(torch.randint(20, hp.seq // 2, (1,), generator=self.g))
            r = int(torch.randint(20, hp.seq // 2, (1,), generator=self.g))
            ids = torch.randint(3, hp.vocab, (p + r,), generator=self.g)
            labels = ids.clone()
            labels[:p] = IGNORE
            self.data.append((ids, labels))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


def pad_to_fixed(batch):
    ids = torch.zeros(len(batch), hp.seq, dtype=torch.long)
    labels = torch.full((len(batch), hp.seq), IGNORE)
    mask = torch.zeros(len(batch), hp.seq, dtype=torch.long)
    for i, (a, b) in enumerate(batch):
        ids[i, :len(a)], labels[i, :len(b)], mask[i, :len(a)] = a, b, 1
    return dict(input_ids=ids, labels=labels, attention_mask=mask)


def build_model():
    config = LlamaConfig(
        vocab_size=hp.vocab, hidden_size=hp.hidden, intermediate_size=hp.inter, num_hidden_layers=hp.layers,
        num_attention_heads=hp.heads, num_key_value_heads=hp.kv_heads, max_position_embeddings=2048,
        use_cache=False, tie_word_embeddings=False)
    with torch.device("cuda"):
        base = LlamaForCausalLM(config)
    base = base.to(torch.bfloat16)
    base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    base.enable_input_require_grads()
    lora = LoraConfig(task_type=TaskType.CAUSAL_LM, r=hp.rank, lora_alpha=32, lora_dropout=0.05, bias="none",
                      target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"])
    return get_peft_model(base, lora)


def main():
    torch.manual_seed(2024)
    model = build_model()
    model.print_trainable_parameters()
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=hp.lr, weight_decay=0.0)
    sched = get_cosine_schedule_with_warmup(opt, 1, hp.updates)
    loader = DataLoader(Instructions(hp.micro_bs * hp.accum * hp.updates), batch_size=hp.micro_bs,
                        collate_fn=pad_to_fixed, shuffle=True)
    model.train()
    total = 0.0
    for i, batch in enumerate(loader):
        batch = {k: v.to("cuda") for k, v in batch.items()}
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(**batch).loss / hp.accum
        loss.backward()
        total += loss.item()
        if (i + 1) % hp.accum == 0:
            gn = torch.nn.utils.clip_grad_norm_(trainable, 0.3)
            opt.step()
            sched.step()
            opt.zero_grad(set_to_none=True)
            print(f"update {(i + 1) // hp.accum} loss {total:.3f} ppl {math.exp(min(20, total)):.0f} gnorm {gn:.3f}")
            total = 0.0
    with tempfile.TemporaryDirectory() as d:
        torch.save({k: v.cpu() for k, v in model.state_dict().items() if "lora_" in k}, os.path.join(d, "adapter.pt"))
        print("adapter MB", os.path.getsize(os.path.join(d, "adapter.pt")) // 2**20)
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
