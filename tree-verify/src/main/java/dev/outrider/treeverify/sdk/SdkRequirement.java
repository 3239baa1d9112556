package dev.outrider.treeverify.sdk;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/// The conditions for running kernels: an SDK of the right version, a JVM that was started with it, and an Outrider that was
/// built with it. Thread-safe.
///
/// @param sdk      the SDK of this machine, if there is one
/// @param property system properties of the JVM; an empty text for those that are not set
public record SdkRequirement(Optional<TornadoSdk> sdk, UnaryOperator<String> property) {
    /// Options of a JVM that runs kernels, in addition to the SDK's own: kernels that do not compile fail, and graphs of a
    /// hundred kernels fit. The launcher has the same options.
    private static final List<String> FLAGS =
            List.of(
                    "-Dtornado.recover.bailout=False",
                    "-Dtornado.max.events=64",
                    "-Dtornado.tvm.maxbytecodesize=65536");

    /// A property that only the SDK's argument file sets.
    private static final String STARTED_WITH_SDK = "tornado.load.api.implementation";

    /// Unless this is `false`, TornadoVM runs a kernel that it cannot compile in Java, one work item after the other.
    private static final String FALL_BACK = "tornado.recover.bailout";

    private static final String HOW =
            "Start with ./outrider and a configuration whose target is tornado, which does this by itself; see"
                    + " docs/guide/gpu.md.";

    /// Returns the conditions of this process.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` if `TORNADOVM_HOME` names no SDK
    public static SdkRequirement ofThisProcess() {
        return new SdkRequirement(TornadoSdk.find(), name -> System.getProperty(name, ""));
    }

    /// Returns whether this Outrider was built with device code, that is, whether a service has an implementation.
    public static boolean built(Class<?> service) {
        return ServiceLoader.load(service, service.getClassLoader()).stream().findAny().isPresent();
    }

    /// Returns the options of a JVM that can run kernels.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` or `DEVICE_SDK_VERSION`
    public List<String> jvmOptions() {
        var options = new ArrayList<>(requireSdk().jvmOptions());
        options.addAll(FLAGS);
        return options;
    }

    /// Returns the only implementation of a service that device code provides.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` without an SDK, `DEVICE_SDK_VERSION` with an SDK of another
    ///                           version, `BACKEND_UNAVAILABLE` if the JVM was not started, or Outrider not built, with it
    public <T> T service(Class<T> type) {
        return services(type).getFirst();
    }

    /// Returns every implementation of a service that device code provides; at least one.
    ///
    /// @throws OutriderException as [#service]
    public <T> List<T> services(Class<T> type) {
        requireStarted(requireSdk());
        var found =
                ServiceLoader.load(type, type.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        if (found.isEmpty()) {
            throw notBuilt();
        }
        return found;
    }

    /// Returns the SDK.
    ///
    /// @throws OutriderException `DEVICE_SDK_MISSING` without one, `DEVICE_SDK_VERSION` with one of another version
    public TornadoSdk requireSdk() {
        var found =
                sdk.orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.DEVICE_SDK_MISSING,
                                "target 'tornado' needs TornadoVM %s, and there is none: %s is not set and"
                                                .formatted(
                                                        TornadoSdk.expectedVersion(),
                                                        TornadoSdk.VARIABLE)
                                        + " ~/.sdkman/candidates/tornadovm/current does not exist",
                                install()));
        if (!found.version().equals(TornadoSdk.expectedVersion())) {
            throw new OutriderException(
                    ErrorCode.DEVICE_SDK_VERSION,
                    "the TornadoVM SDK in %s is version %s, expected %s"
                            .formatted(found.home(), found.version(), TornadoSdk.expectedVersion()),
                    install());
        }
        return found;
    }

    private void requireStarted(TornadoSdk found) {
        if (property.apply(STARTED_WITH_SDK).isEmpty()) {
            throw new OutriderException(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "this JVM was started without the options in %s, which TornadoVM needs"
                            .formatted(found.argumentFile()),
                    HOW);
        }
        if (!property.apply(FALL_BACK).equalsIgnoreCase("false")) {
            throw new OutriderException(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "this JVM was started without -D%s=False, and a kernel that does not compile would run in Java"
                            .formatted(FALL_BACK),
                    HOW);
        }
    }

    private static OutriderException notBuilt() {
        return new OutriderException(
                ErrorCode.BACKEND_UNAVAILABLE,
                "this Outrider was built without TornadoVM, so it has no device code",
                "Build it again with %s set; ./outrider does so by itself once the SDK is there."
                        .formatted(TornadoSdk.VARIABLE));
    }

    private static String install() {
        return "Install it with 'sdk install tornadovm %s-cuda' (NVIDIA) or '-opencl' (others); see docs/guide/gpu.md."
                .formatted(TornadoSdk.expectedVersion());
    }

    /// A TornadoVM SDK in a folder.
    ///
    /// @param home     the folder in `TORNADOVM_HOME`
    /// @param version  its version, such as `5.2.0-jdk25`
    /// @param backends its compilers of kernels: `opencl`, `ptx`, `cuda`, `spirv`
    public record TornadoSdk(Path home, String version, List<String> backends) {
        /// The environment variable with the folder of an SDK.
        public static final String VARIABLE = "TORNADOVM_HOME";

        private static final String STANDARD_PLACE = ".sdkman/candidates/tornadovm/current";

        public TornadoSdk {
            backends = List.copyOf(backends);
        }

        /// Returns the SDK of this process's environment, if there is one.
        ///
        /// @throws OutriderException `DEVICE_SDK_MISSING` if the named folder is not an SDK
        public static Optional<TornadoSdk> find() {
            return find(System.getenv(), Path.of(System.getProperty("user.home")));
        }

        /// Returns the SDK in the folder `TORNADOVM_HOME`; without the variable, the SDK in SDKMAN's folder.
        ///
        /// @param environment   environment variables of the process
        /// @param userDirectory the user's home
        static Optional<TornadoSdk> find(Map<String, String> environment, Path userDirectory) {
            var named =
                    Optional.ofNullable(environment.get(VARIABLE))
                            .filter(value -> !value.isBlank());
            if (named.isPresent()) {
                return Optional.of(read(Path.of(named.get())));
            }
            var standard = userDirectory.resolve(STANDARD_PLACE);
            return Files.isDirectory(standard) ? Optional.of(read(standard)) : Optional.empty();
        }

        /// Returns the SDK in a folder.
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

        /// Returns the version that Outrider's device code is written for and built with.
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

        /// Returns the file with the options of a JVM for this SDK.
        public Path argumentFile() {
            return home.resolve("tornado-argfile");
        }

        /// Returns the options of [#argumentFile], or of the template that a new SDK has instead, one argument each. Two are left
        /// out: the current folder on the module path, where any jar would become a module, and the choice of a garbage
        /// collector.
        ///
        /// @throws OutriderException `DEVICE_SDK_MISSING` if neither file exists
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
}
