import argparse, time
import torch
import torch.nn as nn
import torchvision
from torchvision import transforms


def train_one_epoch(model, criterion, optimizer, loader, device, epoch):
    model.train()
    running, correct, seen, begin = 0.0, 0, 0, time.time()
    for i, (images, target) in enumerate(loader):
        images, target = images.to(device, non_blocking=True), target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item() * images.size(0)
        correct += (output.argmax(1) == target).sum().item()
        seen += images.size(0)
        print(f"epoch {epoch} [{i}/{len(loader)}] loss {loss.item():.4f} acc {100 * correct / seen:.2f}% mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    return running / seen


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hits = 0
    for images, target in loader:
        hits += (model(images.to(device)).argmax(dim=1).cpu() == target).sum().item()
    return hits / len(loader.dataset)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", default=1, type=int)
    p.add_argument("-b", "--batch-size", default=16, type=int)
    p.add_argument("--workers", default=4, type=int)
    args = p.parse_args()
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = True
    t = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.25] * 3)])
    train = torchvision.datasets.FakeData(64, (3, 224, 224), 5, t)
    valid = torchvision.datasets.FakeData(40, (3, 224, 224), 5, t, random_offset=9)
    loader = torch.utils.data.DataLoader(train, args.batch_size, shuffle=True, num_workers=args.workers, pin_memory=True, persistent_workers=True)
    check = torch.utils.data.DataLoader(valid, 2 * args.batch_size, num_workers=args.workers, pin_memory=True)
    model = torchvision.models.resnet50(weights=None)
    for parameter in model.parameters():
        parameter.requires_grad = False
    model.fc = nn.Sequential(nn.Dropout(0.3), nn.Linear(model.fc.in_features, 5))
    model.to(device)
    optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.01, momentum=0.9)
    best = 0
    for epoch in range(args.epochs):
        train_one_epoch(model, nn.CrossEntropyLoss(), optimizer, loader, device, epoch)
        accuracy = evaluate(model, check, device)
        if accuracy >= best:
            best = accuracy
            torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, "/tmp/u_finetune_best.pt")
    checkpoint = torch.load("/tmp/u_finetune_best.pt", map_location=device)
    model.load_state_dict(checkpoint["model"])
    print("best", best, "again", evaluate(model, check, device))


if __name__ == "__main__":
    main()
