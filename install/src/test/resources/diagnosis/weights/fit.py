"""Fits weights.tsv, weights-without-stacks.tsv and weights-of-source.tsv, by which io.vramlab.install.diagnosis.Weights says how
probable each cause is.

    python fit.py --judge          # leaves each set out in turn, and says how often what the others teach is right of it
    python fit.py FOLDER           # fits all three to all of them (install/src/main/resources/io/vramlab/install/diagnosis)

histories.jsonl.gz has a line for each history of a known cause: its traits, and what the detectors found in it by the rules of the
day before anybody had looked at its set (the revision is in the field "rules"). That is what makes leaving a set out honest: what
detectors find in a set that taught them is right more often than it will ever be again. A new set is added in the same way, judged
first. Histories without stacks have weights of their own, fitted to more traits ("alone": order, periods and times) and to the
recordings with stacks once more without these (their names end in .stripped; what was found in them is by later rules). Traits that
were thought of when some histories were no longer there, or too large to be kept, are in "later". Of such a history these and "alone"
are not known and count as the mean.

sources.jsonl.gz has what SourceEvidence and SourceOdds say of those whose programs were there. What evidence teaches beside the odds
is fitted to failures, each weighed by what the other sets teach of its history. Needs numpy, scipy and scikit-learn.
"""
import collections
import gzip
import json
import pathlib
import sys

import numpy
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

HERE = pathlib.Path(__file__).parent
# sets of several hands' programs recorded with PyTorch on an H200 and judged before they were looked at
JUDGED = ["recorded", "third", "fourth", "fifth", "sixth", "eighth", "ninth", "tenth", "eleventh", "twelfth",
          "thirteenth-vision", "thirteenth-language", "thirteenth-research", "fourteenth", "fifteenth",
          "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second",
          "twenty-third"]
# what a report has no name of its own for
NAMES = {"model": "limit", "other-processes": "limit", "workspaces": "workspace"}
REGULARISATION, WITHOUT_STACKS = 0.02, 0.04
# of what a source's evidence teaches beside the odds that are written down; what fewer programs say teaches nothing
OF_SOURCE, OF_BASES, LEAST_CHANCE, FEWEST = 10, 5, 1e-4, 8
# a history of several right causes is taught all of them, the one its author named first the more
ROUNDS, FIRST, LEAST_PART = 2, 1.5, 0.02
DERIVED = ".stripped"
FOUND, LEAST_UNFOUND, LIKELY, SURE = 1.5, 0.3, 0.5, 0.95  # as in Weighed
COSTS = "cache-emptied", "warm-up", "workspace", "streams", "graphs"
HEALTHY, RATHER, SURELY, WENT_ON = 0.5, 2, 0.95, 0.5
STAYS = ("two-sets", "checkpoint-beside-model", "optimizer-first-step", "warm-up")

# as in HeldSegments
PIECES, FEWEST_HOLDERS, ALIKE, LONG = ("fragmentation-pinned", "fragmentation-sizes"), 4, 0.4, 0.1


def histories():
    with gzip.open(HERE / "histories.jsonl.gz", "rt") as lines:
        for line in lines:
            history = json.loads(line)
            history["causes"] = list(dict.fromkeys(NAMES.get(cause, cause) for cause in history["causes"]))
            yield history


def values(history, stacks):
    """As Weights.values, for the weights of histories with stacks or for the others."""
    traits, found = history["traits"], history["found"]
    top, certainty = (found[0][0], found[0][1]) if found else ("healthy", "")
    row = collections.Counter()
    for kind, _, weight in found:
        row["found:" + kind] = max(row["found:" + kind], weight)
    row["top:" + top] = 1
    row["top-sure"] = certainty == "SURE"
    row["top-likely"] = certainty == "LIKELY"
    row.update(traits)
    row.update(history.get("later", {}))
    if stacks:
        row["top-stacks:" + top] = traits["stacks"]
        row.update({name + "*stacks": value * traits["stacks"] for name, value in traits.items()})
    else:
        row.update(history.get("alone", {}))
    return row


def means(histories, which):
    known = [history[which] for history in histories if which in history]
    return {name: numpy.mean([each[name] for each in known]) for name in known[0]}


