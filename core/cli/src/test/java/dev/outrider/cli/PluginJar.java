package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.training.TrainerFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/// A real jar, compiled from sources when a test asks for it.
final class PluginJar {
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE =
            Pattern.compile(
                    "^(?:public )?(?:final )?(?:class|record|interface) (\\w+)", Pattern.MULTILINE);

    /// Classes of sources that were compiled before.
    private static final Map<Map<String, String>, Map<String, byte[]>> COMPILED =
            new ConcurrentHashMap<>();

    private final Map<String, String> sources = new TreeMap<>();
    private final Map<String, byte[]> files = new TreeMap<>();

    /// Adds a source; package and type are read from its text, and everything of the contracts and `java.util` is imported.
    PluginJar source(String text) {
        var found = PACKAGE.matcher(text);
        var type = TYPE.matcher(text);
        if (!found.find() || !type.find()) {
            throw new IllegalArgumentException("no package or type in " + text);
        }
        var imports =
                Stream.of(
                                OutriderPlugin.class,
                                Doc.class,
                                Draft.class,
                                ErrorCode.class,
                                AcceptanceRule.class,
                                DecodeEvent.class,
                                Randomness.class,
                                TargetModel.class,
                                TokenTree.class,
                                List.class)
                        .map(each -> "import " + each.getPackageName() + ".*; ")
                        .collect(Collectors.joining());
        sources.put(
                found.group(1).replace('.', '/') + "/" + type.group(1) + ".java",
                text.replaceFirst("(package [\\w.]+;)", "$1 " + imports));
        return this;
    }

    /// Adds a file.
    PluginJar file(String name, String text) {
        return file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Adds a file.
    PluginJar file(String name, byte[] content) {
        files.put(name, content);
        return this;
    }

    /// Adds names of implementations of [OutriderPlugin].
    PluginJar provider(String... types) {
        return file(
                "META-INF/services/" + OutriderPlugin.class.getName(), String.join("\n", types));
    }

    /// Compiles the sources and packs the jar.
    ///
    /// @param jar where; folders are made
    Path write(Path jar) throws IOException {
        var classes = COMPILED.get(sources);
        if (classes == null) {
            classes = compiled();
            COMPILED.put(Map.copyOf(sources), classes);
        }
        Files.createDirectories(jar.toAbsolutePath().getParent());
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var all : List.of(classes, files)) {
                for (var file : all.entrySet()) {
                    out.putNextEntry(new JarEntry(file.getKey()));
                    out.write(file.getValue());
                    out.closeEntry();
                }
            }
        }
        return jar;
    }

    private Map<String, byte[]> compiled() throws IOException {
        Map<String, byte[]> compiled = new TreeMap<>();
        Path work = Files.createTempDirectory("plugin-jar");
        try {
            Path classes = Files.createDirectories(work.resolve("classes"));
            if (!sources.isEmpty()) {
                compile(work, classes);
            }
            try (Stream<Path> all = Files.walk(classes)) {
                for (var file : all.filter(Files::isRegularFile).toList()) {
                    compiled.put(classes.relativize(file).toString(), Files.readAllBytes(file));
                }
            }
        } finally {
            try (Stream<Path> all = Files.walk(work)) {
                for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        return compiled;
    }

    private void compile(Path work, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters"));
        arguments.addAll(List.of("-d", classes.toString(), "-cp", classPath()));
        for (var source : sources.entrySet()) {
            Path file = work.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        try (var manager =
                compiler.getStandardFileManager(problems, Locale.ROOT, StandardCharsets.UTF_8)) {
            var options = arguments.stream().filter(each -> !each.endsWith(".java")).toList();
            var units = arguments.stream().filter(each -> each.endsWith(".java")).toList();
            boolean done =
                    compiler.getTask(
                                    new StringWriter(),
                                    manager,
                                    problems,
                                    options,
                                    List.of(),
                                    manager.getJavaFileObjectsFromStrings(units))
                            .call();
            if (!done) {
                throw new IllegalStateException(problems.getDiagnostics().toString());
            }
        }
    }

    /// Returns the class path for compiling plugins. It contains the engine, which plugins should not see.
    private static String classPath() {
        return Stream.of(
                        OutriderPlugin.class,
                        NullMarked.class,
                        TreeExpander.class,
                        TrainerFactory.class,
                        Ticker.class,
                        PluginRegistry.class)
                .map(PluginJar::place)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
