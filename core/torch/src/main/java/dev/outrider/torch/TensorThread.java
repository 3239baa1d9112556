package dev.outrider.torch;

import ai.djl.pytorch.jni.JniUtils;
import dev.outrider.nn.target.PassThreads;

/// Settings that PyTorch keeps for each Java thread: whether gradients are recorded, the kind of graph executor and
/// the number of threads. A new Java thread records gradients and does not have the settings of other threads, so
/// code sets what it needs when it enters the engine. Thread-safe.
public final class TensorThread {
    private static final ThreadLocal<Settings> APPLIED = new ThreadLocal<>();

    /// @param threads 0: as many as the engine chooses
    private record Settings(boolean gradients, int threads) {}

    private TensorThread() {}

    /// Prepares the calling thread for passes without gradients. Cheap if it is prepared already.
    public static void enterInference() {
        enter(false);
    }

    /// Prepares the calling thread for passes that record gradients.
    public static void enterTraining() {
        enter(true);
    }

    private static void enter(boolean gradients) {
        var wanted = new Settings(gradients, PassThreads.threads());
        if (wanted.equals(APPLIED.get())) {
            return;
        }
        TensorRuntime.start();
        JniUtils.setGradMode(gradients);
        // The profiling executor is not faster on the processor, and its first calls are slow.
        JniUtils.setGraphExecutorOptimize(false);
        if (wanted.threads() > 0) {
            JniUtils.setNumThreads(wanted.threads());
        }
        APPLIED.set(wanted);
    }
}
