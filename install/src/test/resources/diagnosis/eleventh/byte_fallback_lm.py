# limit: 3.5
import torch
from transformers import LlamaConfig, LlamaForCausalLM


class Packed:
    """Packs documents; first batches are short because few documents have arrived."""

    def __init__(self, vocab, seq=512):
        self.vocab, self.seq = vocab, seq
        self.gen = torch.Generator().manual_seed(17)

    def batch(self, n):
        return torch.randint(0, self.vocab, (n, self.seq), generator=self.gen)


def make_model():
    cfg = LlamaConfig(
        vocab_size=128256, hidden_size=256, intermediate_size=688, num_hidden_layers=4,
        num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=512,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(cfg)


def main():
    torch.manual_seed(17)
    model = make_model().cuda().train()
    data = Packed(model.config.vocab_size)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-4, foreach=False)
    sizes = [1, 1, 1, 2, 2, 2, 8, 8, 8]
    for step, n in enumerate(sizes):
        ids = data.batch(n).cuda()
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} tokens {ids.numel()} loss {loss.item():.3f}")


main()
