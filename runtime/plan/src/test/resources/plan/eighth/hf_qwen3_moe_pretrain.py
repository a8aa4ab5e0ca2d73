import torch
from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM

torch.manual_seed(0)
config = Qwen3MoeConfig(vocab_size=16000, hidden_size=384, intermediate_size=1024, moe_intermediate_size=256, num_hidden_layers=4, num_attention_heads=6,
                        num_key_value_heads=2, head_dim=64, num_experts=8, num_experts_per_tok=2, output_router_logits=True, max_position_embeddings=1024)
model = Qwen3MoeForCausalLM(config).to("cuda", torch.bfloat16)
opt = torch.optim.AdamW(model.parameters(), lr=2e-4, betas=(0.9, 0.95), fused=True)
for _ in range(3):
    ids = torch.randint(0, 16000, (4, 512), device="cuda")
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
