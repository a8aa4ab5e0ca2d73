import torch
from transformers import MarianConfig, MarianMTModel
torch.manual_seed(0)
model = MarianMTModel(MarianConfig(vocab_size=14000, d_model=256, encoder_layers=3, decoder_layers=3, encoder_attention_heads=8, decoder_attention_heads=8, encoder_ffn_dim=1024, decoder_ffn_dim=1024, max_position_embeddings=128, pad_token_id=0, decoder_start_token_id=0, eos_token_id=1, forced_eos_token_id=1)).cuda().train()
opt = torch.optim.Adam(model.parameters(), lr=5e-4, betas=(0.9, 0.98), eps=1e-9)
criterion = torch.nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    src, tgt = torch.randint(2, 14000, (16, 70), device="cuda"), torch.randint(2, 14000, (16, 61), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        logits = model(input_ids=src, attention_mask=torch.ones_like(src), decoder_input_ids=tgt[:, :-1]).logits
        loss = criterion(logits.reshape(-1, logits.shape[-1]), tgt[:, 1:].reshape(-1))
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
