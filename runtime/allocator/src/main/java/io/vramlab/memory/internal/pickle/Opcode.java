package io.vramlab.memory.internal.pickle;

/** The pickle opcodes that carry data, as Python's pickletools names them. */
final class Opcode {

    static final int PROTO = 0x80;
    static final int FRAME = 0x95;
    static final int STOP = '.';
    static final int MARK = '(';
    static final int POP = '0';
    static final int NONE = 'N';
    static final int NEWTRUE = 0x88;
    static final int NEWFALSE = 0x89;
    static final int BININT = 'J';
    static final int BININT1 = 'K';
    static final int BININT2 = 'M';
    static final int LONG1 = 0x8a;
    static final int LONG4 = 0x8b;
    static final int BINFLOAT = 'G';
    static final int SHORT_BINUNICODE = 0x8c;
    static final int BINUNICODE = 'X';
    static final int BINUNICODE8 = 0x8d;
    static final int EMPTY_LIST = ']';
    static final int LIST = 'l';
    static final int APPEND = 'a';
    static final int APPENDS = 'e';
    static final int EMPTY_DICT = '}';
    static final int DICT = 'd';
    static final int SETITEM = 's';
    static final int SETITEMS = 'u';
    static final int EMPTY_TUPLE = ')';
    static final int TUPLE = 't';
    static final int TUPLE1 = 0x85;
    static final int TUPLE2 = 0x86;
    static final int TUPLE3 = 0x87;
    static final int BINPUT = 'q';
    static final int LONG_BINPUT = 'r';
    static final int MEMOIZE = 0x94;
    static final int BINGET = 'h';
    static final int LONG_BINGET = 'j';

    private Opcode() {
    }

    /** Why an opcode is refused. */
    static String refusal(final int opcode) {
        return switch (opcode) {
            case 'c', 0x93, 'R', 'b', 'o', 'i', 0x81, 0x92 -> "it asks for a Python class or function";
            case 0x82, 0x83, 0x84 -> "it asks for a registered Python extension";
            case 'P', 'Q' -> "it refers to an object outside the file";
            case 'B', 'C', 0x8e, 0x96, 0x97, 0x98, 'T', 'U' -> "it holds raw bytes, which no snapshot does";
            case 0x8f, 0x90, 0x91 -> "it holds a set, which no snapshot does";
            default -> "opcode 0x" + Integer.toHexString(opcode) + " carries no data of a snapshot";
        };
    }
}
