package io.vramlab.kernel.judge;

/** What runs when a class or an object begins, and in which order. */
final class Initializers implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String log = draft.name("Log");
        String parent = draft.name("Parent");
        String child = draft.name("Child");
        String bad = draft.name("Bad");
        draft.type(
                "class %s { static final List<String> ALL = new ArrayList<>(); static int say(String what, int n) { ALL.add(what); System.out.println(what); return n; } }",
                log);
        draft.type("""
                class %s {
                    static int a = %s.say("parent a", %d);
                    static final int CONSTANT = %d;
                    int x = %s.say("parent x", 2);
                    static { %s.say("parent static " + a, 0); }
                    { %s.say("parent block " + x, 0); x++; }
                    %s() { %s.say("parent constructor " + x, 0); begin(); }
                    void begin() { %s.say("parent begin", 0); }
                }""", parent, log, draft.small(), draft.small(), log, log, log, parent, log, log);
        draft.type(
                """
                        class %s extends %s {
                            static final int[] TABLE = new int[%d];
                            static { for (int i = 0; i < TABLE.length; i++) { TABLE[i] = i * i + a; } %s.say("child static", 0); }
                            int y = %s.say("child y", %s);
                            final String z;
                            { z = "z" + y; }
                            %s() { super(); %s.say("child constructor " + y + z, 0); }
                            void begin() { %s.say("child begin " + y + z, 0); }
                        }""",
                child, parent, draft.small(), log, log, draft.expression("int"), child, log, log);
        draft.type("class %s { static int n = %d; static int broken = 1 / (n - n); static int f() { return n; } }", bad,
                draft.small());
        if (dice.chance(50)) {
            draft.value("%s.CONSTANT", parent);
        }
        if (dice.chance(50)) {
            draft.value("%s.a", child);
        }
        draft.variable(child, "new %s()".formatted(child));
        draft.value("%s.TABLE", child);
        draft.value("%s.f()", bad);
        draft.value("new %s()", bad);
        draft.value("%s.ALL.size()", log);
    }
}
