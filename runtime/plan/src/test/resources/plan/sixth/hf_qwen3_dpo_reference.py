import copy, torch
import torch.nn.functional as F
from transformers import Qwen3Config, Qwen3ForCausalLM
torch.manual_seed(0)
policy = Qwen3ForCausalLM(Qwen3Config(vocab_size=12000, hidden_size=512, intermediate_size=1536, num_hidden_layers=4, num_attention_heads=8, num_key_value_heads=2, head_dim=64)).to(torch.bfloat16).cuda()
reference = copy.deepcopy(policy).eval().requires_grad_(False)
opt = torch.optim.SGD(policy.parameters(), lr=1e-3)


def chance(model, ids):
    logits = model(input_ids=ids, use_cache=False).logits[:, :-1].float()
    return torch.gather(logits.log_softmax(-1), 2, ids[:, 1:, None]).squeeze(2).sum(1)


for step in range(3):
    good, bad = torch.randint(0, 12000, (4, 192), device="cuda"), torch.randint(0, 12000, (4, 192), device="cuda")
    with torch.no_grad():
        was = chance(reference, good) - chance(reference, bad)
    loss = -F.logsigmoid(0.1 * (chance(policy, good) - chance(policy, bad) - was)).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
