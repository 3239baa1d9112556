package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Checks that the table of broken plugins in docs/reference/plugin-failures.md names all tests that use broken plugins, and no
/// other tests.
class FaultTableTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\|([^|]+)\\|([^|]+)\\|([^|]*)\\|([^|]*`\\w+Test\\.[^|]+)\\|$");
    private static final Pattern NAME = Pattern.compile("`(?:(\\w+)\\.)?(\\w+)`");
    private static final Pattern TEST =
            Pattern.compile("@(?:Parameterized)?Test\\b[^{;]*?\\bvoid (\\w+)\\(");

    /// The classes with tests of broken plugins, and the tests in them that use good plugins.
    private static final Map<String, Set<String>> BROKEN =
            Map.of(
                    "core/cli/src/test/java/dev/outrider/cli/PluginFoldersTest",
                    Set.of(
                            "aPluginOfAFolderStandsBesideOutridersOwn",
                            "withoutADirectoryThereAreNoPlugins",
                            "filesAndHiddenFoldersDoNotCount",
                            "twoPluginsMayBringDifferentVersionsOfOneLibrary",
                            "aPluginsOwnCopyOfAHostLibraryWinsOverTheHosts"),
                    "core/testkit/src/test/java/dev/outrider/testkit/FailingDraftersTest",
                    Set.of(),
                    "core/testkit/src/test/java/dev/outrider/testkit/FailingRulesTest",
                    Set.of(),
                    "core/cli/src/test/java/dev/outrider/cli/CellProcessesTest",
                    Set.of(),
                    "core/testkit/src/test/java/dev/outrider/testkit/DrafterSuiteCatchesFaultsTest",
                    Set.of(),
                    "core/testkit/src/test/java/dev/outrider/testkit/DrafterSuiteCatchesSharingTest",
                    Set.of("whatIsMadeOnceOrFillsUpToALimitIsNoLeak"));

    @Test
    void everyTestOfABrokenPluginIsInTheTable() throws IOException {
        var named = named();
        for (var each : BROKEN.entrySet()) {
            var tests = tests(each.getKey());
            tests.removeAll(each.getValue());
            var name = each.getKey().substring(each.getKey().lastIndexOf('/') + 1);

            assertThat(named.get(name)).as(name).isEqualTo(tests);
        }
    }

    @Test
    void everyTestOfTheTableIsThere() throws IOException {
        var sources = testSources();
        for (var each : named().entrySet()) {
            var source = sources.get(each.getKey() + ".java");
            assertThat(source).as(each.getKey()).isNotNull();
            assertThat(TEST.matcher(Files.readString(source)).results())
                    .extracting(match -> match.group(1))
                    .as(each.getKey())
                    .containsAll(each.getValue());
        }
    }

    /// Returns the sources of tests in all modules, by the names of their files.
    private static Map<String, Path> testSources() throws IOException {
        Map<String, Path> sources = new TreeMap<>();
        try (var modules = Files.walk(ROOT, 2)) {
            for (var module : modules.map(folder -> folder.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(module)) {
                    try (var files = Files.walk(module)) {
                        files.filter(Files::isRegularFile)
                                .forEach(file -> sources.put(file.getFileName().toString(), file));
                    }
                }
            }
        }
        return sources;
    }

    @Test
    void everyCodeOfTheTableIsOne() throws IOException {
        var codes = ErrorCode.standard().stream().map(ErrorCode::name).collect(Collectors.toSet());
        var inTable =
                ROW.matcher(guide())
                        .results()
                        .flatMap(row -> NAME.matcher(row.group(3)).results())
                        .map(code -> code.group(2))
                        .toList();

        assertThat(inTable).isNotEmpty().isSubsetOf(codes);
    }

    /// Returns the tests that the table names, by their class.
    private static Map<String, Set<String>> named() throws IOException {
        Map<String, Set<String>> named = new TreeMap<>();
        ROW.matcher(guide())
                .results()
                .forEach(row -> {
                    String type = "";
                    for (var name : NAME.matcher(row.group(4)).results().toList()) {
                        type = name.group(1) == null ? type : name.group(1);
                        named.computeIfAbsent(type, any -> new TreeSet<>()).add(name.group(2));
                    }
                });
        assertThat(named).hasSizeGreaterThan(5);
        return named;
    }

    private static Set<String> tests(String source) throws IOException {
        return TEST.matcher(Files.readString(ROOT.resolve(source + ".java")))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String guide() throws IOException {
        return Files.readString(ROOT.resolve("docs/reference/plugin-failures.md"));
    }
}
