# limit: 2.5
"""Fine-tune a small wav2vec2-CTC on utterances sorted into length buckets."""
import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

torch.manual_seed(4)
device = "cuda"


class BucketLoader:
    def __init__(self, seconds, per_bucket, batch_size):
        self.seconds, self.per_bucket, self.bs = seconds, per_bucket, batch_size

    def __iter__(self):
        for s in self.seconds:
            for k in range(self.per_bucket):
                g = torch.Generator().manual_seed(int(s * 100 + k))
                wav = torch.randn(self.bs, int(s * 16000), generator=g) * 0.1
                labels = torch.randint(1, 32, (self.bs, max(4, int(s * 6))), generator=g)
                yield s, wav.to(device), labels.to(device)


def make_model():
    cfg = Wav2Vec2Config(
        vocab_size=32, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
        intermediate_size=1024, num_conv_pos_embeddings=32, num_conv_pos_embedding_groups=8,
        mask_time_prob=0.0, layerdrop=0.0, ctc_loss_reduction="mean", ctc_zero_infinity=True)
    return Wav2Vec2ForCTC(cfg).to(device)


def fit(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model.train()
    for ep in range(epochs):
        last = None
        for s, wav, labels in loader:
            if s != last:
                print(f"epoch {ep}: bucket of {s} s", flush=True)
                last = s
            loss = model(wav, labels=labels).loss
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        print(f"epoch {ep} last loss {loss.item():.3f}", flush=True)


loader = BucketLoader([1.0, 2.0, 3.0, 5.0, 24.0], per_bucket=6, batch_size=4)
fit(make_model(), loader, epochs=2)
