# limit: 3.0
import argparse
import logging

import torch
from transformers import LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO)
log = logging.getLogger("writer")


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=2048)
    ap.add_argument("--layers", type=int, default=18)
    ap.add_argument("--tokens", type=int, default=20)
    return ap.parse_args([])


def build(args):
    cfg = LlamaConfig(
        vocab_size=32000, hidden_size=args.hidden, intermediate_size=5632,
        num_hidden_layers=args.layers, num_attention_heads=16, num_key_value_heads=16,
        max_position_embeddings=1024,
    )
    with torch.device("cuda"):
        model = LlamaForCausalLM(cfg)
    return model.eval()


@torch.inference_mode()
def write(model, prompt, n):
    ids = prompt
    for _ in range(n):
        nxt = model(input_ids=ids).logits[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, nxt], 1)
    return ids


def main():
    args = parse()
    torch.manual_seed(0)
    log.info("building, %d layers", args.layers)
    model = build(args)
    log.info("%.2f billion parameters", sum(p.numel() for p in model.parameters()) / 1e9)
    prompt = torch.randint(0, 32000, (1, 16), device="cuda")
    log.info("%s", write(model, prompt, args.tokens).tolist())


main()
