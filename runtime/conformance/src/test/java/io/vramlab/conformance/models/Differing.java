package io.vramlab.conformance.models;

import java.util.Set;

/** Modules with arguments and inputs whose rows differ here in some mode: one that begins to agree must leave the list. */
final class Differing {

    /** Beginnings of keys of modules.jsonl: another sequence of allocations. None since all were gone through. */
    static final Set<String> MODULES = Set.of();

    /** Beginnings of keys of modules.jsonl: other values in float32. */
    static final Set<String> VALUES = Set.of(
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
