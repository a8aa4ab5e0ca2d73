"""Instruction tuning of a Llama-shaped decoder by LoRA (peft).

 - base weights in bf16, adapters in float32
 - non-reentrant gradient checkpointing
 - conversations packed to a fixed block, prompt tokens masked out of the loss
"""
import os
import tempfile

import torch
from peft import LoraConfig, TaskType, get_peft_model
from torch.utils.data import DataLoader, IterableDataset
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup

BLOCK = 1024
MICRO = 2
ACCUM = 2
UPDATES = 3
VOCAB = 32000


class PackedConversations(IterableDataset):
    def __init__(self, blocks, seed):
        self.blocks, self.seed = blocks, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        buf_ids, buf_lab = [], []
        made = 0
        while made < self.blocks:
            p = int(torch.randint(20, 200, (1,), generator=g))
            a = int(torch.randint(30, 400, (1,), generator=g))
            prompt = torch.randint(3, VOCAB, (p,), generator=g).tolist()
            answer = torch.randint(3, VOCAB, (a,), generator=g).tolist() + [2]
            buf_ids += [1] + prompt + answer
            buf_lab += [-100] * (p + 1) + answer
            while len(buf_ids) >= BLOCK and made < self.blocks:
                yield torch.tensor(buf_ids[:BLOCK]), torch.tensor(buf_lab[:BLOCK])
                buf_ids, buf_lab = buf_ids[BLOCK:], buf_lab[BLOCK:]
                made += 1


def build_model(device):
    cfg = LlamaConfig(
        vocab_size=VOCAB, hidden_size=1536, intermediate_size=4096, num_hidden_layers=16,
        num_attention_heads=16, num_key_value_heads=4, max_position_embeddings=2048, use_cache=False,
    )
    base = LlamaForCausalLM(cfg).to(torch.bfloat16).to(device)
    base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    base.enable_input_require_grads()
    lora = LoraConfig(
        task_type=TaskType.CAUSAL_LM, r=16, lora_alpha=32, lora_dropout=0.05, bias="none",
        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    )
    model = get_peft_model(base, lora)
    for p in model.parameters():
        if p.requires_grad:
            p.data = p.data.float()
    return model


def main():
    torch.manual_seed(17)
    device = torch.device("cuda")
    model = build_model(device)
    trainable, total = model.get_nb_trainable_parameters()
    print(f"trainable {trainable / 1e6:.2f}M of {total / 1e6:.1f}M")

    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(params, lr=2e-4, weight_decay=0.0)
    sched = get_cosine_schedule_with_warmup(opt, 1, UPDATES)
    loader = DataLoader(PackedConversations(MICRO * ACCUM * UPDATES, 3), batch_size=MICRO)

    model.train()
    running = 0.0
    for i, (ids, labels) in enumerate(loader):
        ids, labels = ids.to(device), labels.to(device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(input_ids=ids, labels=labels).loss
        (loss / ACCUM).backward()
        running += loss.item() / ACCUM
        if (i + 1) % ACCUM == 0:
            torch.nn.utils.clip_grad_norm_(params, 0.3)
            opt.step()
            sched.step()
            opt.zero_grad(set_to_none=True)
            print(f"update {(i + 1) // ACCUM} loss {running:.4f} lr {sched.get_last_lr()[0]:.2e} "
                  f"mem {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
            running = 0.0

    with tempfile.TemporaryDirectory() as d:
        state = {k: v.cpu() for k, v in model.state_dict().items() if "lora_" in k}
        path = os.path.join(d, "adapter.pt")
        torch.save(state, path)
        print("adapter file MiB", round(os.path.getsize(path) / 2**20, 1))

    merged = model.merge_and_unload()
    merged.eval()
    with torch.no_grad():
        probe = torch.randint(3, VOCAB, (1, 64), device=device)
        print("merged logits", tuple(merged(input_ids=probe).logits.shape))


if __name__ == "__main__":
    main()
