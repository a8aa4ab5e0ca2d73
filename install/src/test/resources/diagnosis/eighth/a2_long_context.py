# limit: 8
# "GPT-2 small from config, 4 x 2048 tokens. A friend trains the same on the same GPU"
import torch
from transformers import GPT2Config, GPT2Model

torch.manual_seed(19)


class LongContextTrainer:
    def __init__(self, context=2048, batch=4):
        self.context, self.batch = context, batch
        config = GPT2Config(
            n_positions=context,
            use_cache=False,
            attn_implementation="eager",
        )
        with torch.device("cuda"):
            self.model = GPT2Model(config)
            self.head = torch.nn.Linear(config.n_embd, 8)
        self.model.train()
        params = list(self.model.parameters()) + list(self.head.parameters())
        self.opt = torch.optim.SGD(params, lr=1e-3)

    def batch_of_tokens(self):
        return torch.randint(0, 50000, (self.batch, self.context), device="cuda")

    def step(self):
        ids = self.batch_of_tokens()
        hidden = self.model(input_ids=ids).last_hidden_state
        loss = torch.nn.functional.cross_entropy(self.head(hidden[:, -1]), ids[:, 0] % 8)
        loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        return loss.item()


trainer = LongContextTrainer()
for i in range(3):
    print("step", i, trainer.step())
