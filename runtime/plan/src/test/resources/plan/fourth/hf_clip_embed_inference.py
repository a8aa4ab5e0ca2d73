import torch
from transformers import CLIPConfig, CLIPModel
torch.manual_seed(0)
config = CLIPConfig(text_config=dict(hidden_size=256, intermediate_size=1024, num_hidden_layers=4, num_attention_heads=4, vocab_size=8000), vision_config=dict(hidden_size=384, intermediate_size=1536, num_hidden_layers=6, num_attention_heads=6, image_size=224, patch_size=32), projection_dim=256)
model = CLIPModel(config).to("cuda", torch.float16).eval()
gallery = []
with torch.inference_mode():
    for step in range(4):
        images = torch.randn(24, 3, 224, 224).to("cuda", torch.float16)
        features = model.get_image_features(pixel_values=images)
        features = features if isinstance(features, torch.Tensor) else features.pooler_output
        gallery.append(torch.nn.functional.normalize(features, dim=-1))
    gallery = torch.cat(gallery)
    ids = torch.randint(1, 8000, (5, 20), device="cuda")
    text = model.get_text_features(input_ids=ids, attention_mask=torch.ones_like(ids))
    text = text if isinstance(text, torch.Tensor) else text.pooler_output
    best = (torch.nn.functional.normalize(text, dim=-1) @ gallery.T).topk(5, dim=-1)
    print(best.indices.cpu().shape)
