import torch
import timm

# Throughput / sanity evaluation of several backbones in half precision, plus feature extraction + kNN.

models = ["swin_tiny_patch4_window7_224", "efficientnet_b0", "regnety_032"]
bs = 256
res = 224


def synthetic_loader(batches, seed):
    g = torch.Generator(device="cuda").manual_seed(seed)
    for _ in range(batches):
        images = torch.randn(bs, 3, res, res, device="cuda", generator=g)
        target = torch.randint(0, 1000, (bs,), device="cuda", generator=g)
        yield images, target


def accuracy(output, target, topk=(1, 5)):
    maxk = max(topk)
    _, pred = output.topk(maxk, 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.reshape(1, -1).expand_as(pred))
    return [correct[:k].reshape(-1).float().sum(0) * 100.0 / target.size(0) for k in topk]


@torch.inference_mode()
def evaluate(name):
    model = timm.create_model(name, pretrained=False).half().cuda().eval()
    tot1 = tot5 = 0.0
    nb = 2
    for images, target in synthetic_loader(nb, 0):
        out = model(images.half())
        a1, a5 = accuracy(out.float(), target)
        tot1 += a1.item()
        tot5 += a5.item()
    print(f"{name}: top1 {tot1 / nb:.2f} top5 {tot5 / nb:.2f}")
    return model


@torch.inference_mode()
def knn(model, k=20, temperature=0.07, classes=50):
    feats, labels = [], []
    for images, target in synthetic_loader(3, 1):
        f = model.forward_head(model.forward_features(images.half()), pre_logits=True)
        feats.append(torch.nn.functional.normalize(f.float(), dim=1))
        labels.append(target % classes)
    bank, bank_y = torch.cat(feats[:-1]), torch.cat(labels[:-1])
    q, q_y = feats[-1], labels[-1]
    sim = q @ bank.t()
    w, idx = sim.topk(k, dim=1)
    votes = torch.zeros(q.size(0), classes, device=q.device)
    votes.scatter_add_(1, bank_y[idx], (w / temperature).exp())
    print("   knn acc", (votes.argmax(1) == q_y).float().mean().item())


for m in models:
    net = evaluate(m)
    knn(net)
    del net
