"""Knowledge distillation: a 12-layer RoBERTa teacher, a 4-layer student, HF Trainer with compute_loss overridden."""
import random
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import RobertaConfig, RobertaForSequenceClassification, Trainer, TrainingArguments, set_seed

DIM, FFN, T_LAYERS, S_LAYERS, HEADS = 768, 3072, 12, 4, 12
VOCAB = 50265
BATCH, ACCUM, STEPS = 32, 2, 4
MAXLEN = 192
LABELS = 5
ALPHA, TEMP = 0.7, 3.0


def make_rows(n, seed):
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        label = rng.randrange(LABELS)
        length = rng.choice([48, 64, 96, 128, MAXLEN])
        ids = [0] + [rng.randrange(100, VOCAB - 10) for _ in range(length - 2)] + [2]
        for k in range(1, length - 1, 9):
            ids[k] = 40 + label
        rows.append({"input_ids": ids, "label": label})
    return rows


class Collator:
    def __call__(self, rows):
        w = max(len(r["input_ids"]) for r in rows)
        ids = torch.ones(len(rows), w, dtype=torch.long)  # 1 pads in RoBERTa
        for i, r in enumerate(rows):
            ids[i, : len(r["input_ids"])] = torch.tensor(r["input_ids"])
        return {"input_ids": ids, "attention_mask": (ids != 1).long(), "labels": torch.tensor([r["label"] for r in rows])}


def config(layers):
    return RobertaConfig(
        vocab_size=VOCAB, hidden_size=DIM, num_hidden_layers=layers, num_attention_heads=HEADS, intermediate_size=FFN,
        max_position_embeddings=514, type_vocab_size=1, num_labels=LABELS, pad_token_id=1, bos_token_id=0, eos_token_id=2,
    )


def student_from(teacher):
    student = RobertaForSequenceClassification(config(S_LAYERS))
    student.roberta.embeddings.load_state_dict(teacher.roberta.embeddings.state_dict())
    stride = T_LAYERS // S_LAYERS
    for i, layer in enumerate(student.roberta.encoder.layer):
        layer.load_state_dict(teacher.roberta.encoder.layer[i * stride].state_dict())
    return student


class DistillTrainer(Trainer):
    def __init__(self, *a, teacher, **k):
        super().__init__(*a, **k)
        self.teacher = teacher.to(self.args.device).eval().requires_grad_(False)
        self.parts = []

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        out = model(**inputs, output_hidden_states=True)
        with torch.no_grad():
            ref = self.teacher(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"],
                               output_hidden_states=True)
        kd = F.kl_div(F.log_softmax(out.logits / TEMP, -1), F.softmax(ref.logits / TEMP, -1),
                      reduction="batchmean") * TEMP**2
        m = inputs["attention_mask"].unsqueeze(-1).float()
        cos = 1 - F.cosine_similarity(out.hidden_states[-1].float(), ref.hidden_states[-1].float(), dim=-1)
        cos = (cos.unsqueeze(-1) * m).sum() / m.sum()
        loss = ALPHA * kd + (1 - ALPHA) * out.loss + cos
        self.parts.append((kd.item(), cos.item()))
        return (loss, out) if return_outputs else loss


def main():
    set_seed(66)
    teacher = RobertaForSequenceClassification(config(T_LAYERS))
    student = student_from(teacher)
    print(f"teacher {teacher.num_parameters() / 1e6:.0f}M, student {student.num_parameters() / 1e6:.0f}M")
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=BATCH, gradient_accumulation_steps=ACCUM, max_steps=STEPS,
            learning_rate=5e-5, bf16=True, optim="adamw_torch_fused", logging_steps=1, report_to="none", save_steps=STEPS,
            save_strategy="steps", save_only_model=True, disable_tqdm=True, remove_unused_columns=False, seed=66,
        )
        trainer = DistillTrainer(model=student, args=args, train_dataset=make_rows(BATCH * ACCUM * STEPS, 1),
                                 data_collator=Collator(), teacher=teacher)
        trainer.train()
        kd, cos = torch.tensor(trainer.parts).mean(0).tolist()
        print(f"mean kd {kd:.4f}, mean cos {cos:.4f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
