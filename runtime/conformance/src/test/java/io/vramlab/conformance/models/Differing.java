package io.vramlab.conformance.models;

import java.util.Set;

/** Modules with arguments and inputs whose rows differ here in some mode: one that begins to agree must leave the list. */
final class Differing {

    /** Beginnings of keys of modules.jsonl: another sequence of allocations. */
    static final Set<String> MODULES = Set.of(
            // chooses the weights of the targets that count by another way there
            "CrossEntropyLoss|[[\"w10\"], {\"label_smoothing\": 0.1, \"ignore_index\": 1}]|f 8 10 24 20, i10 8 24 20",
            "CrossEntropyLoss|[[\"w10\"], {\"label_smoothing\": 0.1}]|f 640 10, i10 640",
            // running statistics stay alive until backward there
            "InstanceNorm1d|[[16], {\"affine\": true, \"track_running_stats\": true}]|f 8 16 48",
            "InstanceNorm1d|[[16], {\"track_running_stats\": true}]|f 8 16 48",
            "InstanceNorm2d|[[16], {\"affine\": true, \"track_running_stats\": true}]|f 8 16 24 20",
            "InstanceNorm2d|[[16], {\"track_running_stats\": true}]|f 8 16 24 20",
            "InstanceNorm3d|[[8], {\"affine\": true, \"track_running_stats\": true}]|f 4 8 6 10 12",
            "InstanceNorm3d|[[8], {\"track_running_stats\": true}]|f 4 8 6 10 12",
            // composed here, one kernel there
            "Bilinear|[[20, 30, 40], {\"bias\": false}]|f 128 20, f 128 30",
            "Bilinear|[[20, 30, 40], {}]|f 128 20, f 128 30",
            // keeps one tensor until its node is gone there, longer than backward
            "CrossMapLRN2d|[[5], {}]|f 8 16 24 20",
            // no weights for each index here
            "EmbeddingBag|[[1000, 64], {\"mode\": \"sum\"}]|i1000 640, j 64 10, f 640",
            // keeps a copy of its input here
            "SELU|[[], {\"inplace\": true}]|f+ 8 16 24 20",
            // one order of release
            "TripletMarginLoss|[[], {\"margin\": 0.5, \"p\": 1.0, \"swap\": true}]|f 640 384, f 640 384, f 640 384");

    /** Beginnings of keys of modules.jsonl: other values in float32. */
    static final Set<String> VALUES = Set.of(
            // no weights for each index here
            "EmbeddingBag|[[1000, 64], {\"mode\": \"sum\"}]|i1000 640, j 64 10, f 640",
            // what is left of terms that cancel to a hundred thousandth of themselves, in float32: CPU and H200 here differ from
            // each other as they do from the recording
            "CosineEmbeddingLoss|[[], {\"reduction\": \"mean\"}]|f 640 384, f 640 384, s 640",
            "CosineEmbeddingLoss|[[], {\"reduction\": \"none\"}]|f 640 384, f 640 384, s 640",
            "CosineEmbeddingLoss|[[], {\"reduction\": \"sum\"}]|f 640 384, f 640 384, s 640",
            "CosineSimilarity|[[], {}]|f 640 384, f 640 384",
            "KLDivLoss|[[], {\"reduction\": \"batchmean\", \"log_target\": true}]|l 640 384, l 640 384",
            "KLDivLoss|[[], {\"reduction\": \"batchmean\"}]|l 640 384, d 640 384",
            "KLDivLoss|[[], {\"reduction\": \"mean\"}]|l 640 384, d 640 384",
            "KLDivLoss|[[], {\"reduction\": \"none\"}]|l 640 384, d 640 384",
            "KLDivLoss|[[], {\"reduction\": \"sum\"}]|l 640 384, d 640 384");

    private Differing() {
    }

    /** The part of a row's key that names module, arguments and inputs. */
    static String beginning(String key) {
        return key.substring(0, key.lastIndexOf('|'));
    }
}
