import torch
from transformers import RobertaConfig, RobertaForMaskedLM
torch.manual_seed(0)
model = RobertaForMaskedLM(RobertaConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536, vocab_size=15000, max_position_embeddings=300)).cuda().train()
model.gradient_checkpointing_enable()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=True)
for step in range(2):
    ids = torch.randint(3, 15000, (16, 200), device="cuda"); labels = ids.clone()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=ids, labels=labels).loss
    opt.zero_grad(); loss.backward(); opt.step()
