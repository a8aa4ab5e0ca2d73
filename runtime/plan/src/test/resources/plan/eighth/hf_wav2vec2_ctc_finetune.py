import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

torch.manual_seed(0)
config = Wav2Vec2Config(vocab_size=40, hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024, conv_dim=(256,) * 7,
                        mask_time_prob=0.0, layerdrop=0.0, ctc_zero_infinity=True, ctc_loss_reduction="mean", feat_extract_norm="layer", do_stable_layer_norm=True)
model = Wav2Vec2ForCTC(config).cuda()
model.freeze_feature_encoder()
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
model.train()
for _ in range(3):
    audio = torch.randn(4, 32000, device="cuda")
    labels = torch.randint(1, 40, (4, 30), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(input_values=audio, labels=labels).loss
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
