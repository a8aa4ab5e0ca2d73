# limit: 2.5
import torch
from transformers import LlamaConfig, LlamaForCausalLM


class Reranker:
    """mean log-likelihood of candidates given a query"""

    def __init__(self):
        self.cfg = LlamaConfig(vocab_size=64000, hidden_size=384, intermediate_size=1024, num_hidden_layers=6,
                               num_attention_heads=6, num_key_value_heads=6)
        self.model = LlamaForCausalLM(self.cfg).to("cuda", dtype=torch.bfloat16).eval()

    @torch.no_grad()
    def score(self, ids):
        logits = self.model(input_ids=ids).logits
        logp = logits[:, :-1].float().log_softmax(-1)
        return logp.gather(-1, ids[:, 1:, None]).squeeze(-1).mean(-1)


def requests():
    """(number of candidates, tokens) as they came in"""
    return [(4, 64), (8, 64), (8, 96), (16, 64), (12, 128), (8, 160), (16, 96), (4, 256), (16, 128), (64, 128), (8, 64)]


def main():
    torch.manual_seed(2)
    rr = Reranker()
    done = 0
    for n, t in requests():
        ids = torch.randint(0, rr.cfg.vocab_size, (n, t), device="cuda")
        order = rr.score(ids).argsort(descending=True)
        done += 1
        print(f"request {done}: {n} x {t}, best {order[0].item()}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
