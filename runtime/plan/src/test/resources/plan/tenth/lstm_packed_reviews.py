# sentiment classification, bi-LSTM with attention pooling on packed sequences
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset, Sampler

VOCAB_SIZE = 60000
EMB = 300
HID = 512
LAYERS = 2


class Reviews(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.data = []
        for i in range(n):
            length = int(torch.randint(40, 500, (1,), generator=g))
            label = i % 2
            tokens = torch.randint(2, VOCAB_SIZE, (length,), generator=g)
            tokens[: length // 10] = 100 + label  # signal
            self.data.append((tokens, label))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


class BucketSampler(Sampler):
    """Batches of similar length."""

    def __init__(self, ds, batch):
        order = sorted(range(len(ds)), key=lambda i: len(ds[i][0]))
        self.batches = [order[i:i + batch] for i in range(0, len(order), batch)]

    def __iter__(self):
        for i in torch.randperm(len(self.batches)).tolist():
            yield self.batches[i]

    def __len__(self):
        return len(self.batches)


def collate(items):
    toks = [t for t, _ in items]
    lengths = torch.tensor([len(t) for t in toks])
    return pad_sequence(toks, batch_first=True), lengths, torch.tensor([float(y) for _, y in items])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB_SIZE, EMB, padding_idx=0)
        self.drop = nn.Dropout(0.4)
        self.rnn = nn.LSTM(EMB, HID, LAYERS, batch_first=True, bidirectional=True, dropout=0.3)
        self.att = nn.Linear(2 * HID, 1)
        self.fc = nn.Linear(2 * HID, 1)

    def forward(self, x, lengths):
        e = self.drop(self.emb(x))
        packed = pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False)
        out, _ = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        score = self.att(torch.tanh(out)).squeeze(-1)
        score = score.masked_fill(x == 0, float("-inf"))
        w = torch.softmax(score, dim=1)
        return self.fc(self.drop((w.unsqueeze(-1) * out).sum(1))).squeeze(-1)


device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
train_ds, val_ds = Reviews(512, 0), Reviews(128, 1)
train_dl = DataLoader(train_ds, batch_sampler=BucketSampler(train_ds, 128), collate_fn=collate)
val_dl = DataLoader(val_ds, batch_size=64, collate_fn=collate)
net = Net().to(device)
opt = torch.optim.NAdam(net.parameters(), lr=1e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="min", factor=0.5, patience=0)
bce = nn.BCEWithLogitsLoss()

for epoch in range(2):
    net.train()
    tot = 0
    for x, lengths, y in train_dl:
        x, y = x.to(device), y.to(device)   # lengths stay on the cpu
        opt.zero_grad()
        loss = bce(net(x, lengths), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tot += loss.item()
    net.eval()
    vloss, right = 0.0, 0
    with torch.no_grad():
        for x, lengths, y in val_dl:
            x, y = x.to(device), y.to(device)
            p = net(x, lengths)
            vloss += bce(p, y).item()
            right += ((p > 0) == (y > 0.5)).sum().item()
    plateau.step(vloss)
    print(f"Epoch {epoch + 1}: train {tot / len(train_dl):.4f} val {vloss / len(val_dl):.4f} acc {right / len(val_ds):.3f}")
