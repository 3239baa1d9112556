package dev.outrider.spi.error;

import static dev.outrider.spi.error.ErrorCode.Category.CONFIGURATION;
import static dev.outrider.spi.error.ErrorCode.Category.DEVICE;
import static dev.outrider.spi.error.ErrorCode.Category.FILE;
import static dev.outrider.spi.error.ErrorCode.Category.MODEL;
import static dev.outrider.spi.error.ErrorCode.Category.PLUGIN;
import static dev.outrider.spi.error.ErrorCode.Category.RUN;

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
    public static final ErrorCode CONFIG_SYNTAX = own("CONFIG_SYNTAX", CONFIGURATION);

    /// Keys are unknown, missing, doubled, of the wrong type or out of range; every one is listed.
    public static final ErrorCode CONFIG_INVALID = own("CONFIG_INVALID", CONFIGURATION);

    /// There is no such configuration file.
    public static final ErrorCode CONFIG_NOT_FOUND = own("CONFIG_NOT_FOUND", CONFIGURATION);

    /// `use:` names no target, drafter or rule that is installed.
    public static final ErrorCode UNKNOWN_COMPONENT = own("UNKNOWN_COMPONENT", CONFIGURATION);

    /// The combination would not have the target's output.
    public static final ErrorCode LOSSY_NOT_ALLOWED = own("LOSSY_NOT_ALLOWED", CONFIGURATION);

    /// A drafter needs something the target or the rule does not have.
    public static final ErrorCode CAPABILITY_MISSING = own("CAPABILITY_MISSING", CONFIGURATION);

    /// The command line is wrong.
    public static final ErrorCode USAGE = own("USAGE", CONFIGURATION);

    // Checkpoints and tokenizers
    /// There is no model in the folder.
    public static final ErrorCode CHECKPOINT_NOT_FOUND = own("CHECKPOINT_NOT_FOUND", MODEL);

    /// A file or a tensor of the model is missing.
    public static final ErrorCode CHECKPOINT_INCOMPLETE = own("CHECKPOINT_INCOMPLETE", MODEL);

    /// The model is of a family or a number format that is not implemented.
    public static final ErrorCode CHECKPOINT_UNSUPPORTED = own("CHECKPOINT_UNSUPPORTED", MODEL);

    /// A tensor has another shape than `config.json` says.
    public static final ErrorCode CHECKPOINT_SHAPE_MISMATCH =
            own("CHECKPOINT_SHAPE_MISMATCH", MODEL);

    /// A weight file is cut off, overlaps itself or contradicts its header.
    public static final ErrorCode SAFETENSORS_CORRUPT = own("SAFETENSORS_CORRUPT", MODEL);

    /// A GGUF file is cut off, overlaps itself or has a header that breaks the format.
    public static final ErrorCode GGUF_CORRUPT = own("GGUF_CORRUPT", MODEL);

    /// `config.json` is not JSON or says impossible things.
    public static final ErrorCode MODEL_CONFIG_INVALID = own("MODEL_CONFIG_INVALID", MODEL);

    /// The weights are a pickle, which could run any program.
    public static final ErrorCode PICKLE_REFUSED = own("PICKLE_REFUSED", MODEL);

    /// There is no `tokenizer.json`.
    public static final ErrorCode TOKENIZER_MISSING = own("TOKENIZER_MISSING", MODEL);

    /// `tokenizer.json` cannot be read, or not without danger.
    public static final ErrorCode TOKENIZER_INVALID = own("TOKENIZER_INVALID", MODEL);

    /// The tokenizer is not the one of the model.
    public static final ErrorCode TOKENIZER_MISMATCH = own("TOKENIZER_MISMATCH", MODEL);

    /// The chat template cannot be understood.
    public static final ErrorCode CHAT_TEMPLATE_INVALID = own("CHAT_TEMPLATE_INVALID", MODEL);

    // Models by their names on the hub
    /// The hub has no such model, revision or file, or none that this account may see.
    public static final ErrorCode HUB_NOT_FOUND = own("HUB_NOT_FOUND", MODEL);

    /// The hub does not give the model to this account.
    public static final ErrorCode HUB_ACCESS_DENIED = own("HUB_ACCESS_DENIED", MODEL);

    /// The hub, or the server it sends to, does not answer, or the connection is cut again and again.
    public static final ErrorCode HUB_UNREACHABLE = own("HUB_UNREACHABLE", MODEL);

    /// The model is not on this machine, and no server may be asked.
    public static final ErrorCode HUB_OFFLINE = own("HUB_OFFLINE", MODEL);

    /// The answer of the hub is not valid.
    public static final ErrorCode HUB_ANSWER_INVALID = own("HUB_ANSWER_INVALID", MODEL);

    /// A file came with another size or hash than the hub says.
    public static final ErrorCode HUB_CONTENT_WRONG = own("HUB_CONTENT_WRONG", MODEL);

    // Running
    /// Drafter and target do not have the same tokens.
    public static final ErrorCode DRAFTER_VOCABULARY_MISMATCH =
            own("DRAFTER_VOCABULARY_MISMATCH", RUN);

    /// The prompt and what is to follow do not fit the model's positions.
    public static final ErrorCode CONTEXT_EXCEEDED = own("CONTEXT_EXCEEDED", RUN);

    /// The prompt has no tokens.
    public static final ErrorCode PROMPT_EMPTY = own("PROMPT_EMPTY", RUN);

    /// The target is an encoder-decoder, and the prompt comes without a source for its encoder.
    public static final ErrorCode SOURCE_MISSING = own("SOURCE_MISSING", RUN);

    /// The prompt has a source, but the target has no encoder to read it.
    public static final ErrorCode SOURCE_UNEXPECTED = own("SOURCE_UNEXPECTED", RUN);

    /// A token id is outside the vocabulary.
    public static final ErrorCode TOKEN_OUT_OF_RANGE = own("TOKEN_OUT_OF_RANGE", RUN);

    /// A plugin broke its contract: it returned something that the contract excludes.
    public static final ErrorCode CONTRACT_BROKEN = own("CONTRACT_BROKEN", RUN);

    /// The Java heap, or native memory for weights and cache, does not suffice.
    public static final ErrorCode OUT_OF_MEMORY = own("OUT_OF_MEMORY", RUN);

    /// The tensor engine does not start on this machine.
    public static final ErrorCode BACKEND_UNAVAILABLE = own("BACKEND_UNAVAILABLE", RUN);

    /// A loss or gradient is no longer a finite number.
    public static final ErrorCode TRAINING_DIVERGED = own("TRAINING_DIVERGED", RUN);

    /// As many requests wait as a server keeps.
    public static final ErrorCode QUEUE_FULL = own("QUEUE_FULL", RUN);

    /// A server takes no more requests: it is about to end.
    public static final ErrorCode SERVICE_CLOSED = own("SERVICE_CLOSED", RUN);

    /// A server that is tested does not answer, or the connection is cut.
    public static final ErrorCode SERVER_UNREACHABLE = own("SERVER_UNREACHABLE", RUN);

    /// The answer of a server that is tested is an error, or not what its API says.
    public static final ErrorCode SERVER_ANSWER_INVALID = own("SERVER_ANSWER_INVALID", RUN);

    // Devices
    /// The target `tornado` needs TornadoVM's SDK, and there is none where it is looked for.
    public static final ErrorCode DEVICE_SDK_MISSING = own("DEVICE_SDK_MISSING", DEVICE);

    /// TornadoVM's SDK is there, in another version than the device code is written for.
    public static final ErrorCode DEVICE_SDK_VERSION = own("DEVICE_SDK_VERSION", DEVICE);

    /// TornadoVM does not start: its back end and the machine's driver do not fit.
    public static final ErrorCode DEVICE_DRIVER_FAILED = own("DEVICE_DRIVER_FAILED", DEVICE);

    /// The drivers show no device, or not the one that is asked for.
    public static final ErrorCode DEVICE_NOT_FOUND = own("DEVICE_NOT_FOUND", DEVICE);

    /// A kernel does not compile or does not run on the device. It never runs in Java instead.
    public static final ErrorCode KERNEL_FAILED = own("KERNEL_FAILED", DEVICE);

    // Plugins
    /// A plugin cannot be loaded: no jar, no provider, a missing class, a copy of Outrider's own classes.
    public static final ErrorCode PLUGIN_INVALID = own("PLUGIN_INVALID", PLUGIN);

    /// A plugin was built for another version of the contracts.
    public static final ErrorCode PLUGIN_INCOMPATIBLE = own("PLUGIN_INCOMPATIBLE", PLUGIN);

    /// Two plugins use the same name, or a folder holds two builds of one.
    public static final ErrorCode PLUGIN_DUPLICATE = own("PLUGIN_DUPLICATE", PLUGIN);

    /// A plugin threw something that is not an Outrider error, while it was loaded or while it ran.
    public static final ErrorCode PLUGIN_FAILED = own("PLUGIN_FAILED", PLUGIN);

    // Files
    /// Results cannot be written.
    public static final ErrorCode RESULTS_NOT_WRITABLE = own("RESULTS_NOT_WRITABLE", FILE);

    /// Results of different plans or revisions do not belong together.
    public static final ErrorCode RESULTS_MIXED = own("RESULTS_MIXED", FILE);

    /// A cell of a sweep was stopped: it took too long, or its process ended before it did.
    public static final ErrorCode CELL_STOPPED = own("CELL_STOPPED", FILE);

    /// A file cannot be read or written.
    public static final ErrorCode IO_FAILED = own("IO_FAILED", FILE);

    /// A prompt or text file is malformed.
    public static final ErrorCode DATA_INVALID = own("DATA_INVALID", FILE);

    /// Checks the name.
    public ErrorCode {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "error code '%s' must be capital letters, digits and single underscores, such as INDEX_STALE"
                            .formatted(name));
        }
    }

    /// The part that fails.
    public enum Category {
        /// The command line or the configuration: the process ends with 2, all others with 1.
        CONFIGURATION,
        /// A checkpoint, a tokenizer, or another file that a model or drafter is made of.
        MODEL,
        /// Failures while sequences are decoded or a model is trained.
        RUN,
        /// A device, its driver or its toolkit.
        DEVICE,
        /// A plugin.
        PLUGIN,
        /// Files that are read or written beside models and configurations.
        FILE
    }

    /// {@return an exception with this code}
    ///
    /// @param problem what is wrong, with the value and what was expected
    /// @param remedy what the user can do
    public OutriderException error(String problem, String remedy) {
        return new OutriderException(this, problem, remedy);
    }

    /// {@return an exception with this code and a cause}
    ///
    /// @param problem what is wrong, with the value and what was expected
    /// @param remedy what the user can do
    /// @param cause the first failure
    public OutriderException error(String problem, String remedy, Throwable cause) {
        return new OutriderException(this, problem, remedy, cause);
    }

    /// {@return Outrider's own codes, in the order of `docs/reference/errors.md`}
    public static List<ErrorCode> standard() {
        return List.copyOf(STANDARD);
    }

    private static ErrorCode own(String name, Category category) {
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
