# limit: 2
"""Resume a run from its last checkpoint and go on with a fine-tuning stage."""
import os
import tempfile
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, vocab=20000, d=1024, layers=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        layer = nn.TransformerEncoderLayer(d, 16, 4 * d, dropout=0.0, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.cls = nn.Linear(d, 2)

    def forward(self, ids):
        return self.cls(self.enc(self.emb(ids)).mean(1))


def write_checkpoint(path):
    """What the pretraining job leaves behind (here: made up)."""
    model = Model()
    weights = model.state_dict()
    torch.save({
        "step": 120000,
        "model": weights,
        "ema": {k: v.clone() for k, v in weights.items()},
        "exp_avg": {k: torch.zeros_like(v) for k, v in weights.items()},
        "exp_avg_sq": {k: torch.zeros_like(v) for k, v in weights.items()},
    }, path)


def main():
    torch.manual_seed(0)
    path = os.path.join(tempfile.gettempdir(), "a1_resume_last.pt")
    write_checkpoint(path)

    device = torch.device("cuda")
    model = Model().to(device)
    ckpt = torch.load(path, map_location="cuda")
    os.remove(path)
    model.load_state_dict(ckpt["ema"])
    print("resumed from step", ckpt["step"])

    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    for step in range(20):
        ids = torch.randint(0, 20000, (4, 64), device=device)
        y = torch.randint(0, 2, (4,), device=device)
        loss = nn.functional.cross_entropy(model(ids), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, loss.item())


if __name__ == "__main__":
    main()
