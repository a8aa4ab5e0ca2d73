# limit: 3
import torch
import torchvision

torch.manual_seed(0)
model = torchvision.models.resnet18(num_classes=200).cuda().eval()


class TopK:
    def __init__(self, ks=(1, 5)):
        self.ks, self.hits, self.n = ks, {k: 0 for k in ks}, 0

    def update(self, logits, labels):
        top = logits.topk(max(self.ks), dim=1).indices
        match = top == labels[:, None]
        for k in self.ks:
            self.hits[k] += match[:, :k].any(1).sum().item()
        self.n += len(labels)

    def result(self):
        return {f"top{k}": self.hits[k] / self.n for k in self.ks}


def loader(batches, size=32):
    for _ in range(batches):
        yield torch.rand(size, 3, 160, 160), torch.randint(0, 200, (size,))


metric = TopK()
confidences = []
with torch.no_grad():
    for images, labels in loader(30):
        images, labels = images.cuda(), labels.cuda()
        logits = model(images)
        metric.update(logits, labels)
        confidences.append(logits.softmax(1).max(1).values.cpu())

print(metric.result())
print("mean confidence", torch.cat(confidences).mean().item())
