import torch
from transformers import ElectraConfig, ElectraForTokenClassification
torch.manual_seed(0)
model = ElectraForTokenClassification(ElectraConfig(hidden_size=256, num_hidden_layers=10, num_attention_heads=4, intermediate_size=1024, num_labels=9)).cuda().eval()
with torch.inference_mode():
    for step in range(4):
        ids = torch.randint(0, 30000, (32, 128 + 32 * step), device="cuda")
        mask = torch.ones_like(ids)
        pred = model(input_ids=ids, attention_mask=mask).logits.argmax(-1)
