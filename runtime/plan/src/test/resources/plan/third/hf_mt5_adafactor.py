import torch
from transformers import Adafactor, MT5Config, MT5ForConditionalGeneration
torch.manual_seed(0)
model = MT5ForConditionalGeneration(MT5Config(vocab_size=24000, d_model=384, d_kv=64, d_ff=1024, num_layers=4, num_heads=6, decoder_start_token_id=0)).cuda().train()
opt = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
for step in range(3):
    src, tgt = torch.randint(3, 24000, (8, 150), device="cuda"), torch.randint(3, 24000, (8, 48), device="cuda")
    loss = model(input_ids=src, attention_mask=torch.ones_like(src), labels=tgt).loss
    loss.backward()
    opt.step()
    opt.zero_grad()
