import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration
torch.manual_seed(0)
cfg = WhisperConfig(d_model=256, encoder_layers=3, decoder_layers=3, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=1024, decoder_ffn_dim=1024, vocab_size=8000, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None)
model = WhisperForConditionalGeneration(cfg).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(2):
    feats = torch.randn(4, 80, 3000, device="cuda"); labels = torch.randint(3, 8000, (4, 48), device="cuda")
    loss = model(input_features=feats, labels=labels).loss
    opt.zero_grad(); loss.backward(); opt.step()
