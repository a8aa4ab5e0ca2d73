package io.vramlab.lifetime;

import io.vramlab.tensor.CountedRecord;
import io.vramlab.tensor.Owner;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the weaver must know of types by their names alone. */
final class Types {

    private static final String LIBRARY = "io/vramlab/";
    /** Classes that woven code makes, and what is made instead. */
    private static final Map<String, ClassDesc> COUNTED = Map.of(
            "java/util/ArrayList", CountedArrayList.class.describeConstable().orElseThrow(),
            "java/util/ArrayDeque", CountedArrayDeque.class.describeConstable().orElseThrow(),
            "java/util/HashMap", CountedHashMap.class.describeConstable().orElseThrow(),
            "java/util/LinkedHashMap", CountedLinkedHashMap.class.describeConstable().orElseThrow(),
            "java/util/HashSet", CountedHashSet.class.describeConstable().orElseThrow(),
            "java/util/LinkedHashSet", CountedLinkedHashSet.class.describeConstable().orElseThrow());
    /** Methods that woven code calls, and whose of the same name is called instead. */
    private static final Map<String, ClassDesc> INSTEAD = Map.ofEntries(
            Map.entry("java/util/List.of", ListsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/List.copyOf", ListsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/Set.of", SetsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/Set.copyOf", SetsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/Map.of", MapsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/Map.copyOf", MapsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/Arrays.asList", ArraysOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/Arrays.stream", ArraysOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/stream/Stream.of", StreamsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/stream/IntStream.mapToObj", StreamsOf.class.describeConstable().orElseThrow()),
            Map.entry("java/util/stream/Collectors.toList", StreamsOf.class.describeConstable().orElseThrow()));
    /** Whose results an operation has just made; what is declared as a parameter or buffer has a tensor's methods. */
    private static final Set<String> MAKERS = Set.of("io/vramlab/tensor/Tensor", "io/vramlab/tensor/Functional",
            "io/vramlab/tensor/Linalg",
            "io/vramlab/nn/Parameter", "io/vramlab/nn/Buffer", "io/vramlab/autograd/Checkpoint",
            "io/vramlab/autograd/Autograd", "io/vramlab/autograd/AutogradFunction",
            "io/vramlab/autograd/AutogradFunction$Context", "io/vramlab/amp/GradScaler");
    /** Whose objects count what they hold, as woven code does. */
    private static final String DISTRIBUTIONS = "io/vramlab/distributions/";
    /** Methods of modules, and static ones beside them, whose results are new. */
    private static final Set<String> MODULES_MAKE = Set.of("call", "forward", "clipGradNorm",
            "generateSquareSubsequentMask", "packPaddedSequence", "packSequence", "padPackedSequence", "padSequence");
    /** Static methods that look at what they are given and keep nothing of it. */
    private static final Set<String> HARMLESS = Set.of("java/lang/String.valueOf", "java/lang/String.format",
            "java/util/Objects.requireNonNull", "java/util/Objects.equals", "java/util/Objects.hash",
            "java/util/Objects.hashCode", "java/util/Objects.toString", "java/lang/System.identityHashCode",
            "java/lang/IO.println", "java/lang/IO.print", "java/util/Arrays.toString");
    /** Methods of the JDK's collections, streams and options that run what they are given before they return. */
    private static final Set<String> RUN_AND_FORGET = Set.of("forEach", "forEachOrdered", "forEachRemaining",
            "removeIf",
            "replaceAll", "computeIfAbsent", "computeIfPresent", "compute", "merge", "sort", "ifPresent",
            "ifPresentOrElse", "orElseGet", "anyMatch", "allMatch", "noneMatch", "reduce");
    private static final Set<String> PRINTERS = Set.of("java/io/PrintStream", "java/io/PrintWriter",
            "java/lang/StringBuilder", "java/lang/Object", "java/lang/String");
    private static final Map<String, Boolean> FINAL = new ConcurrentHashMap<>();
    private static final Map<String, Boolean> OWNERS = new ConcurrentHashMap<>();
    private static final Map<String, Boolean> RECORDS = new ConcurrentHashMap<>();
    private static final Map<String, Boolean> INTERFACES = new ConcurrentHashMap<>();

    private Types() {
    }

    /** Whether a value of that type may be counted, or hold what is: all but primitives, their arrays and final classes of the JDK. */
    static boolean mayBeCounted(ClassDesc type) {
        if (type.isPrimitive()) {
            return false;
        }
        if (type.isArray()) {
            return mayBeCounted(type.componentType());
        }
        String name = internal(type);
        return !name.startsWith("java/") || !FINAL.computeIfAbsent(name, Types::isFinal);
    }

    private static boolean isFinal(String name) {
        try {
            return Modifier.isFinal(Class.forName(name.replace('/', '.'), false, null).getModifiers());
        } catch (ClassNotFoundException elsewhere) {
            return false;
        }
    }

    /** Whether a value of a parameter of this project's may be code: a lambda, or an object in its place. */
    static boolean mayBeCode(ClassDesc type) {
        if (type.isPrimitive() || type.isArray()) {
            return false;
        }
        String name = internal(type);
        return name.startsWith("java/util/function/") || name.equals("java/lang/Runnable")
                || name.equals("java/util/concurrent/Callable")
                || isLibrary(name) && INTERFACES.computeIfAbsent(name, Types::isInterface);
    }

    /** Whether a class of this project's is one whose objects are looked after: see {@link Owner}. */
    static boolean isOwner(String name) {
        return OWNERS.computeIfAbsent(name, each -> is(Owner.class, each));
    }

    /** Whether a class of this project's is a {@link CountedRecord}. */
    static boolean isRecord(String name) {
        return RECORDS.computeIfAbsent(name, each -> is(CountedRecord.class, each));
    }

    private static boolean is(Class<?> type, String name) {
        try {
            return type
                    .isAssignableFrom(Class.forName(name.replace('/', '.'), false, Types.class.getClassLoader()));
        } catch (ClassNotFoundException unknown) {
            return false;
        }
    }

    /** Whether a value of that type may be a collection of the JDK's, or an iterator. */
    static boolean mayBeCollection(ClassDesc type) {
        return !type.isPrimitive() && !type.isArray() && internal(type).startsWith("java/");
    }

    private static boolean isInterface(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, Types.class.getClassLoader()).isInterface();
        } catch (ClassNotFoundException unknown) {
            return true;
        }
    }

    /** {@code a/b/C} for a class. */
    static String internal(ClassDesc type) {
        String descriptor = type.descriptorString();
        return type.isArray() ? descriptor : descriptor.substring(1, descriptor.length() - 1);
    }

    /** What is made in place of that class; null for the class itself. */
    static ClassDesc counted(String owner) {
        return COUNTED.get(owner);
    }

    /** The class whose method of that name stands in for one of the JDK's; null for the JDK's own. */
    static ClassDesc instead(String owner, String method, MethodTypeDesc signature) {
        // of the arrays, those of numbers have nothing to count
        boolean ofObjects = signature.descriptorString().startsWith("([Ljava/lang/Object;)");
        return owner.equals("java/util/Arrays") && !ofObjects ? null : INSTEAD.get(owner + "." + method);
    }

    /** Whether a class is this project's. */
    static boolean isLibrary(String owner) {
        return owner.startsWith(LIBRARY);
    }

    /** Whether what a method of this project's returns belongs to its caller alone. */
    static boolean isFresh(String owner, String method) {
        return MAKERS.contains(owner) || owner.startsWith("io/vramlab/nn/") && makes(method)
                || owner.startsWith(DISTRIBUTIONS);
    }

    /** Whether a method is one of those that modules and losses compute by, which subclasses may have their own of. */
    static boolean isOverridden(String owner, String method) {
        return owner.startsWith("io/vramlab/nn/") && makes(method);
    }

    /** Whether a method of that name of a module's, or of a loss's, returns what it has made. */
    static boolean makes(String method) {
        return MODULES_MAKE.contains(method) || method.startsWith("call");
    }

    /** Whether a method of this project's keeps what it is given. */
    static boolean keeps(String owner, String method) {
        return method.equals("<init>") && !owner.startsWith(DISTRIBUTIONS)
                && !owner.equals("io/vramlab/nn/Parameter") && !owner.equals("io/vramlab/nn/Buffer")
                && !isRecord(owner) || owner.equals("io/vramlab/tensor/Ref");
    }

    /** Whether a method of that name, of one of the JDK's classes, is done with the code that it is given last when it returns. */
    static boolean runsAndForgets(String method) {
        return RUN_AND_FORGET.contains(method);
    }

    /** Whether a method is an optimizer's step, which runs the closure that it is given and keeps it no longer. */
    static boolean isStep(String owner, String method) {
        return owner.startsWith("io/vramlab/optim/") && method.equals("step");
    }

    /** Whether a method holds the functions that it is given itself, for as long as it needs them. */
    static boolean holdsCode(String owner, String method) {
        return owner.equals("io/vramlab/autograd/Checkpoint") && method.equals("checkpoint");
    }

    /** Whether a method of others keeps nothing of what it is given. */
    static boolean isHarmless(String owner, String method) {
        return HARMLESS.contains(owner + "." + method) || PRINTERS.contains(owner);
    }
}
