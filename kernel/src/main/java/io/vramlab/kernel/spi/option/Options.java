package io.vramlab.kernel.spi.option;

import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The declaration of a magic's arguments. */
public final class Options {

    /** How the text after the options is read. */
    private enum Rest {
        WORDS,
        /** One text from the first word on. */
        TEXT,
        /** One text with the options that it begins with, for what has dashes of its own. */
        RAW
    }

    private static final Pattern LETTER = Pattern.compile("\\s*-([a-z])\\s*(\\d+)\\s+(\\S.*)", Pattern.DOTALL);

    private final String magic;
    private final String summary;
    private final Map<String, Option> options = new LinkedHashMap<>();
    private final Map<Character, String> letters = new LinkedHashMap<>();
    private final List<String> details = new ArrayList<>();
    private String words = "";
    private String wordsText = "";
    private int fewest;
    private int most;
    private List<String> wordChoices = List.of();
    private List<String> wordOffers = List.of();
    private boolean files;
    private boolean java;
    private Function<Session, List<String>> wordsOfSession = session -> List.of();
    private Rest rest = Rest.WORDS;
    private Predicate<Arguments> tells = arguments -> false;

    private Options(String magic, String summary) {
        this.magic = magic;
        this.summary = summary;
    }

    /**
     * A magic with no arguments but {@code --help}.
     *
     * @param magic
     *            its name with percent signs
     * @param summary
     *            one sentence
     */
    public static Options of(String magic, String summary) {
        return new Options(magic, summary);
    }

    /** Adds {@code --name}. */
    public Options flag(String name, String text) {
        options.put(name, new Option(name, null, text, List.of(), List.of()));
        return this;
    }

    /** Adds {@code --name VALUE}, also written {@code --name=VALUE}. */
    public Options value(String name, String metavariable, String text) {
        return value(name, metavariable, text, List.of());
    }

    /** Adds {@code --name VALUE} and offers these for the value, which may be others too. */
    public Options value(String name, String metavariable, String text, List<String> offers) {
        options.put(name, new Option(name, metavariable, text, List.of(), offers));
        return this;
    }

    /**
     * Lets {@code -l N} and {@code -lN} before the text stand for {@code --name N}, where a number and more text follow: only
     * then it is no Java.
     */
    public Options letter(char letter, String name) {
        letters.put(letter, name);
        return this;
    }

    /** Adds {@code --name VALUE} where the value is one of a few. */
    public Options choice(String name, List<String> choices, String text) {
        options.put(name, new Option(name, String.join("|", choices), text, choices, choices));
        return this;
    }

    /** Takes between {@code fewest} and {@code most} words, shown as {@code usage}. */
    public Options words(String usage, int fewest, int most, String text) {
        this.words = usage;
        this.wordsText = text;
        this.fewest = fewest;
        this.most = most;
        return this;
    }

    /** The words, or the first of them, are among these. */
    public Options oneOf(List<String> choices) {
        this.wordChoices = choices;
        return this;
    }

    /** Offers these for the words, which may be others too. */
    public Options oneOfOrAny(List<String> choices) {
        this.wordOffers = choices;
        return this;
    }

    /** Completes the words with the session's variables. */
    public Options variables() {
        return offers(session -> session.variables().stream().map(Variable::name).toList());
    }

    /** Completes the words with what there is when it is asked. */
    public Options offers(Function<Session, List<String>> source) {
        this.wordsOfSession = source;
        return this;
    }

    /** Completes the words with names of files and folders. */
    public Options files() {
        this.files = true;
        return this;
    }

    /** Keeps everything from the first word on as one text. */
    public Options rest() {
        this.rest = Rest.TEXT;
        return this;
    }

    /** Keeps everything as one text, dashes too; there is no option but {@code --help}, alone. */
    public Options raw() {
        this.rest = Rest.RAW;
        return this;
    }

    /** The text is Java, and is completed and inspected as such. */
    public Options java() {
        this.java = true;
        return this;
    }

