"""Direct preference optimisation, Qwen2 from config, peft LoRA; the reference is the model with adapters off."""
import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model
from transformers import Qwen2Config, Qwen2ForCausalLM, get_cosine_schedule_with_warmup

SEED = 100
PAIRS = 6
MAXLEN = 320
MINLEN = 120
VOCAB = 16000
HIDDEN = 768
LAYERS = 10
STEPS = 4
ACCUM = 2
BETA = 0.1


def make_pairs(gen):
    """rows [chosen; rejected] sharing prompts, right padded"""
    rows, masks = [], []
    prompts = [torch.randint(2, VOCAB, (int(torch.randint(MINLEN // 4, MINLEN // 2, (1,), generator=gen)),), generator=gen) for _ in range(PAIRS)]
    for _ in range(2):
        for p in prompts:
            n = int(torch.randint(MINLEN // 2, MAXLEN - MINLEN // 2, (1,), generator=gen))
            a = torch.randint(2, VOCAB, (n,), generator=gen)
            rows.append(torch.cat([p, a]))
            masks.append(torch.cat([torch.zeros(len(p)), torch.ones(n)]))
    pad = torch.nn.utils.rnn.pad_sequence
    ids = pad(rows, batch_first=True)
    att = pad([torch.ones(len(r)) for r in rows], batch_first=True).long()
    return ids.to("cuda"), att.to("cuda"), pad(masks, batch_first=True).to("cuda")


def seq_logp(model, ids, att, mask):
    logits = model(input_ids=ids, attention_mask=att, use_cache=False).logits[:, :-1]
    lp = torch.log_softmax(logits.float(), -1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return (lp * mask[:, 1:]).sum(1)


def main():
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    cfg = Qwen2Config(vocab_size=VOCAB, hidden_size=HIDDEN, intermediate_size=HIDDEN * 3, num_hidden_layers=LAYERS,
                      num_attention_heads=12, num_key_value_heads=4, max_position_embeddings=1024)
    base = Qwen2ForCausalLM(cfg).to(torch.bfloat16)
    lora = LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=["q_proj", "v_proj", "down_proj"], task_type="CAUSAL_LM")
    model = get_peft_model(base, lora).to("cuda")
    model.print_trainable_parameters()
    params = [p for p in model.parameters() if p.requires_grad]
    for p in params:
        p.data = p.data.float()
    opt = torch.optim.AdamW(params, lr=5e-5, betas=(0.9, 0.98))
    sched = get_cosine_schedule_with_warmup(opt, 1, STEPS)
    for step in range(STEPS):
        stats = []
        for _ in range(ACCUM):
            ids, att, mask = make_pairs(gen)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                with torch.no_grad(), model.disable_adapter():
                    ref = seq_logp(model, ids, att, mask)
                pol = seq_logp(model, ids, att, mask)
            (pc, pr), (rc, rr) = pol.chunk(2), ref.chunk(2)
            margin = BETA * ((pc - rc) - (pr - rr))
            loss = -F.logsigmoid(margin).mean()
            (loss / ACCUM).backward()
            stats.append((loss.item(), (margin > 0).float().mean().item(), ids.shape[1]))
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        print(step, stats, f"{torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
