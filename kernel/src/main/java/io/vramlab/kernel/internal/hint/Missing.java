package io.vramlab.kernel.internal.hint;

import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What to write where a name is not known. */
final class Missing {

    private static final int MOST_IMPORTS = 3;
    /** What Python has before a name. */
    private static final Set<String> PACKAGES = Set.of("torch", "nn", "F", "functional", "optim", "cuda", "amp",
            "autograd",
            "util", "utils", "data", "np", "numpy");
    /** Classes that are not for cells: the kernel's own, and the inner workings of libraries. */
    private static final Pattern MACHINERY = Pattern
            .compile("^io\\.vramlab\\.(?:kernel\\.(?!spi\\.)|install\\.|(?:\\w+\\.)*internal\\.)");
    /** How Python and Java say that something is called. */
    private static final Set<String> CALLS = Set.of("forward", "apply", "__call__");
    /** What gives an element of a value that is no array. */
    private static final List<String> ELEMENTS = List.of("get", "charAt", "select");

    private final Names names;

    Missing(Names names) {
        this.names = names;
    }

    /** The import or the library that brings a class, or the classes that could have been meant. */
    Optional<String> type(String name) {
        Optional<String> waits = Optional.ofNullable(names.waiting().get(name));
        if (waits.isPresent()) {
            return waits.map(
                    each -> "%s was declared, and waits for %s: declare that, or run its cell again with another name"
                            .formatted(name, each));
        }
        List<String> homes = new ArrayList<>(names.libraryClasses(name));
        homes.removeIf(each -> MACHINERY.matcher(each).find());
        homes.addAll(Packages.ofJdk(name));
        if (!homes.isEmpty()) {
            return Optional.of(homes.stream().distinct().limit(MOST_IMPORTS).map(each -> "import " + each + ";")
                    .reduce((a, b) -> a + " or " + b).orElseThrow());
        }
        Optional<Libraries.Home> library = Libraries.of(name);
        if (library.isPresent()) {
            return library.map(each -> "%%maven %s brings it, then import %s;".formatted(each.coordinates(),
                    each.className()));
        }
        List<String> similar = Similar.to(name, types());
        return similar.isEmpty() ? Optional.empty() : Optional.of(nearest(similar));
    }

    /** The import that is right for a class of that simple name. */
    Optional<String> imported(String name) {
        return type(name).filter(each -> each.startsWith("import "));
    }

    /** The members of a class that could have been meant. */
    Optional<String> member(Class<?> owner, String name, boolean call) {
        Set<String> methods = names(owner.getMethods());
        Set<String> fields = names(owner.getFields());
        if (!call && methods.contains(name)) {
            return Optional.of("%s is a method of %s: write %s()".formatted(name, owner.getSimpleName(), name));
        }
        if (call && fields.contains(name)) {
            return Optional.of("%s is no method of %s: write it without ()".formatted(name, owner.getSimpleName()));
        }
        if (call && methods.contains("call") && CALLS.contains(name)) {
            return Optional.of("%s is called with call(): write x.call(…)".formatted(owner.getSimpleName()));
        }
        List<String> similar = Similar.to(name, methods);
        Optional<String> elsewhere = similar.size() == 1 ? Optional.empty() : owned(name);
        return elsewhere.isPresent() || similar.isEmpty()
                ? elsewhere
                : Optional.of("%s has %s".formatted(owner.getSimpleName(),
                        joined(similar.stream().map(each -> each + "()").toList())));
    }

    /** What to write for {@code x[i]} of a class. */
    Optional<String> element(Class<?> owner) {
        Set<String> methods = names(owner.getMethods());
        if (methods.contains("get") && methods.contains("select")) {
            return Optional.of(
                    "only arrays have [ ]; of a %s write x.select(0, i) for the part x[i], x.get(i, j) for one number"
                            .formatted(owner.getSimpleName()));
        }
        return ELEMENTS.stream().filter(methods::contains).findFirst().map(
                each -> "only arrays have [ ]; %s has %s(): write x.%s(…)".formatted(owner.getSimpleName(), each,
                        each));
    }

    /** The method that a value is there for: that of a functional interface, or one named call. */
    private Optional<String> called(String variable) {
        return Optional.ofNullable(names.variables().get(variable)).map(each -> each.replaceFirst("<.*", ""))
                .flatMap(this::find).flatMap(type -> {
                    List<String> methods = Arrays.stream(type.getMethods())
                            .filter(each -> Modifier.isAbstract(each.getModifiers()) && type.isInterface()
                                    || each.getName().equals("call"))
                            .map(Method::getName).distinct().toList();
                    return methods.size() == 1 ? Optional.of(methods.getFirst()) : Optional.empty();
                }).map(each -> "%1$s is a variable: write %1$s.%2$s(…)".formatted(variable, each));
    }

    /** What a call without an object could mean. */
    Optional<String> function(String name) {
        Optional<String> value = called(name);
        if (value.isPresent()) {
            return value;
        }
        Optional<String> here = Similar.same(name, names.methods());
        return here.or(() -> owned(name)).or(() -> Similar.to(name, names.methods()).stream().findFirst()).map(
                each -> each.contains(" ") ? each : nearest(List.of(each + "()")));
    }

