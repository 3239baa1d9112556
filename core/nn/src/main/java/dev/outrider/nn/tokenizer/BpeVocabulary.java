package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outrider.common.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A trained byte-level BPE vocabulary.
///
/// @param symbols       spelling of every id, in the byte alphabet
/// @param merges        merges in the order they are applied
/// @param specialTokens the first symbols; merging never produces them
/// @param end           a special token that follows every text, for encoders such as T5's; may be
///     empty
/// @see "Hugging Face tokenizers, tokenizer.json version 1.0"
public record BpeVocabulary(
        List<String> symbols,
        List<Merge> merges,
        List<String> specialTokens,
        Optional<String> end) {
    /// Two neighbouring symbols that are merged.
    public record Merge(String left, String right) {}

    public BpeVocabulary {
        symbols = List.copyOf(symbols);
        merges = List.copyOf(merges);
        specialTokens = List.copyOf(specialTokens);
        if (end.isPresent() && !specialTokens.contains(end.get())) {
            throw new IllegalArgumentException(
                    "the end %s is none of the special tokens %s"
                            .formatted(end.get(), specialTokens));
        }
    }

    /// Creates a vocabulary without an end token.
    public BpeVocabulary(List<String> symbols, List<Merge> merges, List<String> specialTokens) {
        this(symbols, merges, specialTokens, Optional.empty());
    }

    /// Returns the same vocabulary with a special token after every text.
    public BpeVocabulary endingWith(String token) {
        return new BpeVocabulary(symbols, merges, specialTokens, Optional.of(token));
    }

    /// Writes `tokenizer.json` atomically.
    public void write(Path file) throws IOException {
        AtomicFile.write(file, toJson());
    }

    /// Returns the content of `tokenizer.json`.
    public String toJson() {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", "1.0");
        root.putNull("truncation");
        root.putNull("padding");
        var added = root.putArray("added_tokens");
        for (int id = 0; id < specialTokens.size(); id++) {
            TokenizerTree.added(added, id, specialTokens.get(id), true);
        }
        root.putNull("normalizer");
        PreTokenizer.GPT2.write(root);
        root.putNull("post_processor");
        end.map(token -> Map.entry(token, specialTokens.indexOf(token)))
                .ifPresent(token ->
                        TokenizerTree.addSpecialTokens(root, Optional.empty(), Optional.of(token)));
        PreTokenizer.bytes(root.putObject("decoder"), true);
        var model = root.putObject("model");
        model.put("type", "BPE");
        for (var absent :
                List.of(
                        "dropout",
                        "unk_token",
                        "continuing_subword_prefix",
                        "end_of_word_suffix")) {
            model.putNull(absent);
        }
        model.put("fuse_unk", false);
        model.put("byte_fallback", false);
        model.put("ignore_merges", false);
        var vocabulary = model.putObject("vocab");
        for (int id = 0; id < symbols.size(); id++) {
            vocabulary.put(symbols.get(id), id);
        }
        var mergeList = model.putArray("merges");
        for (var merge : merges) {
            mergeList.addArray().add(merge.left()).add(merge.right());
        }
        return root.toPrettyString() + "\n";
    }
}
