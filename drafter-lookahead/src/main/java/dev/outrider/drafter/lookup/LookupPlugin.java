package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.HistorySession.HistoryIndex;
import dev.outrider.drafting.DrafterPlugin;
import dev.outrider.drafting.StatelessDrafter;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.function.Supplier;

/// Adds the drafters that look guesses up: in the text, in the target's own scores, or in a file.
public final class LookupPlugin extends DrafterPlugin {
    /// Prompt lookup.
    public static final Drafter.Factory<PromptLookupConfig> PROMPT_LOOKUP =
            Drafter.Factory.of(
                    "prompt-lookup",
                    PromptLookupConfig.class,
                    PromptLookupConfig::traits,
                    (config, _) ->
                            lookup(config.traits(), config.window(), () -> new NgramIndex(config)));

    /// Lookup of the longest suffix that occurred before.
    public static final Drafter.Factory<SuffixAutomatonConfig> SUFFIX_AUTOMATON =
            Drafter.Factory.of(
                    "suffix-automaton",
                    SuffixAutomatonConfig.class,
                    SuffixAutomatonConfig::traits,
                    (config, _) ->
                            lookup(
                                    config.traits(),
                                    config.window(),
                                    () -> new SuffixIndex(config)));

    /// Token recycling.
    public static final Drafter.Factory<TokenRecyclingConfig> TOKEN_RECYCLING =
            Drafter.Factory.of(
                    "token-recycling",
                    TokenRecyclingConfig.class,
                    TokenRecyclingConfig::traits,
                    (config, context) ->
                            new RankDrafter(
                                    config.traits(),
                                    config.drafting(),
                                    new Successors(
                                            context.target().description().vocabularySize())));

    /// A table of token pairs.
    public static final Drafter.Factory<NgramConfig> NGRAM =
            Drafter.Factory.of(
                    "ngram",
                    NgramConfig.class,
                    config -> config.drafting().traits(false),
                    NgramDrafter::load);

    /// N-grams that are collected while decoding.
    public static final Drafter.Factory<AdaptiveNgramConfig> ADAPTIVE_NGRAM =
            Drafter.Factory.of(
                    "adaptive-ngram",
                    AdaptiveNgramConfig.class,
                    AdaptiveNgramConfig::traits,
                    (config, context) ->
                            new RankDrafter(
                                    config.traits(),
                                    config.drafting(),
                                    new NgramStore(
                                            config,
                                            config.drafting().rankTree().width(),
                                            context.target().description().vocabularySize())));

    /// A datastore of text (REST).
    public static final Drafter.Factory<DatastoreConfig> DATASTORE =
            Drafter.Factory.of(
                    "datastore",
                    DatastoreConfig.class,
                    DatastoreConfig::traits,
                    DatastoreDrafter::load);

    /// Returns a drafter that opens a new index for every sequence.
    private static Drafter lookup(DrafterTraits traits, int window, Supplier<HistoryIndex> index) {
        return new StatelessDrafter(
                traits,
                request ->
                        new HistorySession(
                                () -> new WindowedIndex(index, window), request.source()));
    }

    /// Adds them.
    public LookupPlugin() {
        super(PROMPT_LOOKUP, SUFFIX_AUTOMATON, TOKEN_RECYCLING, NGRAM, ADAPTIVE_NGRAM, DATASTORE);
    }
}
