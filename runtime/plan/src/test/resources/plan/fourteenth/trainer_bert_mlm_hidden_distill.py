"""transformers Trainer with a custom compute_loss: distil a frozen BERT into a narrower one (MLM + KL + hidden states)."""
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset
from transformers import BertConfig, BertForMaskedLM, Trainer, TrainerCallback, TrainingArguments, set_seed

VOCAB = 10_000
SEQ = 160
BATCH = 24
N_TRAIN = 120
N_EVAL = 48
T_LAYERS = 10
T_HIDDEN = 640
MASK_ID = 4


class ZipfText(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        u = torch.rand(n, SEQ, generator=g)
        self.ids = (5 + (VOCAB - 6) * u.pow(4)).long()
        self.lens = torch.randint(SEQ // 3, SEQ + 1, (n,), generator=g)
        self.g = g

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return self.ids[i][: int(self.lens[i])]


class MaskCollator:
    def __init__(self, p=0.15):
        self.p = p
        self.g = torch.Generator().manual_seed(0)

    def __call__(self, seqs):
        ids = nn.utils.rnn.pad_sequence(seqs, batch_first=True)
        am = (ids != 0).long()
        m = (torch.rand(ids.shape, generator=self.g) < self.p) & am.bool()
        labels = torch.where(m, ids, torch.full_like(ids, -100))
        return {"input_ids": torch.where(m, torch.full_like(ids, MASK_ID), ids), "attention_mask": am, "labels": labels}


def bert(h, l, heads):
    return BertForMaskedLM(BertConfig(vocab_size=VOCAB, hidden_size=h, num_hidden_layers=l, num_attention_heads=heads,
                                      intermediate_size=4 * h, max_position_embeddings=SEQ))


class DistilTrainer(Trainer):
    def __init__(self, *a, teacher=None, temperature=2.0, **k):
        super().__init__(*a, **k)
        self.teacher = teacher.to(self.args.device).eval().requires_grad_(False)
        self.tau = temperature

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        out = model(**inputs, output_hidden_states=True)
        with torch.no_grad():
            t = self.teacher(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], output_hidden_states=True)
        sel = inputs["labels"] != -100
        s_l, t_l = out.logits[sel].float(), t.logits[sel].float()
        kl = F.kl_div(F.log_softmax(s_l / self.tau, -1), F.log_softmax(t_l / self.tau, -1), log_target=True, reduction="batchmean") * self.tau**2
        # relational loss on hidden states: token similarity matrices do not need equal widths
        hs, ht = F.normalize(out.hidden_states[-1].float(), dim=-1), F.normalize(t.hidden_states[-1].float(), dim=-1)
        rel = (hs @ hs.transpose(1, 2) - ht @ ht.transpose(1, 2)).pow(2).mean()
        loss = out.loss + 0.5 * kl + rel
        return (loss, out) if return_outputs else loss


class MemoryCallback(TrainerCallback):
    def on_step_end(self, args, state, control, **kw):
        print(f"step {state.global_step} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    set_seed(12)
    with tempfile.TemporaryDirectory() as d:
        args = TrainingArguments(output_dir=d, per_device_train_batch_size=BATCH, per_device_eval_batch_size=BATCH, num_train_epochs=1,
                                 learning_rate=3e-4, weight_decay=0.01, warmup_steps=1, lr_scheduler_type="cosine", bf16=True, max_grad_norm=1.0,
                                 logging_strategy="no", save_strategy="no", eval_strategy="epoch", report_to=[], remove_unused_columns=False,
                                 dataloader_num_workers=0, disable_tqdm=True, prediction_loss_only=True, seed=12)
        tr = DistilTrainer(model=bert(320, 5, 5), args=args, train_dataset=ZipfText(N_TRAIN, 1), eval_dataset=ZipfText(N_EVAL, 2),
                           data_collator=MaskCollator(), teacher=bert(T_HIDDEN, T_LAYERS, 10), callbacks=[MemoryCallback()])
        r = tr.train()
        print("train loss", round(r.training_loss, 4))
        tr.save_model(os.path.join(d, "student"))
        print("saved", sorted(os.listdir(os.path.join(d, "student"))))


if __name__ == "__main__":
    main()
