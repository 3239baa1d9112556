package dev.outrider.torch;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// PyTorch in this process, started at the first use: offline, without telemetry, and with OpenMP settings that do
/// not slow down on a busy machine. Environment variables and system properties that the user has set are not
/// changed. Thread-safe.
public final class TensorRuntime {
    private static final String ENGINE = "PyTorch";

    private static @Nullable Engine started;

    private TensorRuntime() {}

    /// The engine that runs.
    ///
    /// @param name    name and version of the engine
    /// @param threads threads of one operation
    public record Info(String name, int threads) {}

    /// Starts the engine unless it runs already.
    ///
    /// @throws OutriderException `BACKEND_UNAVAILABLE` if its native library cannot be loaded
    public static void start() {
        var running = engine();
        if (!running.getEngineName().equals(ENGINE)) {
            throw new IllegalStateException("engine " + running.getEngineName());
        }
    }

    private static synchronized Engine engine() {
        var running = started;
        if (running == null) {
            running = boot();
            started = running;
        }
        return running;
    }

    /// A new owner of arrays on the processor. The caller closes it, and with it every array that it still owns.
    public static PtNDManager newManager() {
        start();
        return (PtNDManager) NDManager.newBaseManager(Device.cpu(), ENGINE);
    }

    /// Name and version of the library, for provenance. Does not start the engine.
    public static String artefact() {
        return "DJL " + Engine.getDjlVersion();
    }

    /// Returns the engine that runs. Starts it.
    public static Info info() {
        var running = engine();
        TensorThread.enterInference();
        return new Info(
                running.getEngineName() + " " + running.getVersion(), JniUtils.getNumThreads());
    }

    private static Engine boot() {
        setPropertyIfAbsent("ai.djl.offline", "true");
        setPropertyIfAbsent("ai.djl.pytorch.num_interop_threads", "1");
        try {
            // Otherwise a thread that waits at a barrier spins 300 000 times, which is 100 times
            // slower on a shared core.
            setVariableIfAbsent("GOMP_SPINCOUNT", "5000");
            var engine = Engine.getEngine(ENGINE);
            // The native library must be loaded before any other native call.
            NDManager.newBaseManager(Device.cpu(), ENGINE).close();
            return engine;
        } catch (RuntimeException | LinkageError e) {
            throw ErrorCode.BACKEND_UNAVAILABLE.error(
                    "the tensor engine %s cannot be started: %s"
                            .formatted(ENGINE, FailureReason.first(e)),
                    "Check that pytorch-native-cpu for this operating system is on the class path, that the cache directory is writable, and that Java has --enable-native-access=ALL-UNNAMED.",
                    e);
        }
    }

    private static void setPropertyIfAbsent(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    /// Sets a variable in the environment that native libraries see. Java cannot change its own copy, but OpenMP
    /// reads that of the C library when it is loaded. Windows has no such function, and its OpenMP does not read
    /// the variable.
    private static void setVariableIfAbsent(String name, String value) {
        var linker = Linker.nativeLinker();
        var setenv = linker.defaultLookup().find("setenv");
        if (setenv.isEmpty() || System.getenv(name) != null) {
            return;
        }
        var call =
                linker.downcallHandle(
                        setenv.get(),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT));
        try (var arena = Arena.ofConfined()) {
            int unused =
                    (int) call.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
        } catch (Throwable e) {
            throw new IllegalStateException("setenv of " + name + " failed", e);
        }
    }
}
