package io.vramlab.magics;

import io.vramlab.kernel.spi.CellWeaver;
import io.vramlab.lifetime.Weaver;
import io.vramlab.tensor.Lifetimes;
import java.lang.classfile.ClassFile;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cells let go of tensors when Python would, until {@code %lifetimes java}; or, with {@code VRAMLAB_LIFETIMES=java} in the
 * kernel's environment, from {@code %lifetimes python} on.
 */
public final class CountedCells implements CellWeaver {

    /** Names the variable that chooses at a session's beginning. */
    private static final String OPTION = "VRAMLAB_LIFETIMES";
    /** The package of all classes of cells, with slashes. */
    private static final String CELLS = "REPL/";
    private static final String LIFETIMES = Lifetimes.class.getName().replace('.', '/');
    /** The classes that have what {@link Lifetimes} inherits for woven code to call. */
    private static final Set<String> HOLDS = above(Lifetimes.class);
    /** The package of the collections, streams and iterators that count. */
    private static final String COUNTED = Weaver.class.getPackageName() + ".";
    /** Classes of cells that do not count: they were made while it was switched off, or were too large. */
    private static final Set<String> PLAIN = ConcurrentHashMap.newKeySet();

    private static Set<String> above(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != Object.class, Class::getSuperclass).map(Class::getName)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void sessionStarted() {
        PLAIN.clear();
        Lifetimes.count(!"java".equals(System.getenv(OPTION)));
    }

    @Override
    public byte[] weave(byte[] classFile) {
        if (Lifetimes.isCounting()) {
            try {
                return Weaver.weave(classFile, name -> name.startsWith(CELLS) && !PLAIN.contains(name));
            } catch (IllegalArgumentException cannot) {
                return withdraw(classFile, cannot.getMessage());
            }
        }
        return plain(classFile);
    }

    private static byte[] plain(byte[] classFile) {
        PLAIN.add(ClassFile.of().parse(classFile).thisClass().asInternalName());
        return classFile;
    }

    @Override
    public byte[] withdraw(byte[] classFile, String why) {
        // who calls it was woven to count on it
        Lifetimes.count(false);
        System.err.println("A class was to count its tensors. It cannot, " + why
                + "; from here on they live as in Java. Make its methods smaller, then %lifetimes python.");
        return plain(classFile);
    }

    @Override
    public boolean isItsOwn(String owner) {
        return owner.equals(LIFETIMES);
    }

    @Override
    public boolean standsIn(String type) {
        return HOLDS.contains(type) || type.startsWith(COUNTED);
    }

    @Override
    public void hold(Object value) {
        if (Lifetimes.isCounting()) {
            Lifetimes.hold(value);
        }
    }

    @Override
    public void drop(Object value) {
        if (Lifetimes.isCounting()) {
            Lifetimes.drop(value);
        }
    }
}
