package dev.outrider.nn.runtime;

import ai.djl.pytorch.jni.JniUtils;

/// Settings the engine keeps per Java thread: whether gradients are recorded, the kind of graph executor and
/// the number of threads. A new Java thread records gradients and ignores what other threads have set, so code
/// says what it needs when it enters the engine. Thread-safe.
public final class TensorThread {
    /// 0: as the engine finds it.
    private static volatile int threads;

    private static final ThreadLocal<Applied> APPLIED =
            ThreadLocal.withInitial(() -> new Applied(Mode.UNKNOWN, 0));

    private enum Mode {
        UNKNOWN,
        INFERENCE,
        TRAINING
    }

    private record Applied(Mode mode, int threads) {}

    private TensorThread() {}

    /// Prepares the calling thread for passes without gradients. Cheap when it is prepared already.
    public static void enterInference() {
        enter(Mode.INFERENCE);
    }

    /// Prepares the calling thread for passes that record gradients.
    public static void enterTraining() {
        enter(Mode.TRAINING);
    }

    static void useThreads(int count) {
        threads = count;
    }

    private static void enter(Mode mode) {
        var wanted = new Applied(mode, threads);
        if (APPLIED.get().equals(wanted)) {
            return;
        }
        TensorRuntime.start();
        JniUtils.setGradMode(mode == Mode.TRAINING);
        // The profiling executor buys no speed on the processor and costs slow first calls.
        JniUtils.setGraphExecutorOptimize(false);
        if (wanted.threads() > 0) {
            JniUtils.setNumThreads(wanted.threads());
        }
        APPLIED.set(wanted);
    }
}
