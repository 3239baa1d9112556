package dev.outrider.treeverify.sdk;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/// A TornadoVM SDK in a folder.
///
/// @param home     the folder, as `TORNADOVM_HOME` names it
/// @param version  such as `5.2.0-jdk25`
/// @param backends how it can compile kernels: `opencl`, `ptx`, `cuda`, `spirv`
public record TornadoSdk(Path home, String version, List<String> backends) {
    /// The variable that names the folder of an SDK.
    public static final String VARIABLE = "TORNADOVM_HOME";

    private static final String STANDARD_PLACE = ".sdkman/candidates/tornadovm/current";

    public TornadoSdk {
        backends = List.copyOf(backends);
    }

    /// The SDK of this process's environment, if there is one.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` if there is a folder that is none
    public static Optional<TornadoSdk> find() {
        return find(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /// The SDK that `TORNADOVM_HOME` names, else the one where SDKMAN puts it.
    ///
    /// @param environment   variables of the process
    /// @param userDirectory the user's home
    static Optional<TornadoSdk> find(Map<String, String> environment, Path userDirectory) {
        var named =
                Optional.ofNullable(environment.get(VARIABLE)).filter(value -> !value.isBlank());
        if (named.isPresent()) {
            return Optional.of(read(Path.of(named.get())));
        }
        var standard = userDirectory.resolve(STANDARD_PLACE);
        return Files.isDirectory(standard) ? Optional.of(read(standard)) : Optional.empty();
    }

    /// The SDK in a folder.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` if the folder holds none
    static TornadoSdk read(Path home) {
        var version = property(home, "etc/tornado.release", "version");
        var backends = property(home, "etc/tornado.backend", "tornado.backends");
        return new TornadoSdk(
                home,
                version,
                Arrays.stream(backends.split(","))
                        .map(name -> name.strip().replace("-backend", ""))
                        .filter(name -> !name.isEmpty())
                        .toList());
    }

    /// The version Outrider's device code is written for and built with.
    public static String expectedVersion() {
        var properties = new Properties();
        try (var in = TornadoSdk.class.getResourceAsStream("build.properties")) {
            if (in == null) {
                throw new IllegalStateException("build.properties is not on the class path");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("build.properties cannot be read", e);
        }
        return properties.getProperty("tornadovm.version", "");
    }

    /// Options that start a JVM with this SDK.
    public Path argumentFile() {
        return home.resolve("tornado-argfile");
    }

    /// The options of [#argumentFile], or of the template a fresh SDK has in its place, one argument each. Left out
    /// are the current folder on the module path, where any jar would become a module, and the choice of a collector.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` if there is neither
    public List<String> jvmOptions() {
        var file = argumentFile();
        if (!Files.isReadable(file)) {
            file = home.resolve("tornado-argfile.template");
        }
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .filter(line -> !line.matches("-XX:\\+Use.*GC|--enable-preview"))
                    .map(line -> line.replace("${TORNADOVM_HOME}", home.toString()))
                    .map(line -> line.replace("--module-path .:", "--module-path "))
                    .flatMap(line -> Arrays.stream(line.split(" ", 2)))
                    .toList();
        } catch (IOException e) {
            throw notAnSdk(home, "there is neither tornado-argfile nor its template", e);
        }
    }

    private static String property(Path home, String file, String key) {
        var path = home.resolve(file);
        var properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path)) {
            properties.load(reader);
        } catch (IOException e) {
            throw notAnSdk(home, file + " cannot be read", e);
        }
        var value = properties.getProperty(key, "").strip();
        if (value.isEmpty()) {
            throw notAnSdk(home, "%s has no '%s'".formatted(file, key), new IOException(file));
        }
        return value;
    }

    private static OutriderException notAnSdk(Path home, String what, IOException cause) {
        return new OutriderException(
                ErrorCode.DEVICE_SDK_MISSING,
                "the folder %s holds no TornadoVM SDK: %s".formatted(home, what),
                "Install one with 'sdk install tornadovm %s-opencl' (or -cuda, -ptx), or correct %s; see docs/guide/gpu.md."
                        .formatted(expectedVersion(), VARIABLE),
                cause);
    }
}
