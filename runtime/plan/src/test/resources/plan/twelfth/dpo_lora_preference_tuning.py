# Direct preference optimisation by hand: LoRA (peft) on a Qwen2-shaped decoder, adapter disabled = reference.
import random

import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model
from transformers import Qwen2Config, Qwen2ForCausalLM

VOCAB, HIDDEN, LAYERS = 48000, 768, 12
PAIRS, MAXLEN, STEPS, BETA = 4, 384, 4, 0.1


def pairs(n, rng):
    """prompt + chosen / prompt + rejected, right padded; mask is 1 on the answer only"""
    rows, masks = [], []
    for _ in range(n):
        p = [rng.randrange(5, VOCAB) for _ in range(rng.randint(32, MAXLEN // 2))]
        for _ in range(2):
            a = [rng.randrange(5, VOCAB) for _ in range(rng.randint(16, MAXLEN // 2))]
            rows.append(p + a)
            masks.append([0] * len(p) + [1] * len(a))
    m = max(map(len, rows))
    ids = torch.tensor([r + [0] * (m - len(r)) for r in rows])
    ans = torch.tensor([r + [0] * (m - len(r)) for r in masks])
    att = torch.tensor([[1] * len(r) + [0] * (m - len(r)) for r in rows])
    return ids, att, ans


def sequence_logps(model, ids, att, ans):
    logits = model(input_ids=ids, attention_mask=att, use_cache=False).logits[:, :-1]
    tgt, mask = ids[:, 1:], ans[:, 1:]
    lp = logits.float().log_softmax(-1).gather(2, tgt[..., None]).squeeze(-1)
    return (lp * mask).sum(1)


def main():
    torch.manual_seed(99)
    rng = random.Random(99)
    dev = torch.device("cuda")
    base = Qwen2ForCausalLM(Qwen2Config(vocab_size=VOCAB, hidden_size=HIDDEN, intermediate_size=2048,
                                        num_hidden_layers=LAYERS, num_attention_heads=12, num_key_value_heads=2,
                                        max_position_embeddings=1024, tie_word_embeddings=True))
    base = base.to(torch.bfloat16)
    model = get_peft_model(base, LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05, task_type="CAUSAL_LM",
                                            target_modules=["q_proj", "k_proj", "v_proj", "o_proj",
                                                            "gate_proj", "up_proj", "down_proj"])).to(dev)
    model.print_trainable_parameters()
    opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=5e-5)

    for step in range(STEPS):
        ids, att, ans = (t.to(dev) for t in pairs(PAIRS, rng))
        model.eval()
        with torch.no_grad(), model.disable_adapter():
            ref = sequence_logps(model, ids, att, ans)
        model.train()
        pol = sequence_logps(model, ids, att, ans)
        adv = (pol - ref).view(-1, 2)
        margin = BETA * (adv[:, 0] - adv[:, 1])
        loss = -F.logsigmoid(margin).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        print(f"step {step} len {ids.shape[1]} loss {loss.item():.4f} acc {(margin > 0).float().mean().item():.2f}")
    print("peak GiB", round(torch.cuda.max_memory_allocated() / 2**30, 2))


if __name__ == "__main__":
    main()
