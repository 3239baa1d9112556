package dev.outrider.drafter.smallmodel;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Overlap;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/// How rounds of two checkpoints end: how often the next draft was begun ahead, by the number of branches, and how a drafter that is wrong
/// ranks the token that was right. Counts, no times.
///
/// Not a test; [OverlapTables] runs it, with the folders of the target and of the draft, a file of prompts, and how many of them:
/// `../models/demo-target ../models/demo-draft ../configs/prompts/held-out.jsonl 24`.
final class OverlapOutcomes {
    private static final int TOKENS = 96;
    private static final int[] BRANCHES = {1, 2, 4, 8, 16, 32};
    private static final int RANKS = 16;
    private static final double[] SURE = {0.1, 0.5, 0.9, 1};

    private final TargetModel target;
    private final DecoderNetwork network;
    private final DraftModel model;
    private final List<int[]> prompts;
    private int count;

    private OverlapOutcomes(TargetModel target, DraftModel model, List<int[]> prompts) {
        this.target = target;
        this.model = model;
        this.network = model.network();
        this.prompts = prompts;
    }

    /// @param args target, draft, prompts, number of prompts
    static void print(String... args) throws IOException {
        var config =
                new VectorTargetConfig(
                        Path.of(args[0]),
                        Optional.empty(),
                        Optional.of(1),
                        Optional.empty(),
                        Optional.empty());
        try (var target = new VectorTargetFactory().open(config)) {
            var json = new ObjectMapper();
            var prompts = new ArrayList<int[]>();
            for (var line :
                    Files.readAllLines(Path.of(args[2])).subList(0, Integer.parseInt(args[3]))) {
                var text = json.readTree(line).path("prompt").textValue();
                prompts.add(target.tokenizer().encode(text, true));
            }
            var draft = Configs.at(Path.of(args[1]), new TreePlan.Chain(1));
            var outcomes =
                    new OverlapOutcomes(target, DraftCheckpoints.load(draft, target), prompts);
            IO.print(outcomes.ranks() + outcomes.foreseen());
        }
    }

    /// Ranks of the target's tokens in the draft model's distribution along the target's text, by how sure the draft is.
    private String ranks() {
        var counts = new int[SURE.length][RANKS + 1];
        for (int[] prompt : prompts) {
            int[] text =
                    decoded(Optional.empty(), Overlap.NONE, new TokenRejectionRule(), prompt, 0);
            int[] whole = IntStream.concat(Arrays.stream(prompt), Arrays.stream(text)).toArray();
            try (var cache = network.newCache(whole.length);
                    var pass =
                            network.forward(
                                    List.of(RowBlock.continuing(cache, whole)),
                                    PassOutputs.allLogits())) {
                for (int place = prompt.length; place < whole.length; place++) {
                    float[] logits = pass.logits(place - 1).toArray(ValueLayout.JAVA_FLOAT);
                    int better = 0;
                    for (float logit : logits) {
                        better += logit > logits[whole[place]] ? 1 : 0;
                    }
                    counts[kind(best(logits))][Math.min(better, RANKS)]++;
                }
            }
        }
        int all = Arrays.stream(counts).flatMapToInt(Arrays::stream).sum();
        int right = Arrays.stream(counts).mapToInt(kind -> kind[0]).sum();
        var report = new StringBuilder();
        report.append(
                String.format(
                        Locale.ROOT,
                        "%d tokens of the target, %.3f of them the draft's best. By the probability of its best token: share of all; how often the"
                                + " target's token has each rank, and a later one%n",
                        all,
                        (double) right / all));
        for (int kind = 0; kind < SURE.length; kind++) {
            int these = Arrays.stream(counts[kind]).sum();
            report.append(
                    String.format(
                            Locale.ROOT, "below %.1f: %.3f;", SURE[kind], (double) these / all));
            for (int count : counts[kind]) {
                report.append(
                        String.format(Locale.ROOT, " %.3f", (double) count / Math.max(1, these)));
            }
            report.append(String.format("%n"));
        }
        return report.append(String.format("%n")).toString();
    }

    private static int kind(double probability) {
        int kind = 0;
        while (kind < SURE.length - 1 && probability >= SURE[kind]) {
            kind++;
        }
        return kind;
    }

    /// Probability of the most probable token.
    private static double best(float[] logits) {
        double most = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            most = Math.max(most, logit);
        }
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - most);
        }
        return 1 / sum;
    }

    /// A way of drafting.
    private record Way(String name, TreePlan plan, AcceptanceRule rule, double temperature) {}

    private String foreseen() {
        var report = new StringBuilder(String.format("%-24s%9s", "branches", "tok/round"));
        for (int branches : BRANCHES) {
            report.append(String.format("%7d", branches));
        }
        report.append(String.format("%n"));
        for (var way :
                List.of(
                        way(new TreePlan.Chain(3), 0),
                        way(new TreePlan.Chain(4), 0),
                        way(new TreePlan.LevelWidths(List.of(2, 2, 1)), 0),
                        way(new TreePlan.Chain(3), 0.7),
                        way(new TreePlan.Chain(4), 1),
                        way(new TreePlan.LevelWidths(List.of(2, 2, 1)), 0.7))) {
            var line = new StringBuilder();
            double perRound = 0;
            for (int branches : BRANCHES) {
                var counting = new CountingNetwork(network);
                var rounds = new ForeseenRounds(counting);
                var drafter =
                        rounds.counting(
                                new SmallModelDrafterFactory((_, _) ->
                                        new DraftModel(
                                                counting,
                                                model.tokenizer(),
                                                model.vocabularySize(),
                                                model.maxPositions(),
                                                1,
                                                "",
                                                Optional.empty()))
                                        .create(Configs.of(Drafting.of(way.plan())), () -> target));
                int tokens = 0;
                count = 0;
                for (int[] prompt : prompts) {
                    tokens +=
                            decoded(
                                            Optional.of(drafter),
                                            Overlap.IN_TURN.branches(branches),
                                            way.rule(),
                                            prompt,
                                            way.temperature())
                                    .length;
                }
                perRound = (double) tokens / count;
                line.append(String.format(Locale.ROOT, "%7.3f", rounds.share()));
            }
            report.append(String.format(Locale.ROOT, "%-24s%9.2f%s%n", way.name(), perRound, line));
        }
        return report.toString();
    }

    private static Way way(TreePlan plan, double temperature) {
        boolean chain = plan instanceof TreePlan.Chain;
        return new Way(
                "%s of %d at T %s"
                        .formatted(chain ? "chain" : "tree", plan.maxNodes(), temperature),
                plan,
                chain ? new TokenRejectionRule() : new SampleAndMatchRule(),
                temperature);
    }

    private int[] decoded(
            Optional<Drafter> drafter,
            Overlap overlap,
            AcceptanceRule rule,
            int[] prompt,
            double temperature) {
        return new Decoder(
                        target,
                        drafter,
                        rule,
                        drafter.isEmpty() ? new FixedLength(0) : FixedLength.drafterLimit(),
                        false,
                        () -> 0)
                .withOverlap(overlap)
                .decode(
                        DecodeRequest.of(prompt, TOKENS, SamplingPolicy.atTemperature(temperature)),
                        RandomnessSource.of(new KeyedRandomStreams(1, 0)),
                        event -> count += event instanceof RoundCompleted ? 1 : 0,
                        () -> false)
                .tokens();
    }
}
