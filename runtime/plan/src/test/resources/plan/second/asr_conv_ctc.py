import torch
import torch.nn as nn
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(80, 256, 5, stride=2, padding=2), nn.BatchNorm1d(256), nn.ReLU(), nn.Conv1d(256, 256, 5, stride=2, padding=2), nn.BatchNorm1d(256), nn.ReLU())
        self.rnn, self.out = nn.GRU(256, 256, 2, batch_first=True, bidirectional=True), nn.Linear(512, 40)

    def forward(self, x):
        return self.out(self.rnn(self.conv(x).transpose(1, 2))[0])


model = Net().cuda()
opt, crit = torch.optim.Adam(model.parameters(), lr=1e-3), nn.CTCLoss(zero_infinity=True)
for step in range(3):
    x, y = torch.randn(16, 80, 400, device="cuda"), torch.randint(1, 40, (16, 30), device="cuda")
    logp = model(x).log_softmax(2).transpose(0, 1)
    lengths = torch.full((16,), logp.shape[0], dtype=torch.long, device="cuda")
    loss = crit(logp, y, lengths, torch.full((16,), 30, dtype=torch.long, device="cuda"))
    opt.zero_grad()
    loss.backward()
    opt.step()
