"""Iterative global magnitude pruning of VGG-16-BN with rewinding; masks through torch.nn.utils.prune."""
import torch
import torch.nn.functional as F
import torch.nn.utils.prune as prune
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import vgg16_bn

torch.manual_seed(1905)

device = torch.device("cuda")
image_size = 112
batch_size = 32
rounds = 3
steps_per_round = 3
amount_per_round = 0.3


def get_model():
    m = vgg16_bn(weights=None, num_classes=20)
    m.avgpool = nn.AdaptiveAvgPool2d(1)
    m.classifier = nn.Sequential(nn.Linear(512, 512), nn.ReLU(True), nn.Dropout(0.4), nn.Linear(512, 20))
    return m.to(device)


def dataset(n):
    y = torch.randint(0, 20, (n,))
    low = F.interpolate(torch.randn(20, 3, 7, 7), size=image_size, mode="bicubic")
    return TensorDataset(low[y] + 0.7 * torch.randn(n, 3, image_size, image_size), y)


def prunable(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    zero = total = 0
    for m, _ in prunable(model):
        zero += (m.weight == 0).sum().item()
        total += m.weight.numel()
    return zero / total


def train_round(model, loader, lr):
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=5e-4, foreach=True)
    model.train()
    last = None
    for step, (x, y) in enumerate(loader):
        if step == steps_per_round:
            break
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()
        last = loss.item()
    return last


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = n = 0
    for x, y in loader:
        hits += (model(x.to(device)).argmax(1).cpu() == y).sum().item()
        n += len(y)
    return hits / n


model = get_model()
rewind = {k: v.detach().clone() for k, v in model.state_dict().items()}
train_loader = DataLoader(dataset(batch_size * steps_per_round), batch_size=batch_size, shuffle=True)
val_loader = DataLoader(dataset(96), batch_size=48)

for r in range(rounds):
    loss = train_round(model, train_loader, lr=0.02)
    prune.global_unstructured(prunable(model), pruning_method=prune.L1Unstructured, amount=amount_per_round)
    with torch.no_grad():  # lottery-ticket rewind of what survives
        for name, p in model.named_parameters():
            p.copy_(rewind[name.replace("_orig", "")])
    acc = accuracy(model, val_loader)
    print(f"round {r}: loss {loss:.4f} sparsity {sparsity(model):.3f} acc {acc:.3f} "
          f"now {torch.cuda.memory_allocated() / 1e6:.0f}MB peak {torch.cuda.max_memory_allocated() / 1e6:.0f}MB")

final = train_round(model, train_loader, lr=0.01)
for m, name in prunable(model):
    prune.remove(m, name)
torch.cuda.empty_cache()
print(f"final loss {final:.4f}, permanent sparsity {sparsity(model):.3f}, acc {accuracy(model, val_loader):.3f}")

# structured pruning of whole filters in the last three convolutions, for comparison
convs = [m for m in model.modules() if isinstance(m, nn.Conv2d)][-3:]
for c in convs:
    prune.ln_structured(c, "weight", amount=0.25, n=2, dim=0)
    dead = (c.weight.flatten(1).abs().sum(1) == 0).sum().item()
    print("conv", tuple(c.weight.shape), "dead filters", dead)
