import torch
from transformers import RobertaConfig, RobertaForMaskedLM
torch.manual_seed(0)
model = RobertaForMaskedLM(RobertaConfig(vocab_size=25000, hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536, max_position_embeddings=300)).cuda().train()
model.gradient_checkpointing_enable()
opt = torch.optim.Adafactor(model.parameters(), lr=1e-2)
for step in range(3):
    ids = torch.randint(4, 25000, (16, 256), device="cuda")
    labels = ids.masked_fill(torch.rand(ids.shape, device="cuda") > 0.15, -100)
    loss = model(input_ids=ids, labels=labels).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(float(loss))
