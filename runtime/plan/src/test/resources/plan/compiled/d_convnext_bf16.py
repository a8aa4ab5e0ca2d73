"""ConvNeXt tiny of torchvision in bfloat16 autocast, with a schedule and an average of its weights."""
import torch
import torchvision

torch.manual_seed(0)
model = torchvision.models.convnext_tiny(num_classes=200).cuda()
average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.999))
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
for step in range(4):
    images, labels = torch.randn(24, 3, 176, 176, device="cuda"), torch.randint(0, 200, (24,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(compiled(images), labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    average.update_parameters(model)
print(loss.item())
