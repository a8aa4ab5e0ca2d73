# limit: 2
# "My queue survives bad jobs. After some hours of bad jobs there is no GPU memory left"
from dataclasses import dataclass, field

import torch
import torch.nn as nn

torch.manual_seed(25)


class BadLabels(ValueError):
    pass


@dataclass
class Report:
    done: list = field(default_factory=list)
    failed: list = field(default_factory=list)


class Worker:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 4096)).to("cuda").eval()

    @torch.no_grad()
    def process(self, job):
        x = torch.randn(4096, 4096, device="cuda")
        feats = self.model(x)
        if job["classes"] > 100:
            raise BadLabels(f"job {job['id']}: {job['classes']} classes, expected at most 100")
        return feats[:, : job["classes"]].mean().item()


def run_all(worker, jobs):
    report = Report()
    for job in jobs:
        try:
            report.done.append((job["id"], worker.process(job)))
        except BadLabels as exc:
            report.failed.append((job["id"], exc))
    return report


jobs = [{"id": i, "classes": 10 if i % 3 == 0 else 1000} for i in range(60)]
report = run_all(Worker(), jobs)
print(len(report.done), "done")
for number, reason in report.failed:
    print(number, reason)
