# limit: 1.2
# Extracts layer-wise features of a corpus with a small encoder.
import time
import torch
from transformers import BertConfig, BertModel

cfg = BertConfig(vocab_size=10000, hidden_size=384, num_hidden_layers=6, num_attention_heads=6,
                 intermediate_size=1536)


def loader(n_batches, batch=24, length=128):
    gen = torch.Generator().manual_seed(4)
    for _ in range(n_batches):
        ids = torch.randint(5, cfg.vocab_size, (batch, length), generator=gen)
        mask = torch.ones_like(ids)
        yield ids, mask


class FeatureExtractor:
    def __init__(self):
        self.model = BertModel(cfg).to("cuda").eval()
        self.results = []

    @torch.no_grad()
    def run(self, n_batches):
        t0 = time.time()
        for i, (ids, mask) in enumerate(loader(n_batches)):
            out = self.model(ids.to("cuda"), attention_mask=mask.to("cuda"), output_hidden_states=True)
            sentence = out.last_hidden_state[:, 0]
            self.results.append({"cls": sentence, "layers": out.hidden_states})
            if i % 10 == 0:
                print(f"batch {i} {time.time() - t0:.1f}s {len(self.results)} results")

    def stack(self):
        return torch.stack([r["cls"].mean(0) for r in self.results])


def main():
    torch.manual_seed(4)
    fx = FeatureExtractor()
    fx.run(200)
    print(fx.stack().shape)


if __name__ == "__main__":
    main()
