# limit: 3.0
# small llama on poetry, sequence length warm-up as in the "shortformer" post
import torch
from transformers import LlamaConfig, LlamaForCausalLM, set_seed

set_seed(17)
DEVICE = "cuda"

cfg = LlamaConfig(
    vocab_size=128_256,   # keep the big tokenizer
    hidden_size=256,
    intermediate_size=768,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=1024,
    tie_word_embeddings=True,
    use_cache=False,
)


def fake_lines(batch, length):
    return torch.randint(0, cfg.vocab_size, (batch, length), device=DEVICE)


class Stage:
    def __init__(self, length, steps, batch=4):
        self.length, self.steps, self.batch = length, steps, batch


SCHEDULE = [Stage(64, 10), Stage(128, 10), Stage(256, 10), Stage(512, 40)]


def train(model, schedule):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
    seen = 0
    for st in schedule:
        for step in range(st.steps):
            ids = fake_lines(st.batch, st.length)
            out = model(input_ids=ids, labels=ids)
            out.loss.backward()
            opt.step()
            opt.zero_grad(set_to_none=True)
            seen += ids.numel()
        print(f"len {st.length:4d}  tokens {seen:7d}  loss {out.loss.item():.3f}")
        del out


if __name__ == "__main__":
    lm = LlamaForCausalLM(cfg).to(DEVICE)
    lm.train()
    print(f"{lm.num_parameters() / 1e6:.1f}M parameters")
    train(lm, SCHEDULE)
