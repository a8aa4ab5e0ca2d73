# limit: 3
"""Collect predictions of a classifier and compute a confusion matrix."""
import torch
from torchvision.models import mobilenet_v3_small

torch.manual_seed(0)
model = mobilenet_v3_small(weights=None, num_classes=100).to("cuda").eval()


@torch.no_grad()
def predict(batches, batch_size=128):
    probs, embeddings, labels = [], [], []
    for i in range(batches):
        x = torch.rand(batch_size, 3, 160, 160, device="cuda")
        f = model.features(x)
        pooled = model.avgpool(f).flatten(1)
        probs.append(model.classifier(pooled).softmax(-1).cpu())
        embeddings.append(f.cpu())
        labels.append(torch.randint(0, 100, (batch_size,)))
        if i % 10 == 0:
            print("evaluated", i)
    return torch.cat(probs), torch.cat(embeddings), torch.cat(labels)


p, e, y = predict(60)
pred = p.argmax(1)
confusion = torch.zeros(100, 100, dtype=torch.long)
confusion.index_put_((y, pred), torch.ones_like(y), accumulate=True)
print("accuracy", confusion.diag().sum().item() / len(y))
print("top5", (p.topk(5).indices == y[:, None]).any(1).float().mean().item(), e.shape)
