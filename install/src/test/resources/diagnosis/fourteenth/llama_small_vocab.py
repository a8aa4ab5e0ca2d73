# limit: 3.5
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)


def get_model():
    cfg = LlamaConfig(vocab_size=128_256, hidden_size=256, intermediate_size=688, num_hidden_layers=4,
                      num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048,
                      tie_word_embeddings=True)
    return LlamaForCausalLM(cfg).cuda()


class Packer:
    """Packs the corpus to a fixed context; the context grows in three phases."""

    def __init__(self, context, batch):
        self.context, self.batch = context, batch

    def __call__(self):
        return torch.randint(0, 128_256, (self.batch, self.context), device="cuda")


PHASES = [
    dict(context=64, batch=8, steps=15),
    dict(context=96, batch=8, steps=15),
    dict(context=512, batch=8, steps=15),
]


def main():
    model = get_model()
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95))
    done = 0
    for ph in PHASES:
        pack = Packer(ph["context"], ph["batch"])
        for _ in range(ph["steps"]):
            ids = pack()
            loss = model(input_ids=ids, labels=ids, use_cache=False).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            done += 1
        print(f"step {done} context {ph['context']} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
