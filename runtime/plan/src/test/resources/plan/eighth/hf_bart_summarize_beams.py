import torch
from transformers import BartConfig, BartForConditionalGeneration, get_linear_schedule_with_warmup

torch.manual_seed(0)
config = BartConfig(vocab_size=12000, d_model=384, encoder_layers=4, decoder_layers=4, encoder_attention_heads=6, decoder_attention_heads=6,
                    encoder_ffn_dim=1536, decoder_ffn_dim=1536, max_position_embeddings=512)
model = BartForConditionalGeneration(config).to("cuda")
opt = torch.optim.AdamW(model.parameters(), lr=3e-5, weight_decay=0.01)
schedule = get_linear_schedule_with_warmup(opt, 10, 100)
model.train()
for step in range(4):
    source = torch.randint(5, 12000, (6, 320), device="cuda")
    mask = torch.ones_like(source)
    mask[:, 280:] = 0
    labels = torch.randint(5, 12000, (6, 64), device="cuda")
    labels[:, 50:] = -100
    out = model(input_ids=source, attention_mask=mask, labels=labels)
    (out.loss / 2).backward()
    if step % 2 == 1:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        schedule.step()
        opt.zero_grad()
model.eval()
with torch.no_grad():
    source = torch.randint(5, 12000, (4, 200), device="cuda")
    model.generate(source, attention_mask=torch.ones_like(source), num_beams=4, max_new_tokens=24, min_new_tokens=24, length_penalty=2.0)
