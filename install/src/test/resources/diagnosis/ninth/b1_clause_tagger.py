# limit: 1.9
import os
import tempfile
import torch
from torch import nn

dev = torch.device("cuda")
WIDTH, DEPTH, VOCAB, TAGS = 1024, 12, 5000, 17
PATH = os.path.join(tempfile.gettempdir(), "clause_tagger_last.pt")


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, WIDTH)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(WIDTH, 16, 4 * WIDTH, dropout=0.0, batch_first=True)
            for _ in range(DEPTH))
        self.out = nn.Linear(WIDTH, TAGS)

    def forward(self, ids):
        h = self.embed(ids)
        for block in self.blocks:
            h = block(h)
        return self.out(h)


def last_week():
    weights = Tagger().state_dict()
    average = {k: v.clone() for k, v in weights.items()}
    torch.save({"model": weights, "ema": average, "step": 41000}, PATH)


def resume():
    checkpoint = torch.load(PATH, map_location=dev)
    model = Tagger().to(dev)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    return model, optimizer, checkpoint


def main():
    if not os.path.exists(PATH):
        last_week()
    model, optimizer, checkpoint = resume()
    first = checkpoint["step"]
    for step in range(first, first + 30):
        ids = torch.randint(0, VOCAB, (4, 64), device=dev)
        tags = torch.randint(0, TAGS, (4, 64), device=dev)
        loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), tags.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(step, loss.item())


try:
    main()
finally:
    if os.path.exists(PATH):
        os.remove(PATH)
