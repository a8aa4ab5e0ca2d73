import numpy as np
import torch
from torch import nn
x = np.linspace(-4, 4, 20000).astype(np.float32)[:, None]
y = np.sin(x) + 0.1 * np.random.randn(*x.shape).astype(np.float32)
X, Y = torch.from_numpy(x).cuda(), torch.tensor(y, device="cuda")
m = nn.Sequential(nn.Linear(1, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 1)).cuda()
o = torch.optim.Adam(m.parameters())
history = []
for e in range(8):
    permutation = torch.randperm(X.size(0), device="cuda")
    for i in range(0, X.size(0), 4096):
        idx = permutation[i:i + 4096]
        l = (m(X[idx]) - Y[idx]).pow(2).mean()
        o.zero_grad(); l.backward(); o.step()
        history.append(l.item())
    if e % 4 == 0:
        print(e, np.mean(history[-5:]), "+-", np.std(history[-5:]))
with torch.inference_mode():
    p = m(X).detach().cpu().numpy()
print("rmse", float(np.sqrt(((p - y) ** 2).mean())), X.mean(), l)
print(m(X[:3]))