class Fit:
    """To histories as they were recorded, or to these and to those whose stacks were taken away."""

    def __init__(self, histories, stacks):
        self.stacks = stacks
        taught = [history for history in histories if not stacks or not history["name"].endswith(DERIVED)]
        rows = [values(history, stacks) for history in taught]
        self.names = sorted({name for row in rows for name in row})
        self.means = means(taught, "later") | ({} if stacks else means(taught, "alone"))
        self.scale = StandardScaler().fit(self.matrix(rows))
        self.model = self.fitted(self.scale.transform(self.matrix(rows)), [history["causes"] for history in taught],
                                 REGULARISATION if stacks else WITHOUT_STACKS)

    @staticmethod
    def fitted(matrix, causes, regularisation):
        """To the first of each history's causes, then to all of them: each has the part that the fit before gives it among them."""
        rows, told, parts = range(len(causes)), [each[0] for each in causes], None
        for _ in range(ROUNDS + 1):
            model = LogisticRegression(C=regularisation, max_iter=1000).fit(matrix[rows], told, sample_weight=parts)
            chances = model.predict_proba(matrix)
            number = {kind: number for number, kind in enumerate(model.classes_)}
            rows, told, parts = [], [], []
            for row, each in enumerate(causes):
                kinds = [kind for kind in each if kind in number]
                chance = [chances[row, number[kind]] * (FIRST if kind == each[0] else 1) for kind in kinds]
                for kind, part in zip(kinds, chance):
                    if part >= LEAST_PART * sum(chance):
                        rows.append(row)
                        told.append(kind)
                        parts.append(part / sum(chance))
        return model

    def matrix(self, rows):
        return numpy.array([[float(row[name] if name in row else self.means.get(name, 0)) for name in self.names]
                            for row in rows])

    def of(self, history):
        chances = self.model.predict_proba(self.scale.transform(self.matrix([values(history, self.stacks)])))[0]
        return dict(zip(self.model.classes_, chances))

    def write(self, file):
        weights = self.model.coef_ / self.scale.scale_
        bases = self.model.intercept_ - weights @ self.scale.mean_
        with open(file, "w") as out:
            print("", *self.model.classes_, sep="\t", file=out)
            print("", *(f"{base:.4g}" for base in bases), sep="\t", file=out)
            for number, name in enumerate(self.names):
                print(name, *(f"{weight:.3g}" for weight in weights[:, number]), sep="\t", file=out)


class SourceFit:
    """To failures whose causes' chances by the history, and whose sources' odds and evidence, are known."""

    def __init__(self, failures):
        said = collections.Counter(name for _, _, source in failures for name in source["evidence"])
        self.names = sorted(name for name, count in said.items() if count >= FEWEST)
        self.kinds = sorted({kind for _, chances, _ in failures for kind in chances})
        rows = numpy.array([self.row(source) for _, _, source in failures])
        self.mean, self.scale = rows.mean(0), rows.std(0) + 1e-3
        rows = (rows - self.mean) / self.scale
        before = numpy.array([self.before(chances, source) for _, chances, source in failures])
        right = numpy.log(numpy.array([[kind in history["causes"] for kind in self.kinds] for history, _, _ in failures]) + 1e-30)
        shape = len(self.names), len(self.kinds)

        def lost(both):
            weights, bases = both[:-shape[1]].reshape(shape), both[-shape[1]:]
            all = log_softmax(before + rows @ weights + bases, 1)
            told = all + right
            apart = numpy.exp(all) - numpy.exp(told - logsumexp(told, 1, keepdims=True))
            return (-logsumexp(told, 1).sum() + OF_SOURCE * (weights ** 2).sum() + OF_BASES * (bases ** 2).sum(),
                    numpy.concatenate([(rows.T @ apart + 2 * OF_SOURCE * weights).ravel(), apart.sum(0) + 2 * OF_BASES * bases]))

        both = minimize(lost, numpy.zeros(shape[0] * shape[1] + shape[1]), jac=True, method="L-BFGS-B").x
        self.weights, self.bases = both[:-shape[1]].reshape(shape), both[-shape[1]:]

    def row(self, source):
        return [source["evidence"].get(name, 0) for name in self.names]

    def before(self, chances, source):
        return [numpy.log(max(chances.get(kind, 0), LEAST_CHANCE)) + source["odds"].get(kind, 0) for kind in self.kinds]

    def of(self, chances, source):
        row = (numpy.array(self.row(source)) - self.mean) / self.scale
        logs = numpy.array(self.before(chances, source)) + row @ self.weights + self.bases
        return dict(zip(self.kinds, numpy.exp(log_softmax(logs))))

    def write(self, file):
        weights = self.weights / self.scale[:, None]
        bases = self.bases - self.mean @ weights
        with open(file, "w") as out:
            print("", *self.kinds, sep="\t", file=out)
            print("", *(f"{base:.4g}" for base in bases), sep="\t", file=out)
            for name, row in zip(self.names, weights):
                print(name, *(f"{weight:.3g}" for weight in row), sep="\t", file=out)


