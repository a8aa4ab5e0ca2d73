import torch, torchvision
from torch.utils.checkpoint import checkpoint
torch.manual_seed(0)
model = torchvision.models.video.swin3d_t(weights=None, num_classes=12).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(2):
    clip, y = torch.randn(2, 3, 8, 112, 112, device="cuda"), torch.randint(0, 12, (2,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        x = model.pos_drop(model.patch_embed(clip))
        for stage in model.features:
            x = checkpoint(stage, x, use_reentrant=False)
        x = model.norm(x).permute(0, 4, 1, 2, 3)
        loss = torch.nn.functional.cross_entropy(model.head(torch.flatten(model.avgpool(x), 1)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
