# limit: 2.5
"""Start a run from a settings file: build the decoder straight on the device and train for a few steps."""
import json

import torch
from transformers import LlamaConfig, LlamaForCausalLM

SETTINGS = json.loads("""
{
  "model": {"vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
            "num_attention_heads": 16, "num_key_value_heads": 16, "max_position_embeddings": 2048},
  "train": {"lr": 0.0002, "steps": 20, "batch_size": 1, "length": 128},
  "seed": 1234
}
""")


class Run:
    def __init__(self, settings):
        self.settings = settings
        torch.manual_seed(settings["seed"])
        self.config = LlamaConfig(**settings["model"])

    def estimate(self):
        c = self.config
        layer = 4 * c.hidden_size**2 + 3 * c.hidden_size * c.intermediate_size
        return c.num_hidden_layers * layer + 2 * c.vocab_size * c.hidden_size

    def build(self):
        print(f"about {self.estimate() / 1e6:.0f}M parameters", flush=True)
        with torch.device("cuda"):
            self.model = LlamaForCausalLM(self.config)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=self.settings["train"]["lr"])
        return self

    def train(self):
        t = self.settings["train"]
        for step in range(t["steps"]):
            ids = torch.randint(0, self.config.vocab_size, (t["batch_size"], t["length"]), device="cuda")
            loss = self.model(input_ids=ids, labels=ids, use_cache=False).loss
            loss.backward()
            self.opt.step()
            self.opt.zero_grad(set_to_none=True)
            print(step, loss.item())


if __name__ == "__main__":
    Run(SETTINGS).build().train()
