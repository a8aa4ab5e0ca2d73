# limit: 3
"""Character model trained by truncated back-propagation through time."""
import torch
import torch.nn as nn

torch.manual_seed(0)
VOCAB, HID, BPTT, BATCH = 96, 512, 64, 64


class CharLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 64)
        self.rnn = nn.LSTM(64, HID, 2)
        self.fc = nn.Linear(HID, VOCAB)

    def forward(self, x, state):
        y, state = self.rnn(self.emb(x), state)
        return self.fc(y), state


def repackage(state):
    return tuple(s.detach() for s in state)


text = torch.randint(0, VOCAB, (BPTT * 200 + 1, BATCH), device="cuda")
net = CharLSTM().cuda()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
state = (torch.zeros(2, BATCH, HID, device="cuda"), torch.zeros(2, BATCH, HID, device="cuda"))
total = 0.0
for i in range(0, text.size(0) - 1, BPTT):
    state = repackage(state)
    out, state = net(text[i:i + BPTT], state)
    loss = nn.functional.cross_entropy(out.flatten(0, 1), text[i + 1:i + 1 + BPTT].flatten())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    total += loss.item()
print("mean loss", total / 200)
