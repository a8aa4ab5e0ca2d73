import torch, torch.nn as nn
rnn, fc = nn.GRU(128, 256, bidirectional=True).cuda(), nn.Linear(512, 5).cuda()
optimizer = torch.optim.RMSprop(list(rnn.parameters()) + list(fc.parameters()))
for step in range(3):
    x, y = torch.randn(50, 64, 128, device="cuda"), torch.randint(0, 5, (64,), device="cuda")
    out, h = rnn(x); loss = nn.functional.cross_entropy(fc(out.mean(0)), y); optimizer.zero_grad(); loss.backward(); optimizer.step()
