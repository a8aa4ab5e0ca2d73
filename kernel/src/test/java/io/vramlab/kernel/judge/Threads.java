package io.vramlab.kernel.judge;

/** Threads whose result does not depend on who is first. */
final class Threads implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String counter = draft.name("Counter");
        draft.type(
                "class %s { private int n; synchronized void more() { n++; } int now() { synchronized (this) { return n; } } }",
                counter);
        String c = draft.variable(counter, "new %s()".formatted(counter));
        String run = draft.name("together");
        draft.method("""
                int %s(int threads, Runnable work) throws InterruptedException {
                    List<Thread> all = new ArrayList<>();
                    for (int i = 0; i < threads; i++) all.add(%s);
                    for (Thread each : all) each.join();
                    return all.size();
                }""", run, dice.pick("Thread.ofVirtual().start(work)", "Thread.ofPlatform().start(work)"));
        draft.value("%s(%d, () -> { for (int i = 0; i < %d; i++) %s.more(); }) + %s.now()", run, 1 + dice.upTo(4),
                10 * draft.small(), c, c);
        draft.value(c);
        draft.action(
                """
                        try (var pool = Executors.newFixedThreadPool(2)) {
                            Future<Integer> one = pool.submit(() -> { %s.more(); return %s; });
                            Future<String> two = pool.submit(() -> { if (%s.now() >= 0) throw new IllegalStateException("of a thread"); return ""; });
                            System.out.println(one.get());
                            System.out.println(two.get());
                        }""",
                c, draft.expressions.of("int", draft.scope.captured(), 1), c);
        draft.value(
                "CompletableFuture.supplyAsync(() -> %d).thenCombine(CompletableFuture.supplyAsync(() -> %s.now()), Integer::sum).thenApply(n -> n * 2).join()",
                draft.small(), c);
        String local = draft.name("v");
        draft.add(new Part.Variable("ThreadLocal<int[]>", local,
                "ThreadLocal.withInitial(() -> new int[] {%d})".formatted(draft.small()), false));
        draft.action(
                "{ %s.get()[0]++; Thread t = new Thread(() -> System.out.println(%s.get()[0])); t.start(); t.join(); System.out.println(%s.get()[0]); %s.remove(); }",
                local, local, local, local);
    }
}
