package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compiles the sources of `src/tornado` with the main code of this build. A normal build compiles them only with TornadoVM's
/// SDK. Here the errors about TornadoVM's missing types are ignored; any other error fails the test.
class DeviceSourcesTest {
    private static final Pattern SDK_TYPE =
            Pattern.compile("import (?:static )?uk\\.ac\\.manchester\\.[\\w.]*?(\\w+);");

    /// The compiler's errors for a missing package or class, and for an exception that may be checked.
    private static final Set<String> ABSENT =
            Set.of(
                    "compiler.err.doesnt.exist",
                    "compiler.err.unreported.exception.need.to.catch.or.throw",
                    "compiler.err.cant.resolve",
                    "compiler.err.cant.resolve.location");

    @TempDir private Path folder;

    @Test
    void fitTheMainCode() throws IOException {
        assertThat(mistakes(sources())).isEmpty();
    }

    @Test
    void aCallThatTheMainCodeDoesNotHaveIsFound() throws IOException {
        var wrong = folder.resolve("Wrong.java");
        Files.writeString(
                wrong,
                """
                import uk.ac.manchester.tornado.api.KernelContext;
                class Wrong {
                    void run(KernelContext context) {
                        int lanes = context.localIdx;
                        new dev.outrider.treeverify.pass.PassCost("", lanes).launches();
                        Missing.run(context);
                    }
                }
                """);
        assertThat(mistakes(List.of(wrong)))
                .hasSize(2)
                .anyMatch(mistake -> mistake.contains("PassCost"))
                .anyMatch(mistake -> mistake.contains("Missing"));
    }

    private static List<Path> sources() throws IOException {
        try (var files = Files.walk(Path.of("src/tornado/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private List<String> mistakes(List<Path> sources) throws IOException {
        var absent = sdkTypes(sources);
        var found = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            var options =
                    List.of(
                            "-proc:none",
                            "-Xmaxerrs",
                            "10000",
                            "-XDshould-stop.ifError=FLOW",
                            "--add-modules",
                            "jdk.incubator.vector",
                            "-d",
                            folder.toString());
            compiler.getTask(
                            null,
                            files,
                            found,
                            options,
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .filter(each -> !ofTheSdk(each, absent))
                .map(each -> each.toString().lines().collect(Collectors.joining(" ")))
                .toList();
    }

    private static Set<String> sdkTypes(List<Path> sources) throws IOException {
        var types = new HashSet<String>();
        for (var source : sources) {
            SDK_TYPE.matcher(Files.readString(source))
                    .results()
                    .forEach(match -> types.add(match.group(1)));
        }
        return types;
    }

    private static boolean ofTheSdk(Diagnostic<?> each, Set<String> absent) {
        var message = each.getMessage(Locale.ROOT);
        return ABSENT.contains(each.getCode())
                && (message.contains("uk.ac.manchester")
                        || absent.stream()
                                .anyMatch(type ->
                                        Pattern.compile("\\b" + type + "\\b")
                                                .matcher(message)
                                                .find()));
    }
}
