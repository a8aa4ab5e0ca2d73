# limit: 1.0
# PatchCore-like anomaly detection for one product category (notebook export)

# %%
import timm
import torch

torch.manual_seed(0)
device = torch.device("cuda")
backbone = timm.create_model("resnet18", pretrained=False, features_only=True, out_indices=(2, 3))
backbone = backbone.eval().to(device)


# %%
def patch_features(imgs):
    a, b = backbone(imgs)
    b = torch.nn.functional.interpolate(b, size=a.shape[-2:], mode="bilinear", align_corners=False)
    f = torch.cat([a, b], 1)
    f = torch.nn.functional.avg_pool2d(f, 3, 1, 1)
    return f.permute(0, 2, 3, 1).reshape(-1, f.size(1))


def good_images(n_batches, bs=8):
    g = torch.Generator(device=device).manual_seed(4)
    for _ in range(n_batches):
        yield torch.rand(bs, 3, 224, 224, device=device, generator=g)


# %%
bank = torch.empty(0, 384, device=device)
with torch.no_grad():
    for i, imgs in enumerate(good_images(140)):
        bank = torch.cat([bank, patch_features(imgs)], 0)
        if i % 20 == 0:
            print(i, tuple(bank.shape), flush=True)

# %%
# coreset by random projection
keep = torch.randperm(bank.size(0), device=device)[: bank.size(0) // 100]
coreset = bank[keep].clone()
print("coreset", coreset.shape)

# %%
with torch.no_grad():
    q = patch_features(torch.rand(4, 3, 224, 224, device=device))
    d = torch.cdist(q, coreset).min(1).values.view(4, -1)
print("scores", d.max(1).values.tolist())
