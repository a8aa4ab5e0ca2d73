package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a wording says by itself, and what its figures prove between each other. */
record WordingReasoning(Message message, Wording wording) implements Reasoning {

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        wording.findings().forEach(each -> findings.add(new Conclusion(each.kind(), filled(each.text()))));
        message.amount(Role.TRIED).ifPresent(tried -> {
            message.amount(Role.FREE).flatMap(free -> beside(tried, free)).ifPresent(findings::add);
            message.amount(Role.ALLOWED).filter(most -> most.surelyBelow(tried)).ifPresent(most -> findings
                    .add(Conclusion.proven(both(tried) + " were asked for in one piece, which may have at most "
                            + both(most) + ".")));
        });
        return new Result(filled(wording.verdict()), findings, wording.next(), wording.why());
    }

    private static Optional<Conclusion> beside(Amount tried, Amount free) {
        if (free.surelyBelow(tried)) {
            return Optional.of(Conclusion.consistent(both(free) + " were left and " + both(tried)
                    + " asked for: there was no room for it."));
        }
        return tried.surelyAtMost(free)
                ? Optional.of(Conclusion.inconsistent(both(free) + " were left and " + both(tried)
                        + " asked for: there was room for it, in pieces perhaps, or another reason."))
                : Optional.empty();
    }

    private String filled(String text) {
        String told = text;
        for (Figure figure : message.figures()) {
            told = told.replace("${" + figure.role().name().toLowerCase(java.util.Locale.ROOT) + "}",
                    both(figure.amount()));
        }
        return told;
    }
}
