package dev.outrider.spi.error;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A kind of failure that Outrider reports to a user. The constants are its own, and `docs/reference/errors.md` lists them with what to do;
/// a plugin makes codes of its own for what only it can fail at: `new ErrorCode("INDEX_STALE", Category.MODEL)`.
///
/// A code is stable once released; messages may improve. Two codes are equal if their names and categories are.
///
/// @param name     capital letters, digits and underscores, beginning with a letter
/// @param category what kind of thing is wrong, which decides how the process ends
@API(status = Status.STABLE, since = "2")
public record ErrorCode(String name, Category category) {
    private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)*");
    private static final List<ErrorCode> STANDARD = new ArrayList<>();

    // Configuration and command line
    /// The file is not YAML, not UTF-8, or too large.
    public static final ErrorCode CONFIG_SYNTAX = standard("CONFIG_SYNTAX", Category.CONFIGURATION);

    /// Keys are unknown, missing, doubled, of the wrong type or out of range; every one is listed.
    public static final ErrorCode CONFIG_INVALID =
            standard("CONFIG_INVALID", Category.CONFIGURATION);

    /// There is no such configuration file.
    public static final ErrorCode CONFIG_NOT_FOUND =
            standard("CONFIG_NOT_FOUND", Category.CONFIGURATION);

    /// `use:` names no target, drafter or rule that is installed.
    public static final ErrorCode UNKNOWN_COMPONENT =
            standard("UNKNOWN_COMPONENT", Category.CONFIGURATION);

    /// The combination would not have the target's output.
    public static final ErrorCode LOSSY_NOT_ALLOWED =
            standard("LOSSY_NOT_ALLOWED", Category.CONFIGURATION);

    /// A drafter needs something the target or the rule does not have.
    public static final ErrorCode CAPABILITY_MISSING =
            standard("CAPABILITY_MISSING", Category.CONFIGURATION);

    /// The command line is wrong.
    public static final ErrorCode USAGE = standard("USAGE", Category.CONFIGURATION);

    // Checkpoints and tokenizers
    /// There is no model in the folder.
    public static final ErrorCode CHECKPOINT_NOT_FOUND =
            standard("CHECKPOINT_NOT_FOUND", Category.MODEL);

    /// A file or a tensor of the model is missing.
    public static final ErrorCode CHECKPOINT_INCOMPLETE =
            standard("CHECKPOINT_INCOMPLETE", Category.MODEL);

    /// The model is of a family or a number format that is not implemented.
    public static final ErrorCode CHECKPOINT_UNSUPPORTED =
            standard("CHECKPOINT_UNSUPPORTED", Category.MODEL);

    /// A tensor has another shape than `config.json` says.
    public static final ErrorCode CHECKPOINT_SHAPE_MISMATCH =
            standard("CHECKPOINT_SHAPE_MISMATCH", Category.MODEL);

    /// A weight file is cut off, overlaps itself or contradicts its header.
    public static final ErrorCode SAFETENSORS_CORRUPT =
            standard("SAFETENSORS_CORRUPT", Category.MODEL);

    /// A GGUF file is cut off, overlaps itself or has a header that breaks the format.
    public static final ErrorCode GGUF_CORRUPT = standard("GGUF_CORRUPT", Category.MODEL);

    /// `config.json` is not JSON or says impossible things.
    public static final ErrorCode MODEL_CONFIG_INVALID =
            standard("MODEL_CONFIG_INVALID", Category.MODEL);

    /// The weights are a pickle, which could run any program.
    public static final ErrorCode PICKLE_REFUSED = standard("PICKLE_REFUSED", Category.MODEL);

    /// There is no `tokenizer.json`.
    public static final ErrorCode TOKENIZER_MISSING = standard("TOKENIZER_MISSING", Category.MODEL);

    /// `tokenizer.json` cannot be read, or not without danger.
    public static final ErrorCode TOKENIZER_INVALID = standard("TOKENIZER_INVALID", Category.MODEL);

    /// The tokenizer is not the one of the model.
    public static final ErrorCode TOKENIZER_MISMATCH =
            standard("TOKENIZER_MISMATCH", Category.MODEL);

    /// The chat template cannot be understood.
    public static final ErrorCode CHAT_TEMPLATE_INVALID =
            standard("CHAT_TEMPLATE_INVALID", Category.MODEL);

    // Models by their names on the hub
    /// The hub has no such model, revision or file, or none that this account may see.
    public static final ErrorCode HUB_NOT_FOUND = standard("HUB_NOT_FOUND", Category.MODEL);

    /// The hub does not give the model to this account.
    public static final ErrorCode HUB_ACCESS_DENIED = standard("HUB_ACCESS_DENIED", Category.MODEL);

    /// The hub, or the server it sends to, does not answer, or the connection is cut again and again.
    public static final ErrorCode HUB_UNREACHABLE = standard("HUB_UNREACHABLE", Category.MODEL);

    /// The model is not on this machine, and no server may be asked.
    public static final ErrorCode HUB_OFFLINE = standard("HUB_OFFLINE", Category.MODEL);

    /// The answer of the hub is not valid.
    public static final ErrorCode HUB_ANSWER_INVALID =
            standard("HUB_ANSWER_INVALID", Category.MODEL);

    /// A file came with another size or hash than the hub says.
    public static final ErrorCode HUB_CONTENT_WRONG = standard("HUB_CONTENT_WRONG", Category.MODEL);

    // Running
    /// Drafter and target do not have the same tokens.
    public static final ErrorCode DRAFTER_VOCABULARY_MISMATCH =
            standard("DRAFTER_VOCABULARY_MISMATCH", Category.RUN);

    /// The prompt and what is to follow do not fit the model's positions.
    public static final ErrorCode CONTEXT_EXCEEDED = standard("CONTEXT_EXCEEDED", Category.RUN);

    /// The prompt has no tokens.
    public static final ErrorCode PROMPT_EMPTY = standard("PROMPT_EMPTY", Category.RUN);

    /// The target is an encoder-decoder, and the prompt comes without a source for its encoder.
    public static final ErrorCode SOURCE_MISSING = standard("SOURCE_MISSING", Category.RUN);

    /// The prompt has a source, but the target has no encoder to read it.
    public static final ErrorCode SOURCE_UNEXPECTED = standard("SOURCE_UNEXPECTED", Category.RUN);

    /// A token id is outside the vocabulary.
    public static final ErrorCode TOKEN_OUT_OF_RANGE = standard("TOKEN_OUT_OF_RANGE", Category.RUN);

    /// A plugin broke its contract: it returned something that the contract excludes.
    public static final ErrorCode CONTRACT_BROKEN = standard("CONTRACT_BROKEN", Category.RUN);

    /// The Java heap, or native memory for weights and cache, does not suffice.
    public static final ErrorCode OUT_OF_MEMORY = standard("OUT_OF_MEMORY", Category.RUN);

    /// The tensor engine does not start on this machine.
    public static final ErrorCode BACKEND_UNAVAILABLE =
            standard("BACKEND_UNAVAILABLE", Category.RUN);

    /// A loss or gradient is no longer a finite number.
    public static final ErrorCode TRAINING_DIVERGED = standard("TRAINING_DIVERGED", Category.RUN);

    // Devices
    /// The target `tornado` needs TornadoVM's SDK, and there is none where it is looked for.
    public static final ErrorCode DEVICE_SDK_MISSING =
            standard("DEVICE_SDK_MISSING", Category.DEVICE);

    /// TornadoVM's SDK is there, in another version than the device code is written for.
    public static final ErrorCode DEVICE_SDK_VERSION =
            standard("DEVICE_SDK_VERSION", Category.DEVICE);

    /// TornadoVM does not start: its back end and the machine's driver do not fit.
    public static final ErrorCode DEVICE_DRIVER_FAILED =
            standard("DEVICE_DRIVER_FAILED", Category.DEVICE);

    /// The drivers show no device, or not the one that is asked for.
    public static final ErrorCode DEVICE_NOT_FOUND = standard("DEVICE_NOT_FOUND", Category.DEVICE);

    /// A kernel does not compile or does not run on the device. It never runs in Java instead.
    public static final ErrorCode KERNEL_FAILED = standard("KERNEL_FAILED", Category.DEVICE);

    // Plugins
    /// A plugin cannot be loaded: no jar, no provider, a missing class, a copy of Outrider's own classes.
    public static final ErrorCode PLUGIN_INVALID = standard("PLUGIN_INVALID", Category.PLUGIN);

    /// A plugin was built for another version of the contracts.
    public static final ErrorCode PLUGIN_INCOMPATIBLE =
            standard("PLUGIN_INCOMPATIBLE", Category.PLUGIN);

    /// Two plugins use the same name, or a folder holds two builds of one.
    public static final ErrorCode PLUGIN_DUPLICATE = standard("PLUGIN_DUPLICATE", Category.PLUGIN);

    /// A plugin threw something that is not an Outrider error, while it was loaded or while it ran.
    public static final ErrorCode PLUGIN_FAILED = standard("PLUGIN_FAILED", Category.PLUGIN);

    // Files
    /// Results cannot be written.
    public static final ErrorCode RESULTS_NOT_WRITABLE =
            standard("RESULTS_NOT_WRITABLE", Category.FILE);

    /// Results of different plans or revisions do not belong together.
    public static final ErrorCode RESULTS_MIXED = standard("RESULTS_MIXED", Category.FILE);

    /// A cell of a sweep was stopped: it took too long, or its process ended before it did.
    public static final ErrorCode CELL_STOPPED = standard("CELL_STOPPED", Category.FILE);

    /// A file cannot be read or written.
    public static final ErrorCode IO_FAILED = standard("IO_FAILED", Category.FILE);

    /// A prompt or text file is malformed.
    public static final ErrorCode DATA_INVALID = standard("DATA_INVALID", Category.FILE);

    /// Checks the name.
    public ErrorCode {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "error code '%s' must be capital letters, digits and single underscores, such as INDEX_STALE"
                            .formatted(name));
        }
    }

    /// What kind of thing is wrong.
    public enum Category {
        /// The command line or the configuration: the process ends with 2, all others with 1.
        CONFIGURATION,
        /// A checkpoint, a tokenizer, or another file that a model or drafter is made of.
        MODEL,
        /// What came up while sequences were decoded or a model was trained.
        RUN,
        /// A device, its driver or its toolkit.
        DEVICE,
        /// A plugin.
        PLUGIN,
        /// Files that are read or written beside models and configurations.
        FILE
    }

    /// {@return Outrider's own codes, in the order of `docs/reference/errors.md`}
    public static List<ErrorCode> standard() {
        return List.copyOf(STANDARD);
    }

    private static ErrorCode standard(String name, Category category) {
        var code = new ErrorCode(name, category);
        STANDARD.add(code);
        return code;
    }

    /// {@return the name}
    @Override
    public String toString() {
        return name;
    }
}
