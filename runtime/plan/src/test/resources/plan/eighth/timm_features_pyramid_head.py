import timm
import timm.optim
import torch
import torch.nn as nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, channels, width=96, classes=8):
        super().__init__()
        self.lateral = nn.ModuleList(nn.Conv2d(c, width, 1) for c in channels)
        self.smooth = nn.ModuleList(nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.GroupNorm(8, width), nn.SiLU()) for _ in channels)
        self.out = nn.Conv2d(width * len(channels), classes, 1)

    def forward(self, features, size):
        features = [lat(f) for lat, f in zip(self.lateral, features)]
        for i in range(len(features) - 2, -1, -1):
            features[i] = features[i] + F.interpolate(features[i + 1], size=features[i].shape[-2:], mode="nearest")
        features = [F.interpolate(s(f), size=features[0].shape[-2:], mode="bilinear", align_corners=False) for s, f in zip(self.smooth, features)]
        return F.interpolate(self.out(torch.cat(features, 1)), size=size, mode="bilinear", align_corners=False)


torch.manual_seed(0)
backbone = timm.create_model("resnetv2_50", pretrained=False, features_only=True, out_indices=(1, 2, 3, 4)).cuda()
head = Head(backbone.feature_info.channels()).cuda()
opt = timm.optim.create_optimizer_v2(nn.ModuleList([backbone, head]), opt="nadamw", lr=3e-4, weight_decay=0.01)
for _ in range(3):
    x, y = torch.randn(6, 3, 192, 192, device="cuda"), torch.randint(0, 8, (6, 192, 192), device="cuda")
    logits = head(backbone(x), x.shape[-2:])
    one = F.one_hot(y, 8).permute(0, 3, 1, 2).float()
    p = logits.softmax(1)
    dice = 1 - (2 * (p * one).sum((2, 3)) + 1) / (p.sum((2, 3)) + one.sum((2, 3)) + 1)
    loss = F.cross_entropy(logits, y) + dice.mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