    /** Says that the magic changes nothing and only tells: see {@link io.vramlab.kernel.spi.Magic#onlyTells}. */
    public Options tells() {
        this.tells = arguments -> true;
        return this;
    }

    /** The same where no word says what shall change. */
    public Options tellsWithoutWords() {
        this.tells = arguments -> arguments.words().isEmpty();
        return this;
    }

    /** Adds a paragraph to the help. */
    public Options detail(String paragraph) {
        details.add(paragraph);
        return this;
    }

    /** The sentence that says what it does. */
    public String summary() {
        return summary;
    }

    /** The {@code --help} text. */
    public String help() {
        StringBuilder out = new StringBuilder(magic);
        options.values().forEach(o -> out.append(" [").append(o.usage()).append(']'));
        if (!words.isEmpty()) {
            out.append(' ').append(words);
        }
        out.append("\n  ").append(summary).append('\n');
        int width = options.values().stream().mapToInt(o -> o.usage().length()).max().orElse(0);
        width = Math.max(Math.max(width, words.length()), "--help".length());
        if (!words.isEmpty()) {
            out.append("\n  ").append(pad(words, width)).append("  ").append(wordsText);
        }
        for (Option option : options.values()) {
            out.append("\n  ").append(pad(option.usage(), width)).append("  ").append(option.text());
        }
        out.append("\n  ").append(pad("--help", width)).append("  shows this text\n");
        details.forEach(detail -> out.append('\n').append(detail).append('\n'));
        return out.toString();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /**
     * Reads the arguments.
     *
     * @throws UsageException
     *             for anything that was not declared
     */
    public Arguments parse(String written) throws UsageException {
        String text = spelledOut(written);
        Map<String, String> values = new LinkedHashMap<>();
        List<String> found = new ArrayList<>();
        if (rest == Rest.RAW && !text.strip().equals("--help")) {
            found.add(text.strip());
            found.removeIf(String::isEmpty);
            checkWords(found);
            return new Arguments(magic, values, found);
        }
        Words reader = new Words(text);
        boolean onlyWords = false;
        while (reader.hasNext()) {
            int start = reader.position();
            String word = reader.next();
            if (onlyWords || !word.startsWith("--")) {
                if (rest == Rest.TEXT) {
                    found.add(text.substring(start).strip());
                    break;
                }
                found.add(word);
            } else if (word.equals("--")) {
                onlyWords = true;
            } else {
                option(word.substring(2), reader, values);
            }
        }
        Arguments arguments = new Arguments(magic, values, found);
        if (!arguments.help()) {
            checkWords(found);
        }
        return arguments;
    }

    /** Whether a magic with these arguments only tells; not where they are mistaken. */
    boolean onlyTells(String text) {
        try {
            return tells.test(parse(text));
        } catch (UsageException mistaken) {
            return false;
        }
    }

    private String spelledOut(String text) {
        String rest = text;
        StringBuilder options = new StringBuilder();
        Matcher letter = LETTER.matcher(rest);
        while (letter.matches() && letters.containsKey(letter.group(1).charAt(0))) {
            options.append("--").append(letters.get(letter.group(1).charAt(0))).append(' ').append(letter.group(2))
                    .append(' ');
            rest = letter.group(3);
            letter = LETTER.matcher(rest);
        }
        return options + rest;
    }

    private void option(String word, Words reader, Map<String, String> values) throws UsageException {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        if (name.equals("help")) {
            values.put("help", "");
            return;
        }
        Option option = options.get(name);
        if (option == null) {
            throw new UsageException(magic + ": there is no option --" + name + ". It takes " + known() + "."
                    + Nearest.of(name, options.keySet()).map(n -> " Did you mean --" + n + "?").orElse(""));
        }
        if (option.isFlag()) {
            if (equals >= 0) {
                throw new UsageException(magic + ": --" + name + " was given \"" + word.substring(equals + 1)
                        + "\", but it takes no value. Write --" + name + " alone.");
            }
            values.put(name, "");
            return;
        }
        if (equals < 0 && !reader.hasNext()) {
            throw new UsageException(
                    magic + ": --" + name + " has no value. It needs one: write " + option.usage() + ".");
        }
        String value = equals >= 0 ? word.substring(equals + 1) : reader.next();
        if (!option.choices().isEmpty() && !option.choices().contains(value)) {
            throw new UsageException(magic + ": --" + name + " was given \"" + value + "\". It is one of "
                    + String.join(", ", option.choices()) + "."
                    + Nearest.of(value, option.choices()).map(n -> " Did you mean " + n + "?").orElse(""));
        }
        values.put(name, value);
    }

    private String known() {
        return options.values().stream().map(Option::usage).collect(Collectors.joining(", ", "", ""))
                + (options.isEmpty() ? "--help only" : " and --help");
    }

    private void checkWords(List<String> found) throws UsageException {
        if (found.size() < fewest) {
            throw new UsageException(magic + ": " + (found.isEmpty() ? "nothing was named" : "too little was named")
                    + ". It needs " + words + ": " + wordsText + ". Write " + magic + " " + words + ".");
        }
        if (found.size() > most) {
            throw new UsageException(magic + ": \"" + found.get(most) + "\" was not expected. It takes "
                    + (most == 0 ? known() : words) + ". Leave it out, or see " + magic + " --help.");
        }
        if (!wordChoices.isEmpty() && !found.isEmpty() && !wordChoices.contains(found.get(0))) {
            throw new UsageException(magic + ": \"" + found.get(0) + "\" is unknown here. It is one of "
                    + String.join(", ", wordChoices) + "."
                    + Nearest.of(found.get(0), wordChoices).map(n -> " Did you mean " + n + "?").orElse(""));
        }
    }

    /**
     * Where in a text the Java of a magic begins that takes some.
     *
     * @return a char index, -1 if there is no Java or it has not begun
     */
    public int codeStart(String text) {
        boolean help = text.startsWith("--") && "--help".startsWith(text.strip());
        if (!java || rest == Rest.RAW && help) {
            return -1;
        }
        Words reader = new Words(text);
        while (rest == Rest.TEXT && reader.hasNext()) {
            int start = reader.position();
            String word = reader.next();
            if (!word.startsWith("--")) {
                return start;
            }
            boolean takesNext = !word.contains("=") && options.containsKey(word.substring(2))
                    && !options.get(word.substring(2)).isFlag();
            if (takesNext && reader.hasNext()) {
                reader.next();
            }
        }
        return rest == Rest.RAW ? 0 : -1;
    }

    /** Candidates for the last word of the text before the cursor; names of files with blanks come quoted. */
    public List<String> complete(String text, Session session) {
        int cut = Words.lastStart(text);
        String last = text.substring(cut);
        Words before = new Words(text.substring(0, cut));
        String previous = "";
        while (before.hasNext()) {
            previous = before.next();
        }
        Option open = previous.startsWith("--") ? options.get(previous.substring(2)) : null;
        if (open != null && !open.isFlag()) {
            return open.complete("", last);
        }
        if (last.startsWith("--") && last.contains("=")) {
            String name = last.substring(2, last.indexOf('='));
            return options.containsKey(name) ? options.get(name).complete("--" + name + "=", last) : List.of();
        }
        List<String> candidates = new ArrayList<>();
        if (last.startsWith("-")) {
            options.keySet().forEach(name -> candidates.add("--" + name));
            candidates.add("--help");
        } else {
            candidates.addAll(wordChoices);
            candidates.addAll(wordOffers);
            candidates.addAll(wordsOfSession.apply(session));
        }
        candidates.removeIf(each -> !each.startsWith(last));
        candidates.addAll(files && !last.startsWith("-") ? FileNames.completing(last) : List.of());
        return candidates;
    }
}
