package dev.outrider.spi;

/// Every kind of failure Outrider reports to a user. `docs/errors.md` lists them with what to do.
///
/// A code is stable once released; messages may improve.
public enum ErrorCode {
    // Configuration and command line
    CONFIG_SYNTAX,
    CONFIG_INVALID,
    CONFIG_NOT_FOUND,
    UNKNOWN_COMPONENT,
    LOSSY_NOT_ALLOWED,
    CAPABILITY_MISSING,
    USAGE,

    // Checkpoints and tokenizers
    CHECKPOINT_NOT_FOUND,
    CHECKPOINT_INCOMPLETE,
    CHECKPOINT_UNSUPPORTED,
    CHECKPOINT_SHAPE_MISMATCH,
    SAFETENSORS_CORRUPT,
    MODEL_CONFIG_INVALID,
    PICKLE_REFUSED,
    TOKENIZER_MISSING,
    TOKENIZER_INVALID,
    CHAT_TEMPLATE_INVALID,

    // Running
    DRAFTER_VOCABULARY_MISMATCH,
    CONTEXT_EXCEEDED,
    PROMPT_EMPTY,
    TOKEN_OUT_OF_RANGE,
    CONTRACT_BROKEN,
    OUT_OF_MEMORY,
    BACKEND_UNAVAILABLE,
    TRAINING_DIVERGED,

    // Devices
    DEVICE_SDK_MISSING,
    DEVICE_SDK_VERSION,
    DEVICE_DRIVER_FAILED,
    DEVICE_NOT_FOUND,
    KERNEL_FAILED,

    // Plugins
    PLUGIN_INVALID,
    PLUGIN_INCOMPATIBLE,
    PLUGIN_DUPLICATE,
    PLUGIN_FAILED,

    // Files
    RESULTS_NOT_WRITABLE,
    RESULTS_MIXED,
    IO_FAILED,
    DATA_INVALID,
}
