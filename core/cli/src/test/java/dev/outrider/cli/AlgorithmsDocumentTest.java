package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Code cites sections of `docs/reference/algorithms.md`, and the document's lines `Code:` name classes. Both must exist.
class AlgorithmsDocumentTest {
    private static final String DOCUMENT = "docs/reference/algorithms.md";

    private static final Pattern HEADING =
            Pattern.compile("^##+ ([AC](?:\\d+(?:\\.\\d+)?)?) ", Pattern.MULTILINE);
    private static final Pattern INVARIANT =
            Pattern.compile("^- \\*\\*(I\\d+)\\*\\* ", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("^Code: (.+)$", Pattern.MULTILINE);
    private static final Pattern NAMED = Pattern.compile("`(\\w+)`");
    private static final Pattern TYPE =
            Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");

    private static final String ID = "[AIC]\\d+(?:\\.\\d+)?";
    private static final Pattern CITATION =
            Pattern.compile("docs/reference/algorithms\\.md(?: (" + ID + "(?:, " + ID + ")*))?");
    private static final Pattern ANOTHER_FORM =
            Pattern.compile("(?<![/\\w])algorithms (" + ID + ")");
    private static final Pattern NEXT_LINE_OF_A_COMMENT = Pattern.compile("\\s*\\n\\s*(?:///? ?)?");

    private static final Set<String> NOT_SOURCES =
            Set.of(".git", "target", "results", "node_modules");
    private static final Map<Path, String> FILES = new TreeMap<>();

    private static String document = "";

    @BeforeAll
    static void readsTheRepository() throws IOException {
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) {
                        return NOT_SOURCES.contains(String.valueOf(folder.getFileName()))
                                        && !folder.toString().contains("/src/")
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes is)
                            throws IOException {
                        if (file.toString().matches(".*\\.(java|md|yaml)")) {
                            FILES.put(ROOT.relativize(file), Files.readString(file));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        document = FILES.getOrDefault(Path.of(DOCUMENT), "");
    }

    @Test
    void everyCitationNamesASectionThatExists() {
        var sections = sections();
        List<String> cited = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        FILES.forEach((file, text) -> {
            for (var citation : citations(file, text)) {
                cited.add(citation);
                if (!sections.contains(citation)) {
                    wrong.add("%s cites %s".formatted(file, citation));
                }
            }
        });

        assertThat(wrong).as("sections of %s: %s", DOCUMENT, sections).isEmpty();
        assertThat(cited).hasSizeGreaterThan(30);
    }

    @Test
    void everyCitationInCodeNamesTheDocumentAndASection() {
        List<String> wrong = new ArrayList<>();
        FILES.forEach((file, text) -> {
            var plain = withoutLineBreaks(text);
            ANOTHER_FORM
                    .matcher(plain)
                    .results()
                    .forEach(found -> wrong.add("%s: %s".formatted(file, found.group())));
            if (file.toString().endsWith(".java") && !file.endsWith(ownName())) {
                CITATION.matcher(plain)
                        .results()
                        .filter(found -> found.start(1) < 0)
                        .forEach(found -> wrong.add("%s: no section".formatted(file)));
            }
        });

        assertThat(wrong).as("expected a citation such as '%s A5.3, I1'", DOCUMENT).isEmpty();
    }

    @Test
    void everySectionNamesAClass() {
        List<String> without = new ArrayList<>();
        var headings = HEADING.matcher(document).results().toList();
        for (int i = 0; i < headings.size(); i++) {
            int end = i + 1 < headings.size() ? headings.get(i + 1).start() : document.length();
            var id = headings.get(i).group(1);
            boolean hasSubsections =
                    i + 1 < headings.size() && isWithin(id, headings.get(i + 1).group(1));
            var section = document.substring(headings.get(i).start(), end);
            if (!hasSubsections && named(section).isEmpty()) {
                without.add(id);
            }
        }

        assertThat(without).as("sections of %s that name no class", DOCUMENT).isEmpty();
        assertThat(headings).hasSizeGreaterThan(40);
    }

    @Test
    void sectionsAreNumberedOnceAndInOrder() {
        var ids = HEADING.matcher(document).results().map(found -> found.group(1)).toList();

        assertThat(ids)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(
                        Comparator.comparing((String id) -> id.charAt(0))
                                .thenComparing(id -> number(id, 0))
                                .thenComparing(id -> number(id, 1)));
    }

    @Test
    void everyClassItNamesExists() {
        var types =
                FILES.entrySet().stream()
                        .filter(file -> file.getKey().toString().endsWith(".java"))
                        .flatMap(file -> TYPE.matcher(file.getValue()).results())
                        .map(found -> found.group(1))
                        .collect(Collectors.toSet());

        assertThat(named(document)).hasSizeGreaterThan(60).isSubsetOf(types);
    }

    private static List<String> citations(Path file, String text) {
        return CITATION.matcher(withoutLineBreaks(text))
                .results()
                .filter(found -> found.start(1) >= 0 && !file.endsWith(ownName()))
                .flatMap(found -> List.of(found.group(1).split(", ")).stream())
                .toList();
    }

    private static String withoutLineBreaks(String text) {
        return NEXT_LINE_OF_A_COMMENT.matcher(text).replaceAll(" ");
    }

    private static Set<String> sections() {
        var all = new LinkedHashSet<String>();
        HEADING.matcher(document).results().map(found -> found.group(1)).forEach(all::add);
        INVARIANT.matcher(document).results().map(found -> found.group(1)).forEach(all::add);
        return all;
    }

    /// Returns the classes that the lines `Code:` of a text name.
    private static SortedSet<String> named(String text) {
        return CODE.matcher(text)
                .results()
                .flatMap(line -> NAMED.matcher(line.group(1)).results())
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isWithin(String id, String next) {
        return id.length() == 1 ? next.startsWith(id) : next.startsWith(id + ".");
    }

    private static int number(String id, int place) {
        var numbers = id.substring(1).split("\\.");
        return place < numbers.length && !numbers[place].isEmpty()
                ? Integer.parseInt(numbers[place])
                : 0;
    }

    /// This file mentions citations but contains none.
    private static String ownName() {
        return AlgorithmsDocumentTest.class.getSimpleName() + ".java";
    }
}
