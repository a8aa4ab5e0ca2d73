import torch
from transformers import MixtralConfig, MixtralForCausalLM
torch.manual_seed(0)
model = MixtralForCausalLM(MixtralConfig(vocab_size=9000, hidden_size=320, intermediate_size=640, num_hidden_layers=3, num_attention_heads=5, num_key_value_heads=5, num_local_experts=4, num_experts_per_tok=2)).to("cuda", torch.bfloat16).train()
opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, nesterov=True)
for step in range(3):
    ids = torch.randint(0, 9000, (3, 160), device="cuda")
    loss = model(input_ids=ids, labels=ids, use_cache=False).loss
    loss.backward()
    opt.step()
    opt.zero_grad()
