package dev.outrider.cli;

import dev.outrider.common.FailureReason;
import dev.outrider.engine.plugins.ComponentKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider plugins new`: writes a plugin that builds and passes the checks, as a start for a new one.
@Command(name = "new")
final class PluginsNewCommand extends Subcommand {
    private static final Pattern PACKAGE = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*");

    @Parameters(paramLabel = "NAME")
    private String name = "";

    @Option(names = "--kind", defaultValue = "drafter")
    private Skeleton kind = Skeleton.DRAFTER;

    @Option(names = "--out", paramLabel = "DIR")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--package", paramLabel = "PACKAGE")
    private Optional<String> ofPackage = Optional.empty();

    @Override
    public Integer call() {
        var chosen = ofPackage.orElse("com.example." + name.replace("-", ""));
        check(Skeleton.NAME, name, "lower-case words joined by hyphens, such as my-drafter");
        check(PACKAGE, chosen, "a Java package, such as org.acme.drafting");
        if (!SourceVersion.isName(chosen)) {
            throw wrong(
                    "'%s' is not a Java package, for a part of it is a keyword; choose another --package"
                            .formatted(chosen));
        }
        if (taken()) {
            throw wrong("'%s' is a name that is taken; choose another".formatted(name));
        }
        Path folder = out.orElse(Path.of(name));
        try {
            var clash = kind.clash(context().root(), name);
            if (clash.isPresent()) {
                throw wrong(
                        "'%s' would give a class the name of Outrider's own %s; choose another"
                                .formatted(name, clash.get()));
            }
            requireNew(folder);
            kind.write(context().root(), name, chosen, folder);
        } catch (IOException e) {
            throw FailureReason.writing("the folder", folder, e);
        }
        out().print(
                        """
                        %1$s is written. Next:
                          mvn install -Dmaven.test.skip=true   in Outrider's checkout, once
                          mvn -f %1$s/pom.xml verify
                        %1$s/README.md says how to install it, docs/guide/plugin-guide.md explains the code.
                        """
                                .formatted(folder));
        return ExitCode.OK;
    }

    private boolean taken() {
        return switch (kind) {
            case DRAFTER -> context().plugins().all(ComponentKind.DRAFTER).names().contains(name);
            case RULE ->
                    context().plugins().all(ComponentKind.ACCEPTANCE_RULE).names().contains(name);
        };
    }

    private void check(Pattern pattern, String value, String expected) {
        if (!pattern.matcher(value).matches()) {
            throw wrong("'%s' is not %s".formatted(value, expected));
        }
    }

    private void requireNew(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw wrong("'%s' is there already and not empty".formatted(folder));
                }
            }
        }
    }

    /// One of the examples under another name: the output of `plugins new`. There is no second copy of the examples that could
    /// become outdated.
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
        /// @param out        folder for it, which does not exist or is empty
        void write(Path root, String newName, String newPackage, Path out) throws IOException {
            Path source = root.resolve("examples").resolve(example);
            var words = words(newName, newPackage, root, out);
            for (Path file : files(root)) {
                Path copy = out.resolve(replaced(unixPath(source.relativize(file)), words));
                Files.createDirectories(copy.toAbsolutePath().getParent());
                Files.writeString(copy, replaced(Files.readString(file), words));
            }
        }

        /// Returns the files of the example, without those of a build.
        private List<Path> files(Path root) throws IOException {
            Path source = root.resolve("examples").resolve(example);
            try (Stream<Path> files = Files.walk(source)) {
                return files.filter(Files::isRegularFile)
                        .filter(file -> !file.startsWith(source.resolve("target")))
                        .sorted()
                        .toList();
            }
        }

        /// Returns a class of the contracts that the example uses and that a renamed class would hide.
        ///
        /// @param root    the checkout
        /// @param newName name of the new component
        Optional<String> clash(Path root, String newName) throws IOException {
            var used = new TreeSet<String>();
            var own = new HashSet<String>();
            for (Path file : files(root)) {
                var name = file.getFileName().toString();
                if (name.endsWith(".java")) {
                    own.add(name.replace(".java", "").replace(camel(this.name), camel(newName)));
                    CONTRACT.matcher(Files.readString(file))
                            .results()
                            .forEach(found -> used.add(found.group(1)));
                }
            }
            used.retainAll(own);
            return used.stream().findFirst();
        }

        /// Returns the replacements; if one word begins with another, the longer one is first.
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
                            Matcher.quoteReplacement(
                                    words.getOrDefault(found.group(), found.group())));
        }

        /// Returns `fuzzy-lookup` as the name of a class: `FuzzyLookup`.
        private static String camel(String name) {
            return Stream.of(name.split("-", -1))
                    .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                    .collect(Collectors.joining());
        }

        /// Returns `fuzzy-lookup` as a title: `Fuzzy lookup`.
        private static String sentence(String name) {
            return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('-', ' ');
        }

        private static String unixPath(Path path) {
            return path.toString().replace('\\', '/');
        }
    }
}
