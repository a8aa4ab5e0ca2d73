import torch
from transformers import Olmo2Config, Olmo2ForCausalLM, get_cosine_schedule_with_warmup
torch.manual_seed(0)
model = Olmo2ForCausalLM(Olmo2Config(vocab_size=18000, hidden_size=512, intermediate_size=1536, num_hidden_layers=5, num_attention_heads=8, num_key_value_heads=8)).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True, weight_decay=0.1)
schedule = get_cosine_schedule_with_warmup(opt, 2, 10)
for step in range(2):
    for micro in range(3):
        ids = torch.randint(0, 18000, (4, 256), device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(input_ids=ids, labels=ids).loss / 3
        loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    schedule.step()
    opt.zero_grad(set_to_none=True)
    print(step, norm.item())
