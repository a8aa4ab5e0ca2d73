import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2))
        self.depthwise = nn.Conv2d(32, 32, 3, padding=1, groups=32)
        self.plain = nn.Conv2d(32, 64, 1)
        self.down = nn.Conv2d(64, 64, 3, stride=2, padding=1)
        self.norm = nn.GroupNorm(8, 64)
        self.up = nn.ConvTranspose2d(64, 32, 2, stride=2)
        self.words = nn.Embedding(100, 32)
        self.gru = nn.GRU(32, 32, batch_first=True)
        self.attention = nn.MultiheadAttention(32, 4, batch_first=True)
        self.layer = nn.LayerNorm(32)
        self.head = nn.Linear(32, 10)

    def forward(self, image, text):
        x = self.plain(F.gelu(self.depthwise(self.stem(image))))
        x = self.up(F.silu(self.norm(self.down(x))))
        x = F.interpolate(x, scale_factor=2).mean((2, 3))
        y, _ = self.gru(self.words(text))
        y, _ = self.attention(y, y, y, need_weights=False)
        y = F.dropout(self.layer(y), 0.1).amax(1)
        return self.head(x + y)

model = Net().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler()
for step in range(3):
    image = torch.randn(8, 3, 32, 32).cuda()
    text = torch.randint(0, 100, (8, 16)).cuda()
    label = torch.randint(0, 10, (8,)).cuda()
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = F.cross_entropy(model(image, text), label)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    print(loss.item())
model.eval()
with torch.no_grad():
    print(model(image, text).argmax(1))
torch.cuda.empty_cache()
