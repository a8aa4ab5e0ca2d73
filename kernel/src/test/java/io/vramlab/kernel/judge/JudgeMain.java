package io.vramlab.kernel.judge;

/** Judges as many generated sessions as wanted: {@code plain|stock on|off|woven FROM TO}; woven needs magics. */
final class JudgeMain {

    private static final int CHUNK = 500;

    private JudgeMain() {
    }

    public static void main(String[] arguments) throws Exception {
        Side ours = new OurKernel(!arguments[1].equals("off"), arguments[1].equals("woven"));
        Judge judge = arguments[0].equals("stock")
                ? new Judge(ours, new StockShell(), Redeclarations::sequence)
                : new Judge(ours, new PlainProgram(), Generator::sequence);
        long to = Long.parseLong(arguments[3]);
        for (long from = Long.parseLong(arguments[2]); from < to; from += CHUNK) {
            judge.judge(from, Math.min(to, from + CHUNK)).forEach(each -> System.out.println("DIFFERENT " + each));
            // a crash loses no more than this chunk
            System.out.println("up to " + Math.min(to, from + CHUNK) + ": " + judge);
        }
        System.exit(0);
    }
}
