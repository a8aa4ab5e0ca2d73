import torch, torch.nn as nn, torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 32, 3, 1), nn.Conv2d(32, 64, 3, 1)
        self.dropout1, self.dropout2 = nn.Dropout(0.25), nn.Dropout(0.5)
        self.fc1, self.fc2 = nn.Linear(9216, 128), nn.Linear(128, 10)
    def forward(self, x):
        x = F.relu(self.conv1(x)); x = F.relu(self.conv2(x)); x = F.max_pool2d(x, 2)
        x = torch.flatten(self.dropout1(x), 1)
        return F.log_softmax(self.fc2(self.dropout2(F.relu(self.fc1(x)))), dim=1)
model = Net().to("cuda"); optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
for step in range(3):
    data, target = torch.randn(64, 1, 28, 28).to("cuda"), torch.randint(0, 10, (64,)).to("cuda")
    optimizer.zero_grad(); loss = F.nll_loss(model(data), target); loss.backward(); optimizer.step()
model.eval()
with torch.no_grad():
    out = model(torch.randn(1000, 1, 28, 28, device="cuda")); print(out.argmax(dim=1, keepdim=True).shape)
