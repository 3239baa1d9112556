package dev.outrider.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Searches for new findings: runs Jazzer on every target in turn, each in a separate process. The
/// corpus is kept for the next search. An input that causes a failure is written to `findings`.
///
/// `Search FOLDER SECONDS [TARGET,TARGET...]`
public final class Search {
    private static final String MAIN = "com.code_intelligence.jazzer.Jazzer";

    private Search() {}

    /// Searches; exits with 1 if anything was found.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var folder = Path.of(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        var found = new ArrayList<String>();
        for (var target : chosen(arguments.length > 2 ? arguments[2] : "")) {
            System.out.printf("== %s, %d s%n", target.id(), seconds);
            if (run(target, folder.resolve(target.id()), seconds) != 0) {
                found.add(target.id());
            }
        }
        System.out.println(
                found.isEmpty()
                        ? "nothing found"
                        : "found something in " + String.join(", ", found));
        System.exit(found.isEmpty() ? 0 : 1);
    }

    private static List<Target> chosen(String names) {
        if (names.isBlank()) {
            return List.of(Target.values());
        }
        return Stream.of(names.split(","))
                .map(name ->
                        Target.of(name)
                                .orElseThrow(() ->
                                        new IllegalArgumentException(
                                                "there is no target '%s', expected some of %s"
                                                        .formatted(
                                                                name,
                                                                Stream.of(Target.values())
                                                                        .map(Target::id)
                                                                        .toList()))))
                .toList();
    }

    private static int run(Target target, Path folder, int seconds)
            throws IOException, InterruptedException {
        var corpus = Files.createDirectories(folder.resolve("corpus"));
        var findings = Files.createDirectories(folder.resolve("findings"));
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-Xmx1g",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Doutrider.fuzz.target=" + target.id(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        MAIN,
                        "--target_class=" + Fuzzed.class.getName(),
                        "--instrumentation_includes=dev.outrider.**",
                        "--custom_hook_includes=dev.outrider.**",
                        "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.*",
                        "-max_total_time=" + seconds,
                        "-timeout=20",
                        "-rss_limit_mb=3000",
                        "-max_len=65536",
                        "-print_final_stats=1",
                        "-artifact_prefix=" + findings + "/",
                        corpus.toString(),
                        Seeds.folder(target).toString())
                .inheritIO()
                .start()
                .waitFor();
    }
}
