import torch
from transformers import ViTMAEConfig, ViTMAEForPreTraining
torch.manual_seed(0)
model = ViTMAEForPreTraining(ViTMAEConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536, decoder_hidden_size=256, decoder_num_hidden_layers=2, decoder_num_attention_heads=8, decoder_intermediate_size=1024)).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.05, fused=True)
for step in range(3):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(pixel_values=torch.randn(24, 3, 224, 224, device="cuda")).loss
    loss.backward()
    opt.step()
    opt.zero_grad()
