import torch
from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPVisionConfig
torch.manual_seed(0)
text = CLIPTextConfig(hidden_size=384, intermediate_size=1536, num_hidden_layers=4, num_attention_heads=6, vocab_size=12000)
vision = CLIPVisionConfig(hidden_size=512, intermediate_size=2048, num_hidden_layers=5, num_attention_heads=8, image_size=192, patch_size=16)
model = CLIPModel(CLIPConfig(text_config=text.to_dict(), vision_config=vision.to_dict(), projection_dim=256)).cuda().train()
opt = torch.optim.Adafactor(model.parameters(), lr=1e-3)
for step in range(3):
    ids = torch.randint(3, 11000, (24, 40), device="cuda")
    ids[:, -1] = 11999
    loss = model(input_ids=ids, pixel_values=torch.randn(24, 3, 192, 192, device="cuda"), return_loss=True).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
