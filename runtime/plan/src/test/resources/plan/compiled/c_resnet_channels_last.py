"""ResNet-18 of torchvision in half precision with a scaler, channels side by side."""
import torch
import torchvision

torch.manual_seed(0)
model = torchvision.models.resnet18(num_classes=100).to("cuda", memory_format=torch.channels_last)
compiled = torch.compile(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
scaler = torch.amp.GradScaler("cuda")
criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
for step in range(4):
    images = torch.randn(64, 3, 160, 160, device="cuda").contiguous(memory_format=torch.channels_last)
    labels = torch.randint(0, 100, (64,), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = criterion(compiled(images), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
print(loss.item())
