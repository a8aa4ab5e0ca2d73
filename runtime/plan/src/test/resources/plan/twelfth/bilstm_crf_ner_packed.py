"""BiLSTM-CRF tagger with char-CNN features; packed variable-length batches, forward algorithm in log space, Viterbi."""
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

WORDS, CHARS, TAGS = 60000, 100, 19
WDIM, CDIM, HID = 300, 30, 400
BATCH, MAXLEN, STEPS = 128, 90, 6


class CRF(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.trans = nn.Parameter(torch.randn(k, k) * 0.1)
        self.start, self.end = nn.Parameter(torch.zeros(k)), nn.Parameter(torch.zeros(k))

    def log_z(self, em, mask):
        a = self.start + em[:, 0]
        for t in range(1, em.shape[1]):
            nxt = torch.logsumexp(a[:, :, None] + self.trans + em[:, t, None], 1)
            a = torch.where(mask[:, t, None], nxt, a)
        return torch.logsumexp(a + self.end, 1)

    def score(self, em, tags, mask):
        e = em.gather(2, tags[..., None]).squeeze(-1) * mask
        tr = self.trans[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        return e.sum(1) + tr.sum(1) + self.start[tags[:, 0]] + self.end[last]

    def nll(self, em, tags, mask):
        return (self.log_z(em, mask) - self.score(em, tags, mask)).mean()

    @torch.no_grad()
    def viterbi(self, em, mask):
        s, back = self.start + em[:, 0], []
        ident = torch.arange(em.shape[2], device=em.device).expand(len(em), -1)
        for t in range(1, em.shape[1]):
            best, arg = (s[:, :, None] + self.trans).max(1)
            s = torch.where(mask[:, t, None], best + em[:, t], s)
            back.append(torch.where(mask[:, t, None], arg, ident))
        tag = (s + self.end).argmax(1)
        path = [tag]
        for b in reversed(back):
            tag = b.gather(1, tag[:, None]).squeeze(1)
            path.append(tag)
        return torch.stack(path[::-1], 1)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.word, self.char = nn.Embedding(WORDS, WDIM, padding_idx=0), nn.Embedding(CHARS, CDIM, padding_idx=0)
        self.cnn = nn.Conv1d(CDIM, 100, 3, padding=1)
        self.lstm = nn.LSTM(WDIM + 100, HID, 2, bidirectional=True, batch_first=True, dropout=0.5)
        self.out, self.crf = nn.Linear(2 * HID, TAGS), CRF(TAGS)

    def emissions(self, w, c, lens):
        B, T, L = c.shape
        ch = self.cnn(self.char(c).view(B * T, L, -1).transpose(1, 2)).amax(-1).view(B, T, -1)
        x = nn.functional.dropout(torch.cat([self.word(w), ch], -1), 0.5, self.training)
        packed = pack_padded_sequence(x, lens, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.out(h)


def sample(rng, dev):
    lens = torch.tensor([min(MAXLEN, max(4, int(rng.gauss(35, 18)))) for _ in range(BATCH)])
    w = pad_sequence([torch.randint(1, WORDS, (l,)) for l in lens.tolist()], batch_first=True)
    t = torch.randint(0, TAGS, w.shape)
    mask = torch.arange(w.shape[1])[None] < lens[:, None]
    c = torch.randint(1, CHARS, (*w.shape, 16)) * mask[..., None]
    return w.to(dev), c.to(dev), t.to(dev), mask.to(dev), lens


def main():
    torch.manual_seed(77)
    rng = random.Random(77)
    dev = torch.device("cuda")
    net = Tagger().to(dev)
    opt = torch.optim.SGD(net.parameters(), lr=0.015, momentum=0.9)
    sch = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1 / (1 + 0.05 * e))
    for step in range(STEPS):
        net.train()
        w, c, t, mask, lens = sample(rng, dev)
        loss = net.crf.nll(net.emissions(w, c, lens), t, mask)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sch.step()
        print(f"{step} T={w.shape[1]} nll {loss.item():.3f}")
    net.eval()
    w, c, t, mask, lens = sample(rng, dev)
    with torch.no_grad():
        pred = net.crf.viterbi(net.emissions(w, c, lens), mask)
    print("token acc", ((pred == t) & mask).sum().item() / mask.sum().item())
    print("peak", torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
