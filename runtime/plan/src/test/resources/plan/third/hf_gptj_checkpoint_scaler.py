import torch
from transformers import GPTJConfig, GPTJForCausalLM
torch.manual_seed(0)
model = GPTJForCausalLM(GPTJConfig(vocab_size=14000, n_positions=512, n_embd=640, n_layer=6, n_head=10, rotary_dim=32)).cuda()
model.gradient_checkpointing_enable()
model.train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95), weight_decay=0.1)
scaler = torch.amp.GradScaler()
for step in range(3):
    ids = torch.randint(0, 14000, (5, 300), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(input_ids=ids, labels=ids, use_cache=False).loss
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