def sources():
    with gzip.open(HERE / "sources.jsonl.gz", "rt") as lines:
        return {(source["set"], source["name"]): source for source in map(json.loads, lines)}


def left_out(all):
    """The chances of each history by what the sets of other hands teach."""
    chances = {}
    for name in JUDGED:
        fits = [Fit([history for history in all if history["set"] != name], stacks) for stacks in (False, True)]
        for history in [history for history in all if history["set"] == name and not history["name"].endswith(DERIVED)]:
            stacks = history["traits"]["stacks"] or not history.get("alone", {"clock": 1})["clock"]
            chances[name, history["name"]] = fits[int(stacks)].of(history)
    return chances


def failures(all, chances):
    """Those whose source is known, each with its chances by holders."""
    known, found = sources(), []
    for history in all:
        key = history["set"], history["name"]
        if key in known and key in chances and history["traits"]["failed"]:
            found.append((history, by_holders(history, chances[key], {kind: "" for kind, *_ in history["found"]}), known[key]))
    return found


def judge_sources(failures):
    right = collections.Counter()
    for name in JUDGED:
        part = [failure for failure in failures if failure[0]["set"] == name]
        if part:
            fit = SourceFit([failure for failure in failures if failure[0]["set"] != name])
            for history, chances, source in part:
                right["history"] += verdict(history, chances)[0] in history["causes"]
                right["with odds"] += verdict(history, dict(zip(fit.kinds, numpy.exp(log_softmax(fit.before(chances, source))))))[0] in history["causes"]
                right["and evidence"] += verdict(history, fit.of(chances, source))[0] in history["causes"]
    print("failures with a source:", len(failures), dict(right))


def by_holders(history, chances, certainties):
    """As Weighed.byHolders and ScatteredCache: of the two causes that leave memory in pieces the one that what lies between tells of."""
    later = history.get("later", {"hole-holders": 0})
    alike = later["hole-holders"] and later["hole-sizes"] < ALIKE
    if 2 ** (8 * later["hole-holders"]) - 1 < FEWEST_HOLDERS - 0.01 or alike and later["hole-age"] < LONG:
        return chances
    told, other = PIECES if alike else reversed(PIECES)
    chances = chances | {told: chances.get(told, 0) + chances.get(other, 0), other: 0}
    if other in certainties:
        certainties.setdefault(told, certainties.pop(other))
    return chances


def verdict(history, chances):
    """As Weighed: the cause, its probability, and whether it is called certain."""
    certainties = {kind: certainty for kind, certainty, _ in reversed(history["found"])}
    chances = by_holders(history, chances, certainties) if history["traits"]["failed"] else chances
    failed = history["traits"]["failed"]
    if not failed:
        stays = ("graph-kept",) if chances["healthy"] + chances["warm-up"] < SURELY else ()
        told = (*COSTS, *stays, *(() if history["traits"]["flushes"] else PIECES))
        best = next((kind for kind, *_ in history["found"] if kind not in STAYS and (
            kind in told or chances["healthy"] + chances["warm-up"] < max(HEALTHY, RATHER * chances.get(kind, 0)))), "healthy")
        return NAMES.get(best, best), chances.get(best, 0), False
    if history["traits"]["went-on"] >= WENT_ON and not history.get("later", {}).get("asked-in-thread"):
        return "healthy", chances["healthy"], False
    least = {"healthy": 2, "one-operation": LIKELY if history["traits"]["in-forward"] else LEAST_UNFOUND}
    best = max((kind for kind in chances if kind in certainties or chances[kind] >= least.get(kind, LEAST_UNFOUND)),
               key=lambda kind: chances[kind] * (FOUND if kind in certainties else 1))
    return NAMES.get(best, best), chances.get(best, 0), certainties.get(best) == "SURE" and chances.get(best, 0) >= SURE


def judge(all):
    rows, bands = [], collections.defaultdict(list)
    confused = [collections.Counter(), collections.Counter()]
    chances = left_out(all)
    for name in JUDGED:
        for history in [history for history in all if (name, history["name"]) in chances and history["set"] == name]:
            said, chance, sure = verdict(history, chances[name, history["name"]])
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
    judge_sources(failures(all, chances))


if __name__ == "__main__":
    known = list(histories())
    if sys.argv[1:] == ["--judge"]:
        judge(known)
    else:
        Fit(known, True).write(pathlib.Path(sys.argv[1], "weights.tsv"))
        Fit(known, False).write(pathlib.Path(sys.argv[1], "weights-without-stacks.tsv"))
        SourceFit(failures(known, left_out(known))).write(pathlib.Path(sys.argv[1], "weights-of-source.tsv"))
