import torch
import torch.nn as nn
torch.manual_seed(0)
embed, rnn, head = nn.Embedding(8000, 320).cuda(), nn.GRU(320, 512, num_layers=2, batch_first=True, dropout=0.2).cuda(), nn.Linear(512, 8000).cuda()
params = [*embed.parameters(), *rnn.parameters(), *head.parameters()]
opt = torch.optim.RAdam(params, lr=1e-3)
text = torch.randint(0, 8000, (20, 4 * 50 + 1), device="cuda")
state = None
for step in range(4):
    x, y = text[:, step * 50:step * 50 + 50], text[:, step * 50 + 1:step * 50 + 51]
    out, state = rnn(embed(x), state)
    state = state.detach()
    loss = nn.functional.cross_entropy(head(out).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(params, 0.5)
    opt.step()
