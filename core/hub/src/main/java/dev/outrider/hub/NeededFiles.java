package dev.outrider.hub;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Selects the files of a repository that a run needs: the configuration, the tokenizer, the chat
/// template, and the weights in one format. Pickles, and weights in other formats, are never
/// downloaded.
final class NeededFiles {
    /// Weights in one file.
    static final String WEIGHTS = "model.safetensors";

    /// The index of weights in several files.
    static final String INDEX = WEIGHTS + ".index.json";

    private static final String TOKENIZER = "tokenizer.json";
    private static final String MARIAN = "source.spm";
    private static final String T5 = "spiece.model";

    /// A checkpoint is complete if each of these files is present or known to be absent.
    static final List<String> CORE = List.of("config.json", TOKENIZER);

    private static final List<String> DESCRIPTION =
            List.of(
                    "config.json",
                    "generation_config.json",
                    "tokenizer_config.json",
                    "chat_template.jinja",
                    "additional_chat_templates/tool_use.jinja");
    private static final List<String> PICKLES = List.of(".bin", ".pt", ".pth", ".ckpt");

    private NeededFiles() {}

    /// Returns all needed files, without the weight files that an index lists.
    ///
    /// @throws OutriderException `HUB_NOT_FOUND` if the named file is not among them;
    ///     `PICKLE_REFUSED`, `CHECKPOINT_INCOMPLETE` if there are no weights that can be read
    static List<String> of(HubName name, Set<String> files) {
        if (name.file().isPresent()) {
            var file = name.file().get();
            if (!files.contains(file)) {
                throw noFile(name, file, files);
            }
            return List.of(file);
        }
        var needed = new ArrayList<String>();
        Stream.concat(DESCRIPTION.stream(), tokenizer(files))
                .filter(files::contains)
                .forEach(needed::add);
        needed.add(weights(name, files));
        return needed;
    }

    private static Stream<String> tokenizer(Set<String> files) {
        return files.contains(TOKENIZER)
                ? Stream.of(TOKENIZER)
                : Stream.of(T5, MARIAN, "vocab.json")
                        .filter(each -> !each.equals("vocab.json") || files.contains(MARIAN));
    }

    private static String weights(HubName name, Set<String> files) {
        return Stream.of(WEIGHTS, INDEX)
                .filter(files::contains)
                .findFirst()
                .orElseThrow(() -> noWeights(name, files));
    }

    private static OutriderException noWeights(HubName name, Set<String> files) {
        var gguf = ending(files, List.of(".gguf"));
        if (!gguf.isEmpty()) {
            return ErrorCode.CHECKPOINT_INCOMPLETE.error(
                    "'%s' has no %s, but GGUF files: %s"
                            .formatted(name, WEIGHTS, String.join(", ", gguf)),
                    "Name the one you want: %s/%s".formatted(name, gguf.getFirst()));
        }
        var pickles = ending(files, PICKLES);
        if (!pickles.isEmpty()) {
            return ErrorCode.PICKLE_REFUSED.error(
                    "'%s' has its weights only as pickles, such as '%s', and loading a pickle can run any code; expected %s"
                            .formatted(name, pickles.getFirst(), WEIGHTS),
                    "Look for a revision with safetensors among the model's pull requests on the hub (NAME@refs%2Fpr%2F1), or"
                            + " convert it where you trust it.");
        }
        return ErrorCode.CHECKPOINT_INCOMPLETE.error(
                "'%s' has no %s".formatted(name, WEIGHTS),
                "Choose a repository that holds a model.");
    }

    private static OutriderException noFile(HubName name, String file, Set<String> files) {
        var gguf = ending(files, List.of(".gguf"));
        return ErrorCode.HUB_NOT_FOUND.error(
                "'%s@%s' has no file '%s'".formatted(name.repository(), name.revision(), file),
                gguf.isEmpty()
                        ? "It has no GGUF file at all; leave the file out."
                        : "It has " + String.join(", ", gguf) + ".");
    }

    private static List<String> ending(Set<String> files, List<String> endings) {
        return new TreeSet<>(files)
                .stream().filter(file -> endings.stream().anyMatch(file::endsWith)).toList();
    }
}