    /** The variable, class or static method that could have been meant. */
    Optional<String> variable(String name, String line) {
        Set<String> known = new TreeSet<>(names.variables().keySet());
        if (Character.isUpperCase(name.charAt(0))) {
            known.addAll(types());
        }
        if (Pattern.compile("^\\s*" + Pattern.quote(name) + "\\s*=(?!=)").matcher(line).find()) {
            String value = line.substring(line.indexOf('=') + 1).strip();
            return Optional.of("a variable is declared once: var " + name + " = " + (value.isEmpty() ? "…" : value));
        }
        Matcher chain = Pattern.compile("\\b" + Pattern.quote(name) + "((?:\\s*\\.\\s*\\w+)+)\\s*(\\(?)").matcher(line);
        if (PACKAGES.contains(name) && chain.find()) {
            String last = chain.group(1).replaceAll("\\s", "").replaceAll("^.*\\.", "");
            Optional<String> type = Similar.same(last, types()).map(each -> "names need no package here: "
                    + (chain.group(2).isEmpty() ? each : "new " + each + "(…)"));
            Optional<String> found = Character.isUpperCase(last.charAt(0))
                    ? type.or(() -> owned(last))
                    : owned(last).or(() -> type);
            if (found.isPresent()) {
                return found;
            }
        }
        Optional<String> same = Similar.same(name, known).or(() -> Similar.same(name, types()));
        if (same.isPresent()) {
            return same.map(each -> nearest(List.of(each)));
        }
        return Character.isUpperCase(name.charAt(0))
                ? type(name)
                : Similar.to(name, known).stream().findFirst().map(each -> nearest(List.of(each)));
    }

    /** The imported class of a simple or full name. */
    Optional<Class<?>> find(String name) {
        return Stream.concat(Stream.of(name, "java.lang." + name), names.imports().stream()
                .filter(each -> each.endsWith(".*") || each.endsWith("." + name))
                .map(each -> each.endsWith(".*") ? each.substring(0, each.length() - 1) + name : each))
                .map(each -> Packages.load(each, names.loader())).flatMap(Optional::stream).findFirst()
                .or(() -> Optional.ofNullable(names.above().get(name)).filter(each -> !each.equals(name))
                        .flatMap(this::find));
    }

    /** The class that has a method of that name, among those that are imported and not the JDK's. */
    private Optional<String> owned(String name) {
        for (Class<?> owner : libraryClasses()) {
            Optional<String> method = Similar.same(name, names(owner.getMethods()));
            if (method.isPresent() && !names(Object.class.getMethods()).contains(method.get())) {
                return method.map(each -> use(owner, each));
            }
        }
        return Optional.empty();
    }

    private static String use(Class<?> owner, String name) {
        Method method = Arrays.stream(owner.getMethods()).filter(each -> each.getName().equals(name)).findFirst()
                .orElseThrow();
        String home = home(owner, method.getDeclaringClass()).getSimpleName();
        return Modifier.isStatic(method.getModifiers())
                ? "write %s.%s(…)".formatted(home, name)
                : "%1$s has %2$s(): write x.%2$s(…) for a %1$s x".formatted(home, name);
    }

    /** A class that nobody can name lends its methods to the first that can be, of those that inherit it. */
    private static Class<?> home(Class<?> owner, Class<?> declaring) {
        if (Modifier.isPublic(declaring.getModifiers())) {
            return declaring;
        }
        Class<?> home = owner;
        Class<?> above = owner.getSuperclass();
        while (declaring.isAssignableFrom(above) && Modifier.isPublic(above.getModifiers())) {
            home = above;
            above = above.getSuperclass();
        }
        return home;
    }

    private List<Class<?>> libraryClasses() {
        List<Class<?>> all = new ArrayList<>();
        for (String each : imports()) {
            String home = each.substring(0, each.lastIndexOf('.'));
            if (each.endsWith(".*")) {
                Packages.classes(home, names.loader())
                        .forEach(type -> Packages.load(home + "." + type, names.loader()).ifPresent(all::add));
            } else {
                Packages.load(each, names.loader()).ifPresent(all::add);
            }
        }
        // what one works with most has most to offer
        all.sort((a, b) -> Integer.compare(b.getMethods().length, a.getMethods().length));
        return all;
    }

    /** The imports that are not of the JDK. */
    private List<String> imports() {
        return names.imports().stream().filter(each -> !each.startsWith("java.") && !each.startsWith("javax."))
                .toList();
    }

    /** The simple names that can be used: those of cells and libraries first. */
    private Set<String> types() {
        Set<String> all = new LinkedHashSet<>(names.types());
        for (boolean jdk : new boolean[]{false, true}) {
            for (String each : names.imports()) {
                if ((each.startsWith("java.") || each.startsWith("javax.")) == jdk) {
                    if (each.endsWith(".*")) {
                        all.addAll(Packages.classes(each.substring(0, each.length() - 2), names.loader()));
                    } else {
                        all.add(each.substring(each.lastIndexOf('.') + 1));
                    }
                }
            }
        }
        all.addAll(Packages.classes("java.lang", names.loader()));
        return all;
    }

    private static Set<String> names(Member[] members) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(members).map(Member::getName).forEach(names::add);
        return names;
    }

    private static String nearest(List<String> names) {
        return names.size() == 1 ? "the nearest is " + names.getFirst() : "the nearest are " + joined(names);
    }

    private static String joined(List<String> names) {
        return names.size() == 1
                ? names.getFirst()
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }
}
