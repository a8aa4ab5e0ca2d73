"""LoRA fine-tuning of a Llama-architecture model (pure bf16 base, gradient checkpointing) using peft."""
import argparse
import os
import tempfile

import torch
from peft import LoraConfig, TaskType, get_peft_model, get_peft_model_state_dict
from torch.utils.data import DataLoader, TensorDataset
from transformers import LlamaConfig, LlamaForCausalLM, get_cosine_schedule_with_warmup


def build_model(args):
    cfg = LlamaConfig(
        vocab_size=args.vocab,
        hidden_size=args.hidden,
        intermediate_size=args.hidden * 11 // 4,
        num_hidden_layers=args.layers,
        num_attention_heads=args.hidden // 64,
        num_key_value_heads=args.hidden // 256,
        max_position_embeddings=2048,
    )
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = LlamaForCausalLM(cfg)
    torch.set_default_dtype(torch.float32)
    model.config.use_cache = False
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.enable_input_require_grads()
    lora = LoraConfig(
        task_type=TaskType.CAUSAL_LM, r=16, lora_alpha=32, lora_dropout=0.05, bias="none",
        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    )
    return get_peft_model(model, lora)


def make_data(args, n):
    g = torch.Generator().manual_seed(args.seed)
    ids = torch.randint(3, args.vocab, (n, args.seq), generator=g)
    prompt_len = torch.randint(args.seq // 8, args.seq // 2, (n,), generator=g)
    labels = ids.clone()
    labels[torch.arange(args.seq)[None] < prompt_len[:, None]] = -100
    return TensorDataset(ids, labels)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--vocab", type=int, default=32000)
    ap.add_argument("--hidden", type=int, default=1536)
    ap.add_argument("--layers", type=int, default=12)
    ap.add_argument("--seq", type=int, default=768)
    ap.add_argument("--batch", type=int, default=2)
    ap.add_argument("--accum", type=int, default=2)
    ap.add_argument("--updates", type=int, default=3)
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    model = build_model(args)
    model.print_trainable_parameters()
    trainable = [p for p in model.parameters() if p.requires_grad]
    print("trainable dtype", trainable[0].dtype, "| static MB", torch.cuda.memory_allocated() // 2**20)
    opt = torch.optim.AdamW(trainable, lr=args.lr, weight_decay=0.0)
    sched = get_cosine_schedule_with_warmup(opt, 1, args.updates)
    loader = DataLoader(make_data(args, args.batch * args.accum * args.updates), batch_size=args.batch, shuffle=True)

    model.train()
    acc_loss = 0.0
    for i, (ids, labels) in enumerate(loader):
        ids, labels = ids.to("cuda"), labels.to("cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(input_ids=ids, labels=labels).loss / args.accum
        loss.backward()
        acc_loss += loss.item()
        if (i + 1) % args.accum == 0:
            gn = torch.nn.utils.clip_grad_norm_(trainable, 0.3)
            opt.step()
            sched.step()
            opt.zero_grad(set_to_none=True)
            print(f"update {(i + 1) // args.accum} loss {acc_loss:.4f} grad {gn:.3f} peak {torch.cuda.max_memory_allocated() >> 20} MB")
            acc_loss = 0.0

    with tempfile.TemporaryDirectory() as d:
        state = get_peft_model_state_dict(model)
        torch.save(state, os.path.join(d, "adapter.bin"))
        print("adapter tensors", len(state), "bytes", os.path.getsize(os.path.join(d, "adapter.bin")))


if __name__ == "__main__":
    main()
