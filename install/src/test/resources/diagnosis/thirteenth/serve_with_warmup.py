# limit: 1.5
import dataclasses
import torch
from transformers import GPT2Config, GPT2LMHeadModel


@dataclasses.dataclass
class Limits:
    max_batch: int = 64
    max_tokens: int = 512
    vocab: int = 32000


class Engine:
    def __init__(self, limits):
        self.limits = limits
        cfg = GPT2Config(vocab_size=limits.vocab, n_embd=512, n_layer=6, n_head=8, n_positions=512,
                         bos_token_id=0, eos_token_id=0)
        self.model = GPT2LMHeadModel(cfg).to("cuda").half().eval()

    @torch.inference_mode()
    def forward(self, ids):
        return self.model(ids).logits[:, -1].argmax(-1)

    def warm_up(self):
        b = 1
        while b <= self.limits.max_batch:
            ids = torch.zeros(b, self.limits.max_tokens, dtype=torch.long, device="cuda")
            self.forward(ids)
            print(f"warmed {b} x {self.limits.max_tokens}: "
                  f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
            b *= 2
        torch.cuda.synchronize()


def traffic(n):
    g = torch.Generator().manual_seed(0)
    for _ in range(n):
        b = int(torch.randint(1, 5, (1,), generator=g))
        t = int(torch.randint(16, 200, (1,), generator=g))
        yield torch.randint(0, 32000, (b, t), generator=g)


def main():
    torch.manual_seed(0)
    engine = Engine(Limits())
    engine.warm_up()
    for i, ids in enumerate(traffic(200)):
        out = engine.forward(ids.to("cuda"))
        if i % 20 == 0:
            print(i, out.tolist())


if __name__ == "__main__":
    main()
