import copy
import torch
from torch import nn, optim
from torch.utils.data import Dataset, DataLoader, random_split
from torchvision import models
from torchvision.transforms import v2 as T

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("Using", device)

IMG = 300
BATCH = 32
CLASSES = ["cat", "dog", "hamster", "parrot"]


class PetDataset(Dataset):
    """Pretend pets (noise with a class dependent tint)"""

    def __init__(self, n, transform=None):
        self.n = n
        self.transform = transform

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        label = idx % len(CLASSES)
        img = torch.randint(0, 200, (3, IMG, IMG), dtype=torch.uint8)
        img[label % 3] += 40
        if self.transform:
            img = self.transform(img)
        return img, label


tf = T.Compose([
    T.RandomHorizontalFlip(),
    T.ToDtype(torch.float32, scale=True),
    T.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
])
full = PetDataset(128, tf)
train_set, val_set = random_split(full, [96, 32], generator=torch.Generator().manual_seed(0))
dataloaders = {
    "train": DataLoader(train_set, batch_size=BATCH, shuffle=True),
    "val": DataLoader(val_set, batch_size=BATCH, shuffle=False),
}
sizes = {"train": 96, "val": 32}

model = models.efficientnet_b3(weights=None)
in_f = model.classifier[1].in_features
model.classifier = nn.Sequential(nn.Dropout(0.3), nn.Linear(in_f, len(CLASSES)))
model = model.to(device)
criterion = nn.CrossEntropyLoss()


def train_model(model, optimizer, scheduler, num_epochs):
    best_wts = copy.deepcopy(model.state_dict())
    best_acc = 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss = 0.0
            running_corrects = 0
            for inputs, labels in dataloaders[phase]:
                inputs = inputs.to(device)
                labels = labels.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            if phase == "train":
                scheduler.step()
            epoch_loss = running_loss / sizes[phase]
            epoch_acc = running_corrects.double() / sizes[phase]
            print(f"epoch {epoch} {phase} Loss: {epoch_loss:.4f} Acc: {epoch_acc:.4f}")
            if phase == "val" and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_wts = copy.deepcopy(model.state_dict())
    model.load_state_dict(best_wts)
    return model


# stage 1: head only
for p in model.features.parameters():
    p.requires_grad = False
opt = optim.Adam(model.classifier.parameters(), lr=1e-3)
model = train_model(model, opt, optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.5), 1)

# stage 2: unfreeze the last blocks
for p in model.features[5:].parameters():
    p.requires_grad = True
opt = optim.RMSprop(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-4, momentum=0.9, alpha=0.9)
model = train_model(model, opt, optim.lr_scheduler.ExponentialLR(opt, 0.95), 1)
