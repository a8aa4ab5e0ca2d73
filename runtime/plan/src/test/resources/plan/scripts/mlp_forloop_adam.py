import torch, torch.nn as nn
model = nn.Sequential(nn.Linear(1000, 3000), nn.ReLU(), nn.Linear(3000, 3000), nn.ReLU(), nn.Linear(3000, 100)).to("cuda")
optimizer = torch.optim.Adam(model.parameters(), foreach=False, amsgrad=True, weight_decay=0.01)
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
for step in range(3):
    x, y = torch.randn(1024, 1000, device="cuda"), torch.randint(0, 100, (1024,), device="cuda")
    loss = loss_fn(model(x), y); loss.backward(); optimizer.step(); optimizer.zero_grad()
