package dev.outrider.drafter.bench;

import dev.outrider.drafter.lookahead.JacobiConfig;
import dev.outrider.drafter.lookahead.LookaheadConfig;
import dev.outrider.drafter.lookahead.LookaheadPlugin;
import dev.outrider.drafter.lookup.AdaptiveNgramConfig;
import dev.outrider.drafter.lookup.LookupPlugin;
import dev.outrider.drafter.lookup.NgramConfig;
import dev.outrider.drafter.lookup.NgramFile;
import dev.outrider.drafter.lookup.NgramFile.NgramCounts;
import dev.outrider.drafter.lookup.PromptLookupConfig;
import dev.outrider.drafter.lookup.PromptLookupConfig.Occurrence;
import dev.outrider.drafter.lookup.RankedDrafting;
import dev.outrider.drafter.lookup.SuffixAutomatonConfig;
import dev.outrider.drafter.lookup.TokenRecyclingConfig;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// The drafters of [ProposalCost] by name.
final class Contestants {
    private static final int WINDOW = 131_072;
    private static final DrafterContext CONTEXT =
            () -> TableTarget.of(TableModel.constant(new double[RowScores.VOCABULARY]));

    private Contestants() {}

    static Drafter load(String name) {
        return switch (name) {
            case "lookahead-4-4-4" -> lookahead(4, 4, 4);
            case "lookahead-7-5-7" -> lookahead(7, 5, 7);
            case "lookahead-15-5-15" -> lookahead(15, 5, 15);
            case "jacobi-8" ->
                    LookaheadPlugin.JACOBI.create(new JacobiConfig(8, false, 1), CONTEXT);
            case "prompt-lookup" ->
                    create(LookupPlugin.PROMPT_LOOKUP, lookup(Occurrence.FIRST, 4, .1));
            case "prompt-lookup-hf" ->
                    create(LookupPlugin.PROMPT_LOOKUP, lookup(Occurrence.FIRST, 2, 0));
            case "suffix-automaton" ->
                    create(
                            LookupPlugin.SUFFIX_AUTOMATON,
                            new SuffixAutomatonConfig(40, 1, 1, .1, WINDOW));
            case "suffix-automaton-sam" ->
                    create(
                            LookupPlugin.SUFFIX_AUTOMATON,
                            new SuffixAutomatonConfig(40, 1, 1, 0, WINDOW));
            case "suffix-tree-3" ->
                    create(
                            LookupPlugin.SUFFIX_AUTOMATON,
                            new SuffixAutomatonConfig(40, 3, 1, .05, WINDOW));
            case "token-recycling-8" ->
                    create(LookupPlugin.TOKEN_RECYCLING, new TokenRecyclingConfig(ranked(8, 4)));
            case "token-recycling-80" ->
                    create(LookupPlugin.TOKEN_RECYCLING, new TokenRecyclingConfig(ranked(80, 6)));
            case "adaptive-ngram-8" ->
                    create(
                            LookupPlugin.ADAPTIVE_NGRAM,
                            new AdaptiveNgramConfig(4, 2, 8, 65_536, ranked(8, 4)));
            case "bigram-2" -> bigram();
            default -> throw new IllegalArgumentException("no drafter '%s'".formatted(name));
        };
    }

    private static Drafter lookahead(int window, int level, int guesses) {
        return LookaheadPlugin.LOOKAHEAD.create(
                new LookaheadConfig(window, level, guesses, true, 1), CONTEXT);
    }

    private static RankedDrafting ranked(int nodes, int depth) {
        return new RankedDrafting(nodes, depth, Optional.empty(), true, false);
    }

    private static PromptLookupConfig lookup(Occurrence occurrence, int ngram, double minChance) {
        return new PromptLookupConfig(ngram, 1, 10, occurrence, minChance, WINDOW);
    }

    private static <C extends Record> Drafter create(Drafter.Factory<C> factory, C config) {
        return factory.create(config, CONTEXT);
    }

    /// A table of a synthetic corpus, written and read like a user's table.
    private static Drafter bigram() {
        try {
            var file = Files.createTempFile("ngram", ".safetensors");
            try {
                var words =
                        new SplittableRandom(4).ints(200_000, 0, RowScores.VOCABULARY).toArray();
                var counts = NgramCounts.of(Stream.of(words), RowScores.VOCABULARY);
                new NgramFile(counts, CONTEXT.target().tokenizer().digest()).write(file, Map.of());
                return create(
                        LookupPlugin.NGRAM,
                        new NgramConfig(file, 2, Drafting.of(new TreePlan.Chain(2)), 1));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
