package dev.outrider.cli;

import dev.outrider.spi.ErrorCode;

/// How the process ends.
final class ExitCode {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;

    /// A verification refuted what was promised.
    static final int REJECTED = 3;

    /// Some cells of a sweep failed; the others are finished.
    static final int CELLS_FAILED = 4;

    /// 128 + the number of the interrupt signal, as shells expect.
    static final int INTERRUPTED = 130;

    private ExitCode() {}

    static int of(ErrorCode code) {
        return switch (code) {
            case CONFIG_SYNTAX,
                    CONFIG_INVALID,
                    CONFIG_NOT_FOUND,
                    UNKNOWN_COMPONENT,
                    LOSSY_NOT_ALLOWED,
                    CAPABILITY_MISSING,
                    USAGE ->
                    ExitCode.USAGE;
            case CHECKPOINT_NOT_FOUND,
                    CHECKPOINT_INCOMPLETE,
                    CHECKPOINT_UNSUPPORTED,
                    CHECKPOINT_SHAPE_MISMATCH,
                    SAFETENSORS_CORRUPT,
                    MODEL_CONFIG_INVALID,
                    PICKLE_REFUSED,
                    TOKENIZER_MISSING,
                    TOKENIZER_INVALID,
                    CHAT_TEMPLATE_INVALID,
                    DRAFTER_VOCABULARY_MISMATCH,
                    CONTEXT_EXCEEDED,
                    PROMPT_EMPTY,
                    TOKEN_OUT_OF_RANGE,
                    CONTRACT_BROKEN,
                    OUT_OF_MEMORY,
                    BACKEND_UNAVAILABLE,
                    TRAINING_DIVERGED,
                    DEVICE_SDK_MISSING,
                    DEVICE_SDK_VERSION,
                    DEVICE_DRIVER_FAILED,
                    DEVICE_NOT_FOUND,
                    KERNEL_FAILED,
                    PLUGIN_INVALID,
                    PLUGIN_INCOMPATIBLE,
                    PLUGIN_DUPLICATE,
                    PLUGIN_FAILED,
                    RESULTS_NOT_WRITABLE,
                    RESULTS_MIXED,
                    CELL_STOPPED,
                    IO_FAILED,
                    DATA_INVALID ->
                    FAILURE;
        };
    }
}
