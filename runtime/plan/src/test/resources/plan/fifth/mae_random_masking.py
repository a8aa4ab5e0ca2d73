import torch
import torch.nn as nn
torch.manual_seed(0)


class Mae(nn.Module):
    def __init__(self, width=384, small=192, patches=196, pixels=768):
        super().__init__()
        self.patch = nn.Linear(pixels, width)
        self.place, self.small_place = nn.Parameter(torch.zeros(1, patches, width)), nn.Parameter(torch.zeros(1, patches, small))
        layer = lambda w, h: nn.TransformerEncoderLayer(w, h, 4 * w, 0.0, "gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer(width, 6), 4, enable_nested_tensor=False)
        self.narrow, self.mask = nn.Linear(width, small), nn.Parameter(torch.zeros(1, 1, small))
        self.decoder = nn.TransformerEncoder(layer(small, 3), 2, enable_nested_tensor=False)
        self.pixels = nn.Linear(small, pixels)

    def forward(self, images):
        b, n, _ = images.shape
        keep = n // 4
        order = torch.rand(b, n, device=images.device).argsort(1)
        back = order.argsort(1)
        x = self.patch(images) + self.place
        x = torch.gather(x, 1, order[:, :keep, None].expand(-1, -1, x.shape[2]))
        x = self.narrow(self.encoder(x))
        x = torch.cat([x, self.mask.expand(b, n - keep, -1)], 1)
        x = torch.gather(x, 1, back[:, :, None].expand(-1, -1, x.shape[2])) + self.small_place
        x = self.pixels(self.decoder(x))
        hidden = torch.ones(b, n, device=images.device)
        hidden[:, :keep] = 0
        hidden = torch.gather(hidden, 1, back)
        mean, var = images.mean(-1, keepdim=True), images.var(-1, keepdim=True)
        loss = (x - (images - mean) / (var + 1e-6).sqrt()).pow(2).mean(-1)
        return (loss * hidden).sum() / hidden.sum()


model = Mae().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1.5e-4, betas=(0.9, 0.95))
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    images = torch.randn(32, 196, 768, device="cuda")
    with torch.autocast("cuda", torch.float16):
        loss = model(images)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
