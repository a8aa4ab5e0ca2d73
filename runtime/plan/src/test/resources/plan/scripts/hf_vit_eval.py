import torch
from transformers import ViTConfig, ViTForImageClassification
model = ViTForImageClassification(ViTConfig(num_labels=1000)).cuda().half().eval()
with torch.no_grad(): print(model(pixel_values=torch.randn(32, 3, 224, 224, device="cuda", dtype=torch.float16)).logits.argmax(-1).shape)
