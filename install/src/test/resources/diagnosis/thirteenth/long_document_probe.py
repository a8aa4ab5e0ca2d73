# limit: 2.0
"""Looks at which sentences a small BERT attends to; documents become longer and longer."""
import torch
from transformers import BertConfig, BertModel


def make_model():
    cfg = BertConfig(vocab_size=12000, hidden_size=384, num_hidden_layers=4, num_attention_heads=12,
                     intermediate_size=1024, max_position_embeddings=8192)
    return BertModel._from_config(cfg, attn_implementation="eager").to("cuda").eval()


def documents(lengths):
    g = torch.Generator().manual_seed(5)
    for n in lengths:
        yield torch.randint(0, 12000, (1, n), generator=g)


class Prober:
    def __init__(self, model):
        self.model = model
        self.table = {}

    @torch.no_grad()
    def probe(self, name, ids):
        out = self.model(ids.to("cuda"))
        self.table[name] = out.last_hidden_state.norm(dim=-1).mean().item()


def main():
    torch.manual_seed(5)
    prober = Prober(make_model())
    lengths = [256, 512, 512, 1024, 1024, 2048, 2048, 3072, 5120, 6144, 8192]
    for i, ids in enumerate(documents(lengths)):
        prober.probe(f"doc{i}", ids)
        print(f"doc{i}: {ids.shape[1]} tokens, {prober.table[f'doc{i}']:.3f}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
        torch.cuda.reset_peak_memory_stats()


if __name__ == "__main__":
    main()
