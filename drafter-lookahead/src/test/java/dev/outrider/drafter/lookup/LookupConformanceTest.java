package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.ensemble.CascadeConfig;
import dev.outrider.drafter.ensemble.ChoiceConfig;
import dev.outrider.drafter.ensemble.EnsemblePlugin;
import dev.outrider.drafter.lookup.NgramFile.NgramCounts;
import dev.outrider.drafter.lookup.PromptLookupConfig.Occurrence;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The published suite for drafters, for every lookup drafter and for ensembles of them.
class LookupConformanceTest {
    private static final int VOCABULARY = 12;
    private static final int WINDOW = 1000;
    private static final TargetModel TARGET =
            TableTarget.of(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 4));

    @TempDir private static Path folder = Path.of("");
    private static Path table = Path.of("");
    private static Path datastore = Path.of("");

    @BeforeAll
    static void countATable() {
        var text = new int[400];
        for (int i = 0; i < text.length; i++) {
            text[i] = i * i % 7 + i % 5;
        }
        table = folder.resolve("table.safetensors");
        new NgramFile(NgramCounts.of(Stream.of(text), VOCABULARY), TARGET.tokenizer().digest())
                .write(table, Map.of());
        datastore = folder.resolve("datastore");
        DatastoreFolders.write(datastore, text, VOCABULARY - 1, TARGET.tokenizer().digest());
    }

    @AfterAll
    static void removeIt() throws IOException {
        Files.delete(table);
        DatastoreFolders.delete(datastore);
    }

    private static PromptLookupConfig promptLookup(Occurrence occurrence, double minChance) {
        return new PromptLookupConfig(3, 1, 6, occurrence, minChance, WINDOW);
    }

    private static TokenRecyclingConfig recycling(int nodes, int depth, boolean seedFromPrompt) {
        return new TokenRecyclingConfig(ranked(nodes, depth, seedFromPrompt));
    }

    private static RankedDrafting ranked(int nodes, int depth, boolean seedFromPrompt) {
        return new RankedDrafting(nodes, depth, Optional.empty(), seedFromPrompt, false);
    }

    private static NgramConfig ngram(int order, TreePlan plan) {
        return new NgramConfig(table, order, Drafting.of(plan), 1);
    }

    private static DrafterChoice adaptive(
            int maxOrder, int minOrder, int topK, int capacity, RankedDrafting drafting) {
        return choice(
                LookupPlugin.ADAPTIVE_NGRAM,
                new AdaptiveNgramConfig(maxOrder, minOrder, topK, capacity, drafting));
    }

    private static <C extends Record> DrafterChoice choice(Drafter.Factory<C> factory, C config) {
        return new DrafterChoice(factory.name(), factory, config);
    }

    @Nested
    class PromptLookupFirst extends Suite {
        PromptLookupFirst() {
            super(choice(LookupPlugin.PROMPT_LOOKUP, promptLookup(Occurrence.FIRST, 0)));
        }
    }

    @Nested
    @Tag("nightly")
    class PromptLookupLast extends Suite {
        PromptLookupLast() {
            super(choice(LookupPlugin.PROMPT_LOOKUP, promptLookup(Occurrence.LAST, 0.05)));
        }
    }

    @Nested
    class PromptLookupThatForgets extends Suite {
        PromptLookupThatForgets() {
            super(
                    choice(
                            LookupPlugin.PROMPT_LOOKUP,
                            new PromptLookupConfig(3, 1, 6, Occurrence.FIRST, 0, 16)));
        }
    }

    @Nested
    @Tag("nightly")
    class SuffixAutomatonChain extends Suite {
        SuffixAutomatonChain() {
            super(
                    choice(
                            LookupPlugin.SUFFIX_AUTOMATON,
                            new SuffixAutomatonConfig(40, 1, 1, 0, WINDOW)));
        }
    }

    @Nested
    class SuffixAutomatonTree extends Suite {
        SuffixAutomatonTree() {
            super(
                    choice(
                            LookupPlugin.SUFFIX_AUTOMATON,
                            new SuffixAutomatonConfig(10, 3, 1, 0.01, WINDOW)));
        }
    }

    @Nested
    class TokenRecycling extends Suite {
        TokenRecycling() {
            super(choice(LookupPlugin.TOKEN_RECYCLING, recycling(20, 4, true)));
        }

        @Override
        protected boolean dependsOnHistoryOnly() {
            return false;
        }
    }

    @Nested
    class AdaptiveNgram extends Suite {
        AdaptiveNgram() {
            super(adaptive(4, 2, 8, 65_536, ranked(20, 4, true)));
        }

        @Override
        protected boolean dependsOnHistoryOnly() {
            return false;
        }
    }

    @Nested
    @Tag("nightly")
    class AdaptiveNgramChainOfOneLevel extends Suite {
        AdaptiveNgramChainOfOneLevel() {
            var chain = new RankedDrafting(1, 1, Optional.of(new TreePlan.Chain(4)), true, false);
            super(adaptive(3, 3, 1, 65_536, chain));
        }

        @Override
        protected boolean dependsOnHistoryOnly() {
            return false;
        }
    }

    /// Without the target's scores its state follows from the text alone.
    @Nested
    @Tag("nightly")
    class AdaptiveNgramOfTheText extends Suite {
        AdaptiveNgramOfTheText() {
            super(adaptive(4, 2, 0, 65_536, ranked(8, 3, true)));
        }
    }

    @Nested
    class AdaptiveNgramThatForgets extends Suite {
        AdaptiveNgramThatForgets() {
            super(adaptive(3, 2, 0, 16, ranked(8, 3, true)));
        }
    }

    @Nested
    @Tag("nightly")
    class BigramChain extends Suite {
        BigramChain() {
            super(choice(LookupPlugin.NGRAM, ngram(2, new TreePlan.Chain(3))));
        }
    }

    @Nested
    @Tag("nightly")
    class UnigramChain extends Suite {
        UnigramChain() {
            super(choice(LookupPlugin.NGRAM, ngram(1, new TreePlan.Chain(2))));
        }
    }

    @Nested
    class BigramTree extends Suite {
        BigramTree() {
            super(
                    choice(
                            LookupPlugin.NGRAM,
                            ngram(2, new TreePlan.SampledWithoutReplacement(List.of(3, 2)))));
        }
    }

    @Nested
    @Tag("nightly")
    class LookupThenTable extends Suite {
        LookupThenTable() {
            super(
                    choice(
                            EnsemblePlugin.CASCADE,
                            new CascadeConfig(
                                    List.of(
                                            choice(
                                                    LookupPlugin.PROMPT_LOOKUP,
                                                    new PromptLookupConfig(
                                                            3, 2, 6, Occurrence.LAST, 0, WINDOW)),
                                            choice(
                                                    LookupPlugin.NGRAM,
                                                    ngram(2, new TreePlan.Chain(3)))))));
        }
    }

    @Nested
    class LookupThenTreesThenRecycling extends Suite {
        LookupThenTreesThenRecycling() {
            super(
                    choice(
                            EnsemblePlugin.CASCADE,
                            new CascadeConfig(
                                    List.of(
                                            choice(
                                                    LookupPlugin.SUFFIX_AUTOMATON,
                                                    new SuffixAutomatonConfig(10, 2, 2, 0, WINDOW)),
                                            choice(
                                                    LookupPlugin.TOKEN_RECYCLING,
                                                    recycling(8, 3, false))))));
        }

        @Override
        protected boolean dependsOnHistoryOnly() {
            return false;
        }
    }

    @Nested
    class DatastoreTree extends Suite {
        DatastoreTree() {
            super(choice(LookupPlugin.DATASTORE, new DatastoreConfig(datastore, 6, 1, 8, 4, 0)));
        }
    }

    @Nested
    class ChoiceBetweenALookupAndATable extends Suite {
        ChoiceBetweenALookupAndATable() {
            super(
                    choice(
                            EnsemblePlugin.CHOICE,
                            new ChoiceConfig(
                                    List.of(
                                            choice(
                                                    LookupPlugin.NGRAM,
                                                    ngram(2, new TreePlan.Chain(3))),
                                            choice(
                                                    LookupPlugin.PROMPT_LOOKUP,
                                                    promptLookup(Occurrence.LAST, 0))),
                                    0.01)));
        }
    }

    private abstract static class Suite extends DrafterConformance {
        private final DrafterChoice choice;
        private Optional<Drafter> drafter = Optional.empty();

        Suite(DrafterChoice choice) {
            this.choice = choice;
        }

        @Override
        protected TargetModel target() {
            return TARGET;
        }

        @Override
        protected Drafter drafter() {
            if (drafter.isEmpty()) {
                drafter = Optional.of(choice.create(() -> TARGET));
            }
            return drafter.get();
        }

        @Test
        void traitsAreThoseOfTheConfiguration() {
            assertThat(drafter().traits()).isEqualTo(choice.traits());
        }

        /// Without this test the suite would pass for a drafter that never guesses.
        @Test
        void draftsAndIsSometimesRight() {
            var metrics = new MetricsCollector();
            var decoder =
                    new Decoder(
                            TARGET,
                            Optional.of(drafter()),
                            new SampleAndMatchRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            for (int seed = 0; seed < 4; seed++) {
                decoder.decode(
                        DecodeRequest.of(
                                new int[] {1, 2, 3, 1, 2}, 100, SamplingPolicy.atTemperature(1)),
                        RandomnessSource.of(new KeyedRandomStreams(1, seed)),
                        metrics,
                        () -> false);
            }

            assertThat(metrics.metrics().meanDraftSize()).isGreaterThan(0.5);
            assertThat(metrics.metrics().tokensPerRound()).isGreaterThan(1.02);
        }
    }
}
