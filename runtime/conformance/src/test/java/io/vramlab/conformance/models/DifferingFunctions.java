package io.vramlab.conformance.models;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Expressions of functions.txt that differ from the recording in some mode: one that begins to agree must leave the list. */
final class DifferingFunctions {

    /**
     * Another sequence of allocations. PyTorch's gradient of sgn is a tensor of zeros without memory, which there is none of here;
     * two with brackets let the container go before what stood in them, without gradients; and what a function written in Python
     * was given, and holds alone, goes there before its own variables (places of maxima, losses not yet reduced).
     */
    static final TreeSet<String> MEMORY = new TreeSet<>(List.of(
            "F.embedding_bag(a, b, torch.arange(0, 641, 10, device=a.device), mode=\"max\", include_last_offset=True)",
            "F.multilabel_soft_margin_loss(a, b.float(), c.detach())",
            "F.multilabel_soft_margin_loss(a, b.float(), c.detach(), reduction=\"sum\")",
            "a.sgn()",
            "a[b][:, b % 384]"));

    /**
     * Other values: half types whose sums are rounded at other places, whose ties are broken otherwise, or whose norms are kept in
     * float32; a count beyond float16's range, which PyTorch divides by in float16 (nanmean); what nobody wrote; and, in the second list, what is left of float32's sums that cancel.
     */
    static final DifferingValues VALUES = new DifferingValues(Set.of(
            "F.group_norm(a, 4)",
            "F.instance_norm(a)",
            "a.cummin(0)",
            "a.cumsum(0)",
            "a.kthvalue(3)",
            "a.logcumsumexp(0)",
            "a.logcumsumexp(1)",
            "a.mode(0)",
            "a.mode(1)",
            "a.nanmean()",
            "a.topk(5)",
            "torch.empty_like(a)"),
            Set.of(
                    "F.cosine_embedding_loss(a, b, c)",
                    "F.cosine_similarity(a, b)",
                    "F.cosine_similarity(a, b, 1, 1e-3)",
                    "a.mean((0, 1))",
                    "a.mean()",
                    "a.nansum()",
                    "a.sum((0, 1))",
                    "a.sum()",
                    "torch.cosine_similarity(a, b, 0)",
                    "torch.var_mean(a)"));

    private DifferingFunctions() {
    }
}
