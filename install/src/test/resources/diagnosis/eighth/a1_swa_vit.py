# limit: 4.2
"""Fine-tune a ViT-L/16 and average the weights of the last epochs."""
import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, SWALR
from torchvision.models import vit_l_16


def batches(n):
    for _ in range(n):
        yield torch.rand(2, 3, 224, 224), torch.randint(0, 100, (2,))


def train_epoch(model, loader, optimizer, criterion, device):
    model.train()
    running = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running


def main(epochs=4, swa_start=2):
    torch.manual_seed(0)
    device = torch.device("cuda")
    with device:
        model = vit_l_16(weights=None, num_classes=100)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    swa_model, swa_scheduler = None, None

    for epoch in range(epochs):
        loss = train_epoch(model, batches(5), optimizer, criterion, device)
        print(f"epoch {epoch} loss {loss:.3f}")
        if epoch + 1 >= swa_start:
            if swa_model is None:
                swa_model = AveragedModel(model)
                swa_scheduler = SWALR(optimizer, swa_lr=5e-4)
            swa_model.update_parameters(model)
            swa_scheduler.step()

    swa_model.eval()
    with torch.no_grad():
        for x, y in batches(2):
            print(criterion(swa_model(x.to(device)), y.to(device)).item())


if __name__ == "__main__":
    main()
