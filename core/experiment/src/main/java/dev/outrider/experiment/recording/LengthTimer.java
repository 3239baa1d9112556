package dev.outrider.experiment.recording;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.stats.FirstRounds;
import dev.outrider.parquet.TableWriter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Times rounds of every draft length, because a run itself has passes of few rows only at the ends of texts.
///
/// Rounds are timed in blocks. A block continues a text from its middle, where the cache has its mean length, with plain decoding, at every
/// draft length, and with more rows than any draft has, in an order drawn for the block. Changes of the machine's speed then affect all settings
/// of a block alike and cancel in quotients of its times. A first block, in which code is still being compiled, is not kept. Generations go on
/// beyond the end of the text, so that each has rounds beside its first ones ([FirstRounds]). Confined to one thread.
record LengthTimer(ComparisonPlan plan, BooleanSupplier cancelled) {
    private static final int FEWEST_BLOCKS = 12;
    private static final int MAX_BLOCKS = 16;

    /// The fewest rounds beside the first ones. Rounds of few rows get more, so that all are timed for about as long and
    /// disturbances of the machine hit all of them equally.
    private static final int FEWEST_ROUNDS = 8;

    private static final int ROWS = 48;

    /// Up to this length every length is timed.
    private static final int EVERY = 8;

    /// Rows of padded passes, in rows of the longest chain.
    private static final List<Integer> MULTIPLES = List.of(2, 4);

    private static final int MAX_ROWS = 512;

    /// One setting that is timed.
    ///
    /// @param length 0 of plain decoding
    private record Setting(Variant variant, int length, Decoder decoder) {
        int rounds() {
            return FirstRounds.MAX + Math.max(FEWEST_ROUNDS, ROWS / (length + 1));
        }

        /// Tokens of a round. Padded trees are shallow.
        int mostEmitted() {
            return Math.min(length, variant.plain() ? PaddedDrafts.DEEPEST : length) + 1;
        }
    }

    /// Times variants and writes their rounds.
    ///
    /// @param texts    that plain decoding wrote
    /// @param deepest  greatest draft length by variant; 0 for plain decoding
    /// @param measured rounds of the run; not many more are timed
    /// @param progress told about every block
    /// @throws CancellationException if cancelled
    void write(
            List<GenerationRecord> texts,
            Map<Variant, Integer> deepest,
            long measured,
            Progress progress,
            TableWriter table)
            throws IOException {
        if (texts.isEmpty() || deepest.isEmpty()) {
            return;
        }
        var settings = settings(deepest);
        int blocks =
                (int)
                        Math.clamp(
                                measured / settings.stream().mapToInt(Setting::rounds).sum(),
                                FEWEST_BLOCKS,
                                MAX_BLOCKS);
        for (int block = 0; block <= blocks; block++) {
            progress.at("lengths", block, blocks + 1);
            var text = texts.get(block % texts.size());
            Collections.shuffle(settings, new Random(plan.seed() * 31 + block));
            for (var setting : settings) {
                for (var round : rounds(setting, text)) {
                    if (block > 0) {
                        write(table, setting, text.prompt(), block, round);
                    }
                }
            }
        }
    }

    private static List<Setting> settings(Map<Variant, Integer> deepest) {
        var settings = new ArrayList<Setting>();
        deepest.forEach((variant, most) -> {
            for (int length : lengths(most)) {
                var decoder = variant.decoder();
                settings.add(
                        new Setting(
                                variant,
                                length,
                                decoder.withDrafting(decoder.drafter(), new FixedLength(length))));
            }
        });
        int most = deepest.values().stream().mapToInt(each -> each).max().orElse(0);
        deepest.keySet().stream()
                .filter(Variant::plain)
                .findFirst()
                .ifPresent(plain -> padded(plain, most, settings));
        return settings;
    }

    private static void padded(Variant plain, int deepest, List<Setting> settings) {
        int vocabulary = plain.decoder().target().description().vocabularySize();
        for (int multiple : MULTIPLES) {
            int rows = multiple * (deepest + 1);
            if (rows <= MAX_ROWS) {
                settings.add(
                        new Setting(
                                plain,
                                rows,
                                plain.decoder()
                                        .withRule(new SampleAndMatchRule())
                                        .withDrafting(
                                                Optional.of(PaddedDrafts.of(rows - 1, vocabulary)),
                                                FixedLength.drafterLimit())));
            }
        }
    }

