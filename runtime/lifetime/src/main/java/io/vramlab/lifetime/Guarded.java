package io.vramlab.lifetime;

import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How many temps may hold something where an exception is caught: as many as did anywhere in what is guarded. Letting go of all
 * the others too would be right, and make large methods too large.
 */
final class Guarded {

    private final CodeAttribute code;
    private final Map<Label, List<ExceptionCatch>> handlers = new HashMap<>();
    /** By the offset of an instruction. */
    private final NavigableMap<Integer, Integer> live = new TreeMap<>();

    Guarded(CodeModel code) {
        this.code = (CodeAttribute) code;
        code.exceptionHandlers().forEach(
                each -> handlers.merge(each.handler(), List.of(each), (some, more) -> {
                    List<ExceptionCatch> both = new ArrayList<>(some);
                    both.addAll(more);
                    return both;
                }));
    }

    boolean isHandler(Label label) {
        return handlers.containsKey(label);
    }

    /** So many temps may hold something before or after the instruction there. */
    void live(int offset, int temps) {
        live.merge(offset, temps, Math::max);
    }

    /** How many temps may hold something there. */
    int temps(Label handler) {
        return handlers.get(handler).stream()
                .flatMap(each -> live.subMap(code.labelToBci(each.tryStart()), code.labelToBci(each.tryEnd())).values()
                        .stream())
                .max(Integer::compare).orElse(0);
    }
}
