import torch
import torch.nn as nn
from transformers import CLIPVisionConfig, CLIPVisionModel, LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
vision = CLIPVisionModel(CLIPVisionConfig(hidden_size=256, intermediate_size=1024, num_hidden_layers=4, num_attention_heads=4, image_size=112, patch_size=14)).cuda().eval()
language = LlamaForCausalLM(LlamaConfig(vocab_size=10000, hidden_size=512, intermediate_size=1376, num_hidden_layers=4, num_attention_heads=8, num_key_value_heads=4)).cuda()
for p in vision.parameters():
    p.requires_grad_(False)
project = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 512)).cuda()
language.gradient_checkpointing_enable()
opt = torch.optim.AdamW([*project.parameters(), *language.parameters()], lr=2e-5)
for _ in range(3):
    image, text = torch.randn(4, 3, 112, 112, device="cuda"), torch.randint(0, 10000, (4, 100), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        with torch.no_grad():
            seen = vision(pixel_values=image).last_hidden_state[:, 1:]
        embedded = torch.cat([project(seen), language.get_input_embeddings()(text)], 1)
        labels = torch.cat([torch.full((4, seen.shape[1]), -100, device="cuda"), text], 1)
        loss = language(inputs_embeds=embedded, labels=labels, use_cache=False).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(language.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
