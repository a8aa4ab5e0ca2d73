# limit: 1.5
# kNN-LM: remember every context's hidden state with its next token
import torch
from transformers import GPT2Config, GPT2Model


class Datastore:
    def __init__(self, dim):
        self.keys = torch.empty(0, dim, device="cuda")
        self.values = torch.empty(0, dtype=torch.long, device="cuda")

    def extend(self, keys, values):
        self.keys = torch.cat([self.keys, keys])
        self.values = torch.cat([self.values, values])

    def lookup(self, q, k=8):
        d = torch.cdist(q, self.keys[-100_000:])
        return self.values[-100_000:][d.topk(k, largest=False).indices]

    def __len__(self):
        return len(self.keys)


class KnnLm:
    def __init__(self):
        self.cfg = GPT2Config(vocab_size=4000, n_embd=512, n_layer=4, n_head=8, n_positions=256,
                              bos_token_id=0, eos_token_id=0)
        self.model = GPT2Model(self.cfg).to("cuda").eval()
        self.store = Datastore(512)

    @torch.no_grad()
    def ingest(self, ids):
        h = self.model(ids).last_hidden_state[:, :-1]
        self.store.extend(h.reshape(-1, h.shape[-1]), ids[:, 1:].reshape(-1))

    @torch.no_grad()
    def predict(self, ids):
        h = self.model(ids).last_hidden_state[:, -1]
        return self.store.lookup(h).mode(-1).values


def main():
    torch.manual_seed(40)
    lm = KnnLm()
    for batch in range(150):
        ids = torch.randint(0, 4000, (16, 256), device="cuda")
        lm.ingest(ids)
        if batch % 10 == 9:
            test = torch.randint(0, 4000, (4, 64), device="cuda")
            print(f"{batch}: {len(lm.store)} contexts, guess {lm.predict(test).tolist()}")


if __name__ == "__main__":
    main()
