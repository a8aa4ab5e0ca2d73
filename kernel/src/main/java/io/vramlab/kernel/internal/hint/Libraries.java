package io.vramlab.kernel.internal.hint;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Well-known classes of libraries that are not here, and the {@code %maven} line that brings them. */
final class Libraries {

    /** A class with the library that it is in. */
    record Home(String className, String coordinates) {
    }

    /** Simple name to library; every version named here was on Maven Central when it was written down. */
    static final Map<String, Home> CLASSES = classes();

    private Libraries() {
    }

    /** The library of a class. */
    static Optional<Home> of(String simpleName) {
        return Optional.ofNullable(CLASSES.get(simpleName));
    }

    private static Map<String, Home> classes() {
        Map<String, Home> all = new TreeMap<>();
        put(all, "com.google.code.gson:gson:2.13.2", "com.google.gson", "Gson", "GsonBuilder", "JsonParser",
                "JsonObject",
                "JsonArray");
        put(all, "com.google.guava:guava:33.0.0-jre", "com.google.common.collect", "ImmutableList", "ImmutableMap",
                "ImmutableSet", "Multimap", "ArrayListMultimap", "HashMultimap", "BiMap", "HashBiMap", "Lists", "Maps",
                "Sets", "Iterables");
        put(all, "com.google.guava:guava:33.0.0-jre", "com.google.common.base", "Joiner", "Preconditions",
                "Strings", "Stopwatch");
        put(all, "org.apache.commons:commons-lang3:3.17.0", "org.apache.commons.lang3", "StringUtils", "ArrayUtils",
                "RandomStringUtils");
        put(all, "commons-io:commons-io:2.18.0", "org.apache.commons.io", "FileUtils", "IOUtils", "FilenameUtils");
        put(all, "org.apache.commons:commons-csv:1.12.0", "org.apache.commons.csv", "CSVParser", "CSVFormat",
                "CSVRecord");
        put(all, "org.apache.commons:commons-math3:3.6.1", "org.apache.commons.math3.stat.descriptive",
                "DescriptiveStatistics", "SummaryStatistics");
        put(all, "com.fasterxml.jackson.core:jackson-databind:2.18.2", "com.fasterxml.jackson.databind", "ObjectMapper",
                "JsonNode");
        put(all, "org.jsoup:jsoup:1.18.3", "org.jsoup", "Jsoup");
        return all;
    }

    private static void put(Map<String, Home> all, String coordinates, String packageName, String... names) {
        for (String name : names) {
            all.put(name, new Home(packageName + "." + name, coordinates));
        }
    }
}
