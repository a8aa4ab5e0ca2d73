package io.vramlab.conformance.models;

import java.util.List;
import java.util.TreeSet;

/** Expressions of functions.txt that differ from the recording in some mode: one that begins to agree must leave the list. */
final class DifferingFunctions {

    /**
     * Another sequence of allocations. Bilinear forms, scatter_reduce, and norms of another p than 1, 2 and infinity
     * are composed here where PyTorch has a kernel, or the other way round; two with
     * brackets let temporaries go in another order without gradients; PyTorch's gradient of sgn takes no memory; under autocast a product
     * of elements lets its second factor go first.
     */
    static final TreeSet<String> MEMORY = new TreeSet<>(List.of(
            "F.bilinear(a, b, c, d)",
            "a.norm(p=3)",
            "a.scatter_reduce(0, b[:, None].expand(100, 384), a[:100], \"amax\")",
            "a.scatter_reduce(0, b[:, None].expand(100, 384), a[:100], \"mean\")",
            "a.scatter_reduce(0, b[:, None].expand(100, 384), a[:100], \"prod\")",
            "a.sgn()",
            "a[b][:, b % 384]",
            "set: c[a > 0] = a[a > 0] * 2",
            "torch.einsum(\"i,j,k\", a, b, c)",
            "torch.einsum(\"i,j,k->ijk\", a, b, c)",
            "torch.einsum(\"i,j,k->kji\", a, b, c)",
            "torch.einsum(\"ij,jk,ik->ik\", a, b, c)"));

    /**
     * Other values: what is left of sums that cancel; half types whose sums are rounded at other places, whose ties are broken
     * otherwise, or whose norms are kept in float32; what nobody wrote.
     */
    static final TreeSet<String> VALUES = new TreeSet<>(List.of(
            "F.bilinear(a, b, c, d)",
            "F.cosine_embedding_loss(a, b, c)",
            "F.cosine_similarity(a, b)",
            "F.group_norm(a, 4)",
            "F.instance_norm(a)",
            "a.cummin(0)",
            "a.cumsum(0)",
            "a.kthvalue(3)",
            "a.logcumsumexp(0)",
            "a.logcumsumexp(1)",
            "a.mean((0, 1))",
            "a.mean()",
            "a.mode(0)",
            "a.mode(1)",
            "a.nanmean()",
            "a.nansum()",
            "a.sum((0, 1))",
            "a.sum()",
            "a.topk(5)",
            "torch.cosine_similarity(a, b, 0)",
            "torch.empty_like(a)",
            "torch.var_mean(a)"));

    private DifferingFunctions() {
    }
}