    private List<RoundCompleted> rounds(Setting setting, GenerationRecord text) {
        var variant = setting.variant();
        var rounds = new ArrayList<RoundCompleted>();
        setting.decoder()
                .decode(
                        fromTheMiddle(
                                plan.request(variant, text.prompt()),
                                text.tokens(),
                                variant.decoder().target().description().maxPositions(),
                                setting),
                        plan.randomness(variant, text.prompt(), 0),
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                rounds.add(round);
                            }
                        },
                        () -> cancelled.getAsBoolean() || rounds.size() >= setting.rounds());
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
        return rounds;
    }

    private static DecodeRequest fromTheMiddle(
            DecodeRequest request, List<Integer> written, int room, Setting setting) {
        var half = written.subList(0, written.size() / 2);
        int[] prompt =
                IntStream.concat(
                                IntStream.of(request.prompt()),
                                half.stream().mapToInt(Integer::intValue))
                        .toArray();
        long wanted = (setting.rounds() + 1L) * setting.mostEmitted();
        int most = Math.max(request.maxTokens() - half.size(), room - prompt.length);
        return new DecodeRequest(
                prompt,
                (int) Math.min(wanted, most),
                request.policy(),
                List.of(),
                true,
                request.source());
    }

    /// Returns the lengths to time: 0 for plain decoding, otherwise all up to 8, then in steps of a half or a third, and the
    /// greatest.
    static List<Integer> lengths(int deepest) {
        if (deepest == 0) {
            return List.of(0);
        }
        var lengths = new ArrayList<Integer>();
        for (int length = 1; length < Math.min(deepest, EVERY); length++) {
            lengths.add(length);
        }
        for (int power = EVERY; power < deepest; power *= 2) {
            lengths.add(power);
            if (power + power / 2 < deepest) {
                lengths.add(power + power / 2);
            }
        }
        lengths.add(deepest);
        return lengths;
    }

    private void write(
            TableWriter table, Setting setting, int prompt, int block, RoundCompleted round)
            throws IOException {
        var tree = round.draft().tree();
        var times = round.times();
        table.row(
                setting.variant().name(),
                plan.prompts().get(prompt).id(),
                block,
                setting.length(),
                tree.draftedNodes(),
                tree.candidateDepth(),
                round.verdict().acceptedLength(),
                round.emitted(),
                times.draft(),
                times.score(),
                times.decide(),
                times.commit(),
                times.observe(),
                times.rest());
    }

    /// Trees of arbitrary guesses, to time passes of more rows than any draft of the run has: each node has as many children as
    /// keep it shallow, tokens from 0 on. Costs nothing to draft. Thread-safe.
    ///
    /// @param nodes of every draft, at least 1
    /// @param width children of a node, at most the vocabulary's size
    record PaddedDrafts(int nodes, int width) implements Drafter {
        /// Deeper than a tree of 512 nodes with two children each.
        static final int DEEPEST = 9;

        private static final int WIDTH = 4;

        /// Drafts that a target can score.
        static PaddedDrafts of(int nodes, int vocabulary) {
            return new PaddedDrafts(nodes, Math.min(WIDTH, vocabulary));
        }

        @Override
        public DrafterTraits traits() {
            return DrafterTraits.tree(nodes, nodes);
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new Session();
        }

        @Override
        public void close() {}

        private final class Session implements DraftSession {
            private int root;

            @Override
            public void begin(int[] prompt, HiddenStates promptStates) {
                root = prompt[prompt.length - 1];
            }

            @Override
            public Draft propose(DraftBudget budget, Randomness randomness) {
                var tree = TokenTree.builder(root);
                for (int node = 0; node < Math.min(nodes, budget.maxNodes()); node++) {
                    tree.add(node / width, node % width);
                }
                var built = tree.build();
                return built.maxDepth() > budget.maxDepth()
                        ? Draft.empty(root)
                        : new Draft(built, new Selection.PointMass());
            }

            @Override
            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                root = verdict.nextToken();
            }

            @Override
            public void close() {}
        }
    }
}
