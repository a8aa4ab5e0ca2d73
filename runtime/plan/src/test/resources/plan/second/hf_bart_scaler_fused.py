import torch
from transformers import BartConfig, BartForConditionalGeneration
torch.manual_seed(0)
model = BartForConditionalGeneration(BartConfig(d_model=512, encoder_layers=4, decoder_layers=4, encoder_attention_heads=8, decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048, vocab_size=20000)).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=3e-5, fused=True)
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    src = torch.randint(4, 20000, (6, 200), device="cuda")
    tgt = torch.randint(4, 20000, (6, 72), device="cuda")
    mask = torch.ones_like(src)
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(input_ids=src, attention_mask=mask, labels=tgt).loss
    opt.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
