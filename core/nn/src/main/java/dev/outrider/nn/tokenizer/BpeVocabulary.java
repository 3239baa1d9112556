package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
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
        var mapper = new ObjectMapper();
        var root = mapper.createObjectNode();
        root.put("version", "1.0");
        root.putNull("truncation");
        root.putNull("padding");
        var added = root.putArray("added_tokens");
        for (int id = 0; id < specialTokens.size(); id++) {
            var token = added.addObject();
            token.put("id", id);
            token.put("content", specialTokens.get(id));
            for (var flag : List.of("single_word", "lstrip", "rstrip", "normalized")) {
                token.put(flag, false);
            }
            token.put("special", true);
        }
        root.putNull("normalizer");
        byteLevel(root.putObject("pre_tokenizer"));
        if (end.isPresent()) {
            template(root.putObject("post_processor"), end.get());
        } else {
            root.putNull("post_processor");
        }
        byteLevel(root.putObject("decoder"));
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
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void template(ObjectNode node, String token) {
        node.put("type", "TemplateProcessing");
        var single = node.putArray("single");
        piece(single.addObject(), "Sequence", "A");
        piece(single.addObject(), "SpecialToken", token);
        node.putArray("pair");
        var special = node.putObject("special_tokens").putObject(token);
        special.put("id", token);
        special.putArray("ids").add(specialTokens.indexOf(token));
        special.putArray("tokens").add(token);
    }

    private static void piece(ObjectNode node, String kind, String id) {
        node.putObject(kind).put("id", id).put("type_id", 0);
    }

    private static void byteLevel(ObjectNode node) {
        node.put("type", "ByteLevel");
        node.put("add_prefix_space", false);
        node.put("trim_offsets", true);
        node.put("use_regex", true);
    }
}
