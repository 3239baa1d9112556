package dev.outrider.cli;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.target.CheckpointTokenizer;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.error.OutriderException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How a model's text becomes tokens, and conversations its text.
final class TextFacts {
    private TextFacts() {}

    static List<Fact> of(Checkpoint directory, ModelConfig model) {
        return List.of(tokenizer(directory, model), chat(directory));
    }

    private static Fact tokenizer(Checkpoint directory, ModelConfig model) {
        try (var tokenizer = CheckpointTokenizer.load(directory, model)) {
            var facts = new LinkedHashMap<String, Object>();
            facts.put("kind", tokenizer.kind());
            facts.put("pieces", tokenizer.pieces());
            facts.put("added", added(tokenizer));
            facts.put("begin", pieces(tokenizer, model.beginOfSequence()));
            facts.put("end", pieces(tokenizer, model.endOfSequence()));
            return new Fact(
                    "tokenizer",
                    facts,
                    "%s, %d pieces, %d of them added; begins with %s, ends with %s"
                            .formatted(
                                    tokenizer.kind(),
                                    tokenizer.pieces(),
                                    added(tokenizer),
                                    words(pieces(tokenizer, model.beginOfSequence())),
                                    words(pieces(tokenizer, model.endOfSequence()))));
        } catch (OutriderException e) {
            return Fact.of("tokenizer", refused(e));
        }
    }

    private static long added(HfTokenizer tokenizer) {
        return IntStream.range(0, tokenizer.vocabularySize())
                .filter(id -> tokenizer.isPiece(id) && tokenizer.isAdded(id))
                .count();
    }

    private static List<String> pieces(HfTokenizer tokenizer, List<Integer> ids) {
        return ids.stream()
                .map(id -> tokenizer.isPiece(id) ? tokenizer.piece(id) : String.valueOf(id))
                .toList();
    }

    private static String words(List<String> pieces) {
        return pieces.isEmpty()
                ? "nothing"
                : pieces.stream().collect(Collectors.joining("' or '", "'", "'"));
    }

    private static Fact chat(Checkpoint directory) {
        var template =
                ChatTemplate.load(
                        directory.path(), InstantSource.fixed(Instant.EPOCH), ZoneOffset.UTC);
        return Fact.of(
                "chatTemplate",
                template.map(each ->
                                "%s; with a system message %s"
                                        .formatted(
                                                writes(each, "user"),
                                                writes(each, "system", "user")))
                        .orElse("none: prompts are plain text"));
    }

    private static String writes(ChatTemplate template, String... roles) {
        try {
            var messages =
                    IntStream.range(0, roles.length)
                            .mapToObj(index -> new ChatMessage(roles[index], "Hello"))
                            .toArray(ChatMessage[]::new);
            template.render(ChatRequest.of(messages));
            return "written";
        } catch (OutriderException e) {
            return refused(e);
        }
    }

    private static String refused(OutriderException cause) {
        return "refused, %s: %s".formatted(cause.code(), cause.problem());
    }
}
