package io.vramlab.kernel.judge;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the tests of a class in the order of their names, and prints what became of each: a main method for classes without. */
public final class TestDriver {

    private TestDriver() {
    }

    /** Runs them all. */
    public static void run(Class<?> tests) throws ReflectiveOperationException {
        int ran = 0;
        for (Method each : with(tests, BeforeAll.class)) {
            each.invoke(null);
        }
        for (Method each : with(tests, Test.class)) {
            run(tests, each);
            ran++;
        }
        for (Method each : with(tests, MethodSource.class)) {
            for (Object[] given : given(tests, each)) {
                run(tests, each, given);
                ran++;
            }
        }
        System.out.println(ran + " ran");
    }

    private static List<Method> with(Class<?> tests, Class<? extends Annotation> mark) {
        List<Method> all = Arrays.stream(tests.getDeclaredMethods()).filter(each -> each.isAnnotationPresent(mark))
                .sorted(Comparator.comparing(Method::getName).thenComparing(Method::toGenericString)).toList();
        all.forEach(each -> each.setAccessible(true));
        return all;
    }

    private static List<Object[]> given(Class<?> tests, Method test) throws ReflectiveOperationException {
        String[] names = test.getAnnotation(MethodSource.class).value();
        Method source = tests.getDeclaredMethod(names.length == 0 || names[0].isEmpty() ? test.getName() : names[0]);
        source.setAccessible(true);
        if (!Modifier.isStatic(source.getModifiers()) || !(source.invoke(null) instanceof Stream<?> all)) {
            return List.of();
        }
        return all.map(each -> each instanceof Arguments many ? many.get() : new Object[]{each}).toList();
    }

    private static void run(Class<?> tests, Method test, Object... arguments) throws ReflectiveOperationException {
        Constructor<?> constructor = tests.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object instance = constructor.newInstance();
        String outcome = "passed";
        try {
            for (Method each : with(tests, BeforeEach.class)) {
                each.invoke(instance);
            }
            test.invoke(instance, arguments);
            for (Method each : with(tests, AfterEach.class)) {
                each.invoke(instance);
            }
        } catch (InvocationTargetException e) {
            outcome = Show.thrown(e.getCause());
        } catch (IllegalArgumentException e) {
            outcome = "needs other arguments";
        }
        System.out.println(test.getName() + ": " + outcome);
    }
}
