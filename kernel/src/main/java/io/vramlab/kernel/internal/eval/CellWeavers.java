package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.spi.CellWeaver;
import java.util.List;
import java.util.ServiceLoader;

/** The weavers that are plugged in. */
final class CellWeavers {

    private static final List<CellWeaver> ALL = ServiceLoader.load(CellWeaver.class, CellWeavers.class.getClassLoader())
            .stream().map(ServiceLoader.Provider::get).toList();

    private CellWeavers() {
    }

    static byte[] weave(byte[] classFile) {
        byte[] woven = classFile;
        for (CellWeaver each : ALL) {
            woven = each.weave(woven);
        }
        return woven;
    }

    static byte[] withdraw(byte[] classFile, String why) {
        byte[] plain = classFile;
        for (CellWeaver each : ALL) {
            plain = each.withdraw(plain, why);
        }
        return plain;
    }

    static boolean isTheirs(String owner) {
        return ALL.stream().anyMatch(each -> each.isItsOwn(owner));
    }

    static boolean standsIn(String type) {
        return ALL.stream().anyMatch(each -> each.standsIn(type));
    }

    static void sessionStarted() {
        ALL.forEach(CellWeaver::sessionStarted);
    }

    static void hold(Object value) {
        ALL.forEach(each -> each.hold(value));
    }

    static void drop(Object value) {
        ALL.forEach(each -> each.drop(value));
    }
}
