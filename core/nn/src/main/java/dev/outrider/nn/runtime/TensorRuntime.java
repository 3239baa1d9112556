package dev.outrider.nn.runtime;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// The tensor engine of this process, started at first use: offline, without telemetry, and with OpenMP
/// settings that survive a busy machine. Thread-safe.
///
/// Settings a user has made by environment variable or system property are left alone.
public final class TensorRuntime {
    private static final String ENGINE = "PyTorch";

    private TensorRuntime() {}

    /// What is running.
    ///
    /// @param name             name and version of the engine
    /// @param threads          threads of one operation
    /// @param prepackedLinear  whether linear layers with prepacked 32-bit weights work here
    /// @param prepackedBfloat16 whether they work with bfloat16 weights
    public record Info(
            String name, int threads, boolean prepackedLinear, boolean prepackedBfloat16) {}

    /// Starts the engine unless it runs already.
    ///
    /// @throws OutriderException `BACKEND_UNAVAILABLE` if its native library cannot be loaded
    public static void start() {
        if (!Started.ENGINE.getEngineName().equals(ENGINE)) {
            throw new IllegalStateException("engine " + Started.ENGINE.getEngineName());
        }
    }

    /// A new owner of arrays on the processor. The caller closes it, and with it every array it still owns.
    public static PtNDManager newManager() {
        start();
        return (PtNDManager) NDManager.newBaseManager(Device.cpu(), ENGINE);
    }

    /// Sets how many threads one operation may use, in every thread that enters the engine from now on. Starts nothing.
    ///
    /// @param threads at least 1
    public static void useThreads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads %d is not positive".formatted(threads));
        }
        TensorThread.useThreads(threads);
    }

    /// The library, for provenance; starts nothing.
    public static String artefact() {
        return "DJL " + Engine.getDjlVersion();
    }

    /// What is running.
    public static Info info() {
        start();
        TensorThread.enterInference();
        return new Info(
                Started.ENGINE.getEngineName() + " " + Started.ENGINE.getVersion(),
                JniUtils.getNumThreads(),
                PrepackedLinear.works(ElementType.F32),
                PrepackedLinear.works(ElementType.BF16));
    }

    /// Initialised by the first caller; the class loader's lock makes that once.
    private static final class Started {
        private static final Engine ENGINE = boot();

        private static Engine boot() {
            var environment = new NativeEnvironment();
            // A thread that waits at a barrier otherwise spins 300 000 times, which on a shared
            // core is 100 times slower.
            environment.setIfAbsent("GOMP_SPINCOUNT", "5000");
            setPropertyIfAbsent("ai.djl.offline", "true");
            setPropertyIfAbsent("ai.djl.pytorch.num_interop_threads", "1");
            try {
                var engine = Engine.getEngine(TensorRuntime.ENGINE);
                // The native library must be loaded before any other native call.
                NDManager.newBaseManager(Device.cpu(), TensorRuntime.ENGINE).close();
                return engine;
            } catch (RuntimeException | LinkageError e) {
                throw new OutriderException(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "the tensor engine %s cannot be started: %s"
                                .formatted(TensorRuntime.ENGINE, e.getMessage()),
                        "Check that pytorch-native-cpu for this operating system is on the class path and that the cache directory is writable.",
                        e);
            }
        }

        private static void setPropertyIfAbsent(String name, String value) {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        }
    }
}
