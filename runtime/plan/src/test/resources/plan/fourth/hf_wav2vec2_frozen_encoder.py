import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForSequenceClassification
torch.manual_seed(0)
model = Wav2Vec2ForSequenceClassification(Wav2Vec2Config(hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=768, conv_dim=(128, 128, 128, 128, 128, 128, 128), num_conv_pos_embeddings=32, num_conv_pos_embedding_groups=8, mask_time_prob=0.0, layerdrop=0.0, num_labels=12)).cuda()
model.freeze_feature_encoder()
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
model.train()
for step in range(3):
    speech, labels = torch.randn(6, 24000, device="cuda"), torch.randint(0, 12, (6,), device="cuda")
    loss = model(input_values=speech, labels=labels).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
