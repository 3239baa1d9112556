package dev.outrider.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One of the examples under another name: what `plugins new` writes. There is no second copy of them that could fall behind.
enum Skeleton {
    /// The fuzzy lookup.
    DRAFTER("third-party-drafter", "fuzzy-lookup", "com.example.fuzzylookup"),
    /// The handicap.
    RULE("third-party-acceptance-rule", "handicap", "com.example.handicap");

    /// Names that configurations can use.
    static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*");

    private static final Pattern CONTRACT =
            Pattern.compile("(?m)^import dev\\.outrider\\.spi\\.[a-z.]*([A-Z]\\w*);");

    private final String example;
    private final String name;
    private final String ofPackage;

    Skeleton(String example, String name, String ofPackage) {
        this.example = example;
        this.name = name;
        this.ofPackage = ofPackage;
    }

    /// Writes the example.
    ///
    /// @param root       the checkout
    /// @param newName    name of the new component
    /// @param newPackage its package
    /// @param out        folder for it, which is not there or empty
    void write(Path root, String newName, String newPackage, Path out) throws IOException {
        Path source = root.resolve("examples").resolve(example);
        var words = words(newName, newPackage, root, out);
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                var relative = source.relativize(file);
                if (!relative.startsWith("target")) {
                    Path copy = out.resolve(replaced(unixPath(relative), words));
                    Files.createDirectories(copy.toAbsolutePath().getParent());
                    Files.writeString(copy, replaced(Files.readString(file), words));
                }
            }
        }
    }

    /// A class of the contracts that the example uses and that one of its own would hide under another name.
    ///
    /// @param root    the checkout
    /// @param newName name of the new component
    Optional<String> clash(Path root, String newName) throws IOException {
        var used = new TreeSet<String>();
        var own = new HashSet<String>();
        try (Stream<Path> files = Files.walk(root.resolve("examples").resolve(example))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
                var type = file.getFileName().toString().replace(".java", "");
                own.add(type.replace(camel(name), camel(newName)));
                CONTRACT.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> used.add(found.group(1)));
            }
        }
        used.retainAll(own);
        return used.stream().findFirst();
    }

    /// What is replaced by what, longer words first where one begins with another.
    private Map<String, String> words(String newName, String newPackage, Path root, Path out) {
        Path home = root.toAbsolutePath().normalize();
        Path place = out.toAbsolutePath().normalize();
        var words = new LinkedHashMap<String, String>();
        words.put("examples/" + example, unixPath(home.relativize(place)));
        words.put("../../models", unixPath(place.relativize(home.resolve("models"))));
        words.put("../../configs", unixPath(place.relativize(home.resolve("configs"))));
        words.put(ofPackage, newPackage);
        words.put(ofPackage.replace('.', '/'), newPackage.replace('.', '/'));
        words.put(camel(name), camel(newName));
        words.put(sentence(name), sentence(newName));
        words.put(name, newName);
        return words;
    }

    private static String replaced(String text, Map<String, String> words) {
        var any = words.keySet().stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return Pattern.compile(any)
                .matcher(text)
                .replaceAll(found ->
                        Matcher.quoteReplacement(words.getOrDefault(found.group(), found.group())));
    }

    /// `fuzzy-lookup` as a class is called: `FuzzyLookup`.
    private static String camel(String name) {
        return Stream.of(name.split("-", -1))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }

    /// `fuzzy-lookup` as a title: `Fuzzy lookup`.
    private static String sentence(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('-', ' ');
    }

    private static String unixPath(Path path) {
        return path.toString().replace('\\', '/');
    }
}
