package dev.outrider.experiment.run;

import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.config.PromptSource.Turns;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the prompts of an experiment.
public final class PromptReader {
    private PromptReader() {}

    /// Returns the prompts of a source, in the order of the run.
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

    /// Returns the number of prompts that each text of a source gives, in the order in which a limit takes the texts, for every
    /// limit: if all turns are prompts, each turn is one.
    ///
    /// @throws OutriderException as [#read]
    public static List<Integer> counts(PromptSource source) {
        boolean all = source instanceof PromptSource.FromFile file && file.turns() == Turns.ALL;
        return inTurn(read(source.limited(0))).stream()
                .map(each -> all ? Math.max(1, each.turns().size()) : 1)
                .toList();
    }

    private static List<PromptText> inline(List<String> texts) {
        List<PromptText> prompts = new ArrayList<>();
        for (String text : texts) {
            prompts.add(
                    new PromptText(
                            PromptText.TEXT + "-" + (prompts.size() + 1), PromptText.TEXT, text));
        }
        return prompts;
    }

    private static List<PromptText> required(List<PromptText> prompts, String where) {
        if (prompts.isEmpty()) {
            throw ErrorCode.DATA_INVALID.error(
                    "there are no prompts in " + where,
                    "Give prompts.texts or prompts.file, and kinds that occur in the file.");
        }
        return prompts;
    }

    /// At most `limit` prompts, one of each kind in turn, so that a short run has prompts of every kind.
    private static List<PromptText> limited(List<PromptText> prompts, int limit) {
        return limit == 0 || prompts.size() <= limit ? prompts : inTurn(prompts).subList(0, limit);
    }

    private static List<PromptText> inTurn(List<PromptText> prompts) {
        Map<String, Deque<PromptText>> byKind = new LinkedHashMap<>();
        for (PromptText prompt : prompts) {
            byKind.computeIfAbsent(prompt.kind(), _ -> new ArrayDeque<>()).add(prompt);
        }
        List<PromptText> chosen = new ArrayList<>();
        while (chosen.size() < prompts.size()) {
            for (Deque<PromptText> kind : byKind.values()) {
                if (!kind.isEmpty()) {
                    chosen.add(kind.removeFirst());
                }
            }
        }
        return chosen;
    }
}
