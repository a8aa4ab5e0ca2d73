# limit: 4
"""Self-attentive next-track recommender over listening sessions."""
import torch
import torch.nn as nn

DEV = "cuda"
TRACKS, DIM, SESSION, BATCH = 100_000, 64, 50, 128


class SessionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.tracks = nn.Embedding(TRACKS, DIM)
        self.position = nn.Parameter(torch.zeros(SESSION, DIM))
        layer = nn.TransformerEncoderLayer(DIM, 2, 2 * DIM, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def encode(self, sessions):
        mask = torch.triu(torch.full((SESSION, SESSION), float("-inf"), device=DEV), 1)
        return self.encoder(self.tracks(sessions) + self.position, mask=mask)

    def forward(self, sessions):
        return self.encode(sessions) @ self.tracks.weight.T


class Sessions:
    def __init__(self, users=20000):
        self.log = torch.randint(0, TRACKS, (users, SESSION + 1))

    def batch(self):
        rows = torch.randint(0, len(self.log), (BATCH,))
        chunk = self.log[rows].to(DEV)
        return chunk[:, :-1], chunk[:, 1:]


def hit_rate(scores, wanted, k=20):
    top = scores[:, -1].topk(k).indices
    return (top == wanted[:, -1:]).any(1).float().mean().item()


def main():
    data = Sessions()
    model = SessionModel().to(DEV)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    lossfn = nn.CrossEntropyLoss(label_smoothing=0.0)
    for step in range(30):
        seen, following = data.batch()
        scores = model(seen)
        loss = lossfn(scores.flatten(0, 1), following.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            print(step, loss.item(), "hit@20", hit_rate(scores.detach(), following))


main()
