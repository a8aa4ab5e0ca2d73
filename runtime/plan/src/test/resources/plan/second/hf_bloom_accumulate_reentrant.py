import torch
from transformers import BloomConfig, BloomForCausalLM
torch.manual_seed(0)
model = BloomForCausalLM(BloomConfig(vocab_size=15000, hidden_size=512, n_layer=6, n_head=8)).to("cuda")
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
model.enable_input_require_grads()
model.train()
opt = torch.optim.Adam(model.parameters(), lr=1e-4, foreach=True)
for step in range(2):
    for micro in range(3):
        ids = torch.randint(5, 15000, (8, 192), device="cuda")
        loss = model(input_ids=ids, labels=ids).loss / 3
        loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
