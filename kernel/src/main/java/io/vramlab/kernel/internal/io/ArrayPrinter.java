package io.vramlab.kernel.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;

/**
 * Prints arrays by what is in them. Java prints their class and a number that differs each time, {@code [J@64ed6ad4}: what
 * {@code System.out.println(x.shape())} is asked for are the sizes.
 */
final class ArrayPrinter extends PrintStream {

    ArrayPrinter(OutputStream sink) {
        super(sink, false, UTF_8);
    }

    @Override
    public void print(Object value) {
        super.print(told(value));
    }

    @Override
    public void println(Object value) {
        super.println(told(value));
    }

    private static Object told(Object value) {
        if (value == null || !value.getClass().isArray()) {
            return value;
        }
        String text = Arrays.deepToString(new Object[]{value});
        return text.substring(1, text.length() - 1);
    }
}
