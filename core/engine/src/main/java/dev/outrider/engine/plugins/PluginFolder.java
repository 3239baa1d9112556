package dev.outrider.engine.plugins;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// A folder with the jars of one plugin, looked at without running any of its code. Immutable.
///
/// @param id       the folder's name
/// @param jars     its jars in order of their names, at least one
/// @param provider the class that implements [OutriderPlugin]
record PluginFolder(String id, List<Path> jars, String provider) {
    private static final String SERVICE = "META-INF/services/" + OutriderPlugin.class.getName();
    private static final String VERSIONS = "META-INF/versions/";
    private static final int MAX_SERVICE_BYTES = 1 << 16;

    PluginFolder {
        jars = List.copyOf(jars);
    }

    /// Its name in errors.
    static String origin(String id) {
        return "plugin '%s'".formatted(id);
    }

    /// A provider a jar names.
    private record Named(String type, Path jar) {}

    /// Looks at a folder.
    ///
    /// @throws OutriderException `PLUGIN_INVALID` if it is no folder, has no readable jar, no provider, or brings classes that
    ///                           the host shares with plugins; `PLUGIN_DUPLICATE` if it names more than one provider
    static PluginFolder read(Path folder) {
        String id = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        if (Files.isRegularFile(folder)) {
            throw invalid(
                    "'%s' is a file, expected the folder that holds the plugin's jars"
                            .formatted(folder),
                    "Copy it to a folder of its own, such as plugins/my-drafter, and give that.");
        }
        if (!Files.isDirectory(folder)) {
            throw invalid(
                    "there is no plugin folder '%s'".formatted(folder),
                    "Give the folder that holds the plugin's jars, such as plugins/my-drafter.");
        }
        var jars = jars(folder, id);
        var named = new ArrayList<Named>();
        for (var jar : jars) {
            named.addAll(providers(jar, id));
        }
        if (named.isEmpty()) {
            throw invalid(
                    "%s has no provider: none of its jars has %s".formatted(origin(id), SERVICE),
                    "Add that file to the jar, with one line: the name of the class that implements OutriderPlugin.");
        }
        if (named.size() > 1) {
            throw ErrorCode.PLUGIN_DUPLICATE.error(
                    "%s names %d providers, expected one: %s in %s, %s in %s"
                            .formatted(
                                    origin(id),
                                    named.size(),
                                    named.get(0).type(),
                                    named.get(0).jar().getFileName(),
                                    named.get(1).type(),
                                    named.get(1).jar().getFileName()),
                    "Remove the older jar, or give each plugin a folder of its own.");
        }
        return new PluginFolder(id, jars, named.getFirst().type());
    }

    private static List<Path> jars(Path folder, String id) {
        try (var files = Files.list(folder)) {
            var jars =
                    files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                            .sorted()
                            .toList();
            if (jars.isEmpty()) {
                throw invalid(
                        "%s has no jar in '%s'".formatted(origin(id), folder),
                        folderWithJars(folder)
                                .map(
                                        "Jars are one folder further down, as in %s: a plugin is one folder."
                                                ::formatted)
                                .orElse("Put the plugin's jar there, or remove the folder."));
            }
            return jars;
        } catch (IOException e) {
            throw unreadable(origin(id), folder, e);
        }
    }

    private static Optional<Path> folderWithJars(Path folder) throws IOException {
        try (var below = Files.find(folder, 2, (file, _) -> file.toString().endsWith(".jar"))) {
            return below.map(Path::getParent).sorted().findFirst();
        }
    }

    private static List<Named> providers(Path file, String id) {
        try (var jar = new JarFile(file.toFile())) {
            jar.stream().forEach(entry -> refuseShared(entry, file, id));
            var service = Optional.ofNullable(jar.getJarEntry(SERVICE));
            if (service.isEmpty()) {
                return List.of();
            }
            try (var in = jar.getInputStream(service.get())) {
                var text = new String(in.readNBytes(MAX_SERVICE_BYTES), StandardCharsets.UTF_8);
                return text.lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(line -> !line.isEmpty())
                        .map(type -> new Named(type, file))
                        .toList();
            }
        } catch (IOException e) {
            throw unreadable(origin(id), file, e);
        }
    }

    /// Refuses a class that plugins share with the host: it would be unused, or a second version of the host's class.
    private static void refuseShared(JarEntry entry, Path jar, String id) {
        var name = entry.getName();
        if (name.startsWith(VERSIONS)) {
            name = name.substring(name.indexOf('/', VERSIONS.length()) + 1);
        }
        var type = name.replace('/', '.');
        boolean shared = PluginClassLoader.SHARED.stream().anyMatch(type::startsWith);
        if (shared && name.endsWith(".class")) {
            throw invalid(
                    "%s brings a copy of %s in %s, which Outrider provides"
                            .formatted(
                                    origin(id),
                                    type.replaceFirst("\\.class$", ""),
                                    jar.getFileName()),
                    "Build the plugin without it: in Maven, give the dependency the scope 'provided'.");
        }
    }

    private static OutriderException invalid(String problem, String remedy) {
        return ErrorCode.PLUGIN_INVALID.error(problem, remedy);
    }

    private static OutriderException unreadable(String origin, Path file, IOException cause) {
        return ErrorCode.PLUGIN_INVALID.error(
                "%s cannot be read at '%s': %s".formatted(origin, file, cause.getMessage()),
                "Copy the plugin's jar again, or remove it.",
                cause);
    }
}
