package dev.outrider.experiment.config;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The source of the prompts.
public sealed interface PromptSource {
    /// Prompts written in the configuration itself.
    @Doc("Prompts written here.")
    record Texts(
            @Doc("One prompt each; an encoder-decoder reads each as its source.")
                    List<String> texts)
            implements PromptSource {}

    /// Prompts of a file: JSON Lines in one of the layouts of common prompt sets, or plain text with a prompt a line.
    @Doc(
            "Prompts of a file: .jsonl in the layout of Outrider's prompts, Spec-Bench, MT-bench, HumanEval or GSM8K, or text with one prompt a line."
                    + " An encoder-decoder reads the text as its source, and its decoder begins with nothing but its start tokens; where a line"
                    + " has a column 'source', it reads that, and its decoder continues the text.")
    record FromFile(
            @Doc("The file.") Path file,
            @Default("[]") @Doc("Only prompts of these kinds; empty takes all.") List<String> kinds,
            @Default("0") @Doc("Most prompts, taken from each kind in turn; 0 takes all.")
                    int limit,
            @Doc(
                            "The column with the text, the only one that is read; left out, the first there is of prompt, turns, question,"
                                    + " and 'source'.")
                    Optional<String> column,
            @Default("first")
                    @Doc(
                            "Of conversations with several turns: first, or all, where every turn is a prompt after the target's own greedy answers. An encoder-decoder takes first alone.")
                    Turns turns,
            @Default("none")
                    @Doc(
                            "none takes the text as it is; chat puts it into the target's template, which an encoder-decoder has not.")
                    Template template)
            implements PromptSource {
        public FromFile {
            kinds = List.copyOf(kinds);
            Require.atLeast("limit", limit, 0);
        }

        /// A file whose layout says which column holds the text, its first turns as they are.
        public FromFile(Path file, List<String> kinds, int limit) {
            this(file, kinds, limit, Optional.empty(), Turns.FIRST, Template.NONE);
        }
    }

    /// The same source with another limit; prompts that a configuration writes itself have none.
    ///
    /// @param limit most prompts; 0 takes all
    default PromptSource limited(int limit) {
        return switch (this) {
            case Texts(var texts) ->
                    new Texts(limit == 0 ? texts : texts.subList(0, Math.min(limit, texts.size())));
            case FromFile(var file, var kinds, int _, var column, var turns, var template) ->
                    new FromFile(file, kinds, limit, column, turns, template);
        };
    }

    /// The turns of a conversation that are prompts.
    enum Turns {
        FIRST,
        ALL
    }

    /// The text that is put around a prompt.
    enum Template {
        NONE,
        CHAT
    }
}
