package dev.outrider.spi;

/// Every kind of failure Outrider reports to a user. `docs/errors.md` lists them with what to do.
///
/// A code is stable once released; messages may improve.
public enum ErrorCode {
    // Configuration and command line
    /// The file is not YAML, not UTF-8, or too large.
    CONFIG_SYNTAX,
    /// Keys are unknown, missing, doubled, of the wrong type or out of range; every one is listed.
    CONFIG_INVALID,
    /// There is no such configuration file.
    CONFIG_NOT_FOUND,
    /// `use:` names no target, drafter or rule that is installed.
    UNKNOWN_COMPONENT,
    /// The combination would not write what the target alone writes.
    LOSSY_NOT_ALLOWED,
    /// A drafter needs something the target or the rule does not have.
    CAPABILITY_MISSING,
    /// The command line is wrong.
    USAGE,

    // Checkpoints and tokenizers
    /// There is no model in the folder.
    CHECKPOINT_NOT_FOUND,
    /// A file or a tensor of the model is missing.
    CHECKPOINT_INCOMPLETE,
    /// The model is of a family or a number format that is not implemented.
    CHECKPOINT_UNSUPPORTED,
    /// A tensor has another shape than `config.json` says.
    CHECKPOINT_SHAPE_MISMATCH,
    /// A weight file is cut off, overlaps itself or contradicts its header.
    SAFETENSORS_CORRUPT,
    /// `config.json` is not JSON or says impossible things.
    MODEL_CONFIG_INVALID,
    /// The weights are a pickle, which could run any program.
    PICKLE_REFUSED,
    /// There is no `tokenizer.json`.
    TOKENIZER_MISSING,
    /// `tokenizer.json` cannot be read.
    TOKENIZER_INVALID,
    /// The chat template cannot be understood.
    CHAT_TEMPLATE_INVALID,

    // Running
    /// Drafter and target do not have the same tokens.
    DRAFTER_VOCABULARY_MISMATCH,
    /// The prompt and what is to follow do not fit the model's positions.
    CONTEXT_EXCEEDED,
    /// The prompt has no tokens.
    PROMPT_EMPTY,
    /// A token id is outside the vocabulary.
    TOKEN_OUT_OF_RANGE,
    /// A plugin broke its contract: what it returned cannot be.
    CONTRACT_BROKEN,
    /// The Java heap, or native memory for weights and cache, does not suffice.
    OUT_OF_MEMORY,
    /// The tensor engine does not start on this machine.
    BACKEND_UNAVAILABLE,
    /// A loss or gradient is no longer a finite number.
    TRAINING_DIVERGED,

    // Devices
    /// The target `tornado` needs TornadoVM's SDK, and there is none where it is looked for.
    DEVICE_SDK_MISSING,
    /// TornadoVM's SDK is there, in another version than the device code is written for.
    DEVICE_SDK_VERSION,
    /// TornadoVM does not start: its back end and the machine's driver do not fit.
    DEVICE_DRIVER_FAILED,
    /// The drivers show no device, or not the one that is asked for.
    DEVICE_NOT_FOUND,
    /// A kernel does not compile or does not run on the device. It never runs in Java instead.
    KERNEL_FAILED,

    // Plugins
    /// A plugin cannot be loaded: no jar, no provider, a missing class, a copy of Outrider's own classes.
    PLUGIN_INVALID,
    /// A plugin was built for another version of the contracts.
    PLUGIN_INCOMPATIBLE,
    /// Two plugins use the same name, or a folder holds two builds of one.
    PLUGIN_DUPLICATE,
    /// A plugin threw something that is not an Outrider error, while it was loaded or while it ran.
    PLUGIN_FAILED,

    // Files
    /// Results cannot be written.
    RESULTS_NOT_WRITABLE,
    /// Results of different plans or revisions do not belong together.
    RESULTS_MIXED,
    /// A cell of a sweep was stopped: it took too long, or its process ended before it did.
    CELL_STOPPED,
    /// A file cannot be read or written.
    IO_FAILED,
    /// A prompt or text file is malformed.
    DATA_INVALID,
}
