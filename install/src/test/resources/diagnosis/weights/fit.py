"""Fits weights.tsv, by which io.vramlab.install.diagnosis.Weights says how probable each cause is.

    python fit.py --judge          # leaves each set out in turn, and says how often what the others teach is right of it
    python fit.py weights.tsv      # fits all of them (install/src/main/resources/io/vramlab/install/diagnosis/weights.tsv)

histories.jsonl.gz has a line for each history of a known cause: its traits, and what the detectors found in it by the rules of the
day before anybody had looked at its set (the revision is in the field "rules"). That is what makes leaving a set out honest: what
detectors find in a set that taught them is right more often than it will ever be again. A new set is added in the same way, judged
first. Needs numpy and scikit-learn.
"""
import collections
import gzip
import json
import pathlib
import sys

import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

HERE = pathlib.Path(__file__).parent
# sets of several hands' programs recorded with PyTorch on an H200 and judged before they were looked at
JUDGED = ["recorded", "third", "fourth", "fifth", "sixth", "eighth", "ninth", "tenth", "eleventh", "twelfth",
          "thirteenth-vision", "thirteenth-language", "thirteenth-research", "fourteenth"]
# what a report has no name of its own for
NAMES = {"model": "limit", "other-processes": "limit", "workspaces": "workspace"}
REGULARISATION = 0.02
UNFOUND, LIKELY, SURE = 0.35, 0.5, 0.88  # as in Weighed
LEAST_UNFOUND, RATHER = 0.2, 2
DOUBTED, HEALTHY, WENT_ON = ("tensors-kept", "activations"), 0.5, 0.6


def histories():
    with gzip.open(HERE / "histories.jsonl.gz", "rt") as lines:
        for line in lines:
            history = json.loads(line)
            history["causes"] = list(dict.fromkeys(NAMES.get(cause, cause) for cause in history["causes"]))
            yield history


def values(history):
    """As Weights.values."""
    traits, found = history["traits"], history["found"]
    top, certainty = (found[0][0], found[0][1]) if found else ("healthy", "")
    row = collections.Counter()
    for kind, _, weight in found:
        row["found:" + kind] = max(row["found:" + kind], weight)
    row["top:" + top] = 1
    row["top-stacks:" + top] = traits["stacks"]
    row["top-sure"] = certainty == "SURE"
    row["top-likely"] = certainty == "LIKELY"
    for name, value in traits.items():
        row[name] = value
        row[name + "*stacks"] = value * traits["stacks"]
    return row


class Fit:
    def __init__(self, histories):
        rows = [values(history) for history in histories]
        self.names = sorted({name for row in rows for name in row})
        self.scale = StandardScaler().fit(self.matrix(rows))
        self.model = LogisticRegression(C=REGULARISATION, max_iter=1000).fit(
            self.scale.transform(self.matrix(rows)), [history["causes"][0] for history in histories])

    def matrix(self, rows):
        return numpy.array([[float(row.get(name, 0)) for name in self.names] for row in rows])

    def of(self, history):
        chances = self.model.predict_proba(self.scale.transform(self.matrix([values(history)])))[0]
        return dict(zip(self.model.classes_, chances))

    def write(self, file):
        weights = self.model.coef_ / self.scale.scale_
        bases = self.model.intercept_ - weights @ self.scale.mean_
        with open(file, "w") as out:
            print("", *self.model.classes_, sep="\t", file=out)
            print("", *(f"{base:.4g}" for base in bases), sep="\t", file=out)
            for number, name in enumerate(self.names):
                print(name, *(f"{weight:.3g}" for weight in weights[:, number]), sep="\t", file=out)


def verdict(history, chances):
    """As Weighed: the cause, its probability, and whether it is called certain."""
    certainties = {kind: certainty for kind, certainty, _ in reversed(history["found"])}
    failed = history["traits"]["failed"]
    if not failed:
        best = next((kind for kind, *_ in history["found"] if kind not in DOUBTED
                     or chances["healthy"] < max(HEALTHY, RATHER * chances.get(kind, 0))), "healthy")
        return NAMES.get(best, best), chances.get(best, 0), False
    if chances["healthy"] >= WENT_ON and history["traits"]["position"] < 0.5:
        return "healthy", chances["healthy"], False
    unfound = max(LEAST_UNFOUND, RATHER * max((chances.get(kind, 0) for kind in certainties), default=0))
    cannot = {"healthy"}
    if history["traits"]["in-forward"] and chances["one-operation"] < LIKELY:
        cannot.add("one-operation")
    best = max((kind for kind in chances if kind in certainties
                or chances[kind] >= min(UNFOUND, unfound) and kind not in cannot), key=chances.get)
    return NAMES.get(best, best), chances.get(best, 0), certainties.get(best) == "SURE" and chances.get(best, 0) >= SURE


def judge(all):
    rows, bands = [], collections.defaultdict(list)
    confused = [collections.Counter(), collections.Counter()]
    for name in JUDGED:
        fit = Fit([history for history in all if history["set"] != name])
        for history in [history for history in all if history["set"] == name]:
            said, chance, sure = verdict(history, fit.of(history))
            top, certainty, _ = history["found"][0] if history["found"] else ("healthy", "", 0)
            before = NAMES.get(top, top), certainty == "SURE"
            right = said in history["causes"], before[0] in history["causes"]
            rows.append((history, right, (sure, before[1])))
            bands[min(9, int(10 * chance))].append(right[0])
            for which, kind in enumerate((said, before[0])):
                if not right[which]:
                    confused[which][history["causes"][0], kind] += 1
            if not right[0]:
                print("   ", history["name"], *history["causes"], "->", said, f"{chance:.2f}", "CERTAIN" if sure else "")
    groups = [(name, lambda h, n=name: h["set"] == n) for name in JUDGED]
    groups += [("with stacks", lambda h: h["traits"]["stacks"]), ("without", lambda h: not h["traits"]["stacks"]),
               ("healthy", lambda h: "healthy" in h["causes"]), ("all", lambda h: True)]
    print("| | histories | rules alone: right | certain and wrong | weighed: right | certain and wrong |")
    for name, which in groups:
        part = [row for row in rows if which(row[0])]
        cells = [name, len(part)]
        for w in (1, 0):
            cells += [sum(r[1][w] for r in part),
                      f"{sum(r[2][w] and not r[1][w] for r in part)} of {sum(r[2][w] for r in part)}"]
        print("|", *cells, "|", sep=" | ")
    print("probability, histories, right:", [(band / 10, len(ok), sum(ok)) for band, ok in sorted(bands.items())])
    for which, text in enumerate(("weighed", "rules alone")):
        print("most confused,", text, confused[which].most_common(12))


if __name__ == "__main__":
    known = list(histories())
    if sys.argv[1:] == ["--judge"]:
        judge(known)
    else:
        Fit(known).write(sys.argv[1])
