package dev.outrider.experiment.run;

import dev.outrider.experiment.config.PromptSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the prompts an experiment names.
public final class PromptReader {
    private static final String TEXT = "text";

    private PromptReader() {}

    /// The prompts of a source, in the order they will be run.
    ///
    /// @throws OutriderException DATA_INVALID if there are none or a line is malformed; IO_FAILED
    public static List<PromptText> read(PromptSource source) {
        return switch (source) {
            case PromptSource.Texts inline -> required(inline(inline.texts()), "the configuration");
            case PromptSource.FromFile file -> {
                List<PromptText> all = new PromptFile(file.file(), file.column()).read();
                List<PromptText> wanted =
                        all.stream()
                                .filter(prompt ->
                                        file.kinds().isEmpty()
                                                || file.kinds().contains(prompt.kind()))
                                .toList();
                yield required(limited(wanted, file.limit()), "'" + file.file() + "'");
            }
        };
    }

    private static List<PromptText> inline(List<String> texts) {
        List<PromptText> prompts = new ArrayList<>();
        for (String text : texts) {
            prompts.add(new PromptText(TEXT + "-" + (prompts.size() + 1), TEXT, text));
        }
        return prompts;
    }

    private static List<PromptText> required(List<PromptText> prompts, String where) {
        if (prompts.isEmpty()) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "there are no prompts in " + where,
                    "Give prompts.texts or prompts.file, and kinds that occur in the file.");
        }
        return prompts;
    }

    /// At most `limit` prompts, one of each kind in turn, so that a short run still sees every kind.
    private static List<PromptText> limited(List<PromptText> prompts, int limit) {
        if (limit == 0 || prompts.size() <= limit) {
            return prompts;
        }
        Map<String, Deque<PromptText>> byKind = new LinkedHashMap<>();
        for (PromptText prompt : prompts) {
            byKind.computeIfAbsent(prompt.kind(), _ -> new ArrayDeque<>()).add(prompt);
        }
        List<PromptText> chosen = new ArrayList<>();
        while (chosen.size() < limit) {
            for (Deque<PromptText> kind : byKind.values()) {
                if (!kind.isEmpty() && chosen.size() < limit) {
                    chosen.add(kind.removeFirst());
                }
            }
        }
        return chosen;
    }

    /// A prompt before it is encoded.
    ///
    /// @param id    names it in results
    /// @param kind  kind of task, or `text`
    /// @param turns what the user says, at least once where there is no source; several times in a conversation
    /// @param source what an encoder-decoder reads before it continues the text; without one, it reads the text
    public record PromptText(String id, String kind, List<String> turns, Optional<String> source) {
        public PromptText {
            turns = List.copyOf(turns);
            if (turns.isEmpty() && source.isEmpty()) {
                throw new IllegalArgumentException("prompt '%s' has no text".formatted(id));
            }
        }

        /// A prompt of one turn, without a source.
        public PromptText(String id, String kind, String text) {
            this(id, kind, List.of(text), Optional.empty());
        }

        /// Returns the first turn; empty if there is only a source.
        String first() {
            return turns.isEmpty() ? "" : turns.getFirst();
        }
    }
}
