# limit: 4
"""Neural style transfer with VGG features (weights random: smoke test of the loop)."""
import torch
import torch.nn.functional as F
from torchvision.models import vgg16

torch.manual_seed(0)
device = torch.device("cuda")
STYLE_LAYERS = (1, 6, 11, 18)
CONTENT_LAYER = 18

vgg = vgg16(weights=None).features[:19].to(device).eval()
for p in vgg.parameters():
    p.requires_grad_(False)
for m in vgg.modules():
    if isinstance(m, torch.nn.ReLU):
        m.inplace = False


def extract(x):
    feats = {}
    for i, layer in enumerate(vgg):
        x = layer(x)
        if i in STYLE_LAYERS:
            feats[i] = x
    return feats


def gram(x):
    b, c, h, w = x.shape
    f = x.view(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


content = torch.rand(1, 3, 256, 256, device=device)
style = torch.rand(1, 3, 256, 256, device=device)
with torch.no_grad():
    target_content = extract(content)[CONTENT_LAYER]
    target_grams = {k: gram(v) for k, v in extract(style).items()}

image = content.clone().requires_grad_(True)
opt = torch.optim.Adam([image], lr=0.02)
history = []
for it in range(300):
    opt.zero_grad()
    feats = extract(image)
    c_loss = F.mse_loss(feats[CONTENT_LAYER], target_content)
    s_loss = sum(F.mse_loss(gram(feats[k]), g) for k, g in target_grams.items())
    loss = c_loss + 1e4 * s_loss
    loss.backward(retain_graph=True)
    opt.step()
    history.append((c_loss, s_loss))
    if it % 25 == 0:
        print(it, float(loss))

print("final", [float(a) for a, _ in history[-3:]])
