import torch
from transformers import T5Config, T5ForConditionalGeneration
model = T5ForConditionalGeneration(T5Config(decoder_start_token_id=0)).cuda(); optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(2):
    ids = torch.randint(0, 32000, (8, 128), device="cuda"); loss = model(input_ids=ids, labels=ids[:, :64].contiguous()).loss; loss.backward(); optimizer.step(); optimizer.zero_grad()
