package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A third-party checkpoint drafts for itself: every guess must be accepted.
class RealCheckpointTest {
    private static final int TOKENS = 100;

    private Path checkpoint = Path.of("");
    private Optional<TargetModel> target = Optional.empty();

    @BeforeEach
    void open() {
        checkpoint = checkpoint();
        target =
                Optional.of(
                        new VectorTargetFactory()
                                .open(
                                        new VectorTargetConfig(
                                                checkpoint,
                                                Optional.of(Precision.F32),
                                                Optional.empty(),
                                                Optional.empty(),
                                                Optional.empty())));
    }

    @AfterEach
    void close() {
        target.ifPresent(TargetModel::close);
    }

    @Test
    void everyGreedyGuessIsAccepted() {
        int[] plain =
                Decoder.plain(target(), new GreedyRule(), () -> 0)
                        .decode(request(SamplingPolicy.argmax()), randomness())
                        .tokens();
        for (var plan : List.of(new TreePlan.Chain(5), new TreePlan.Dynamic(4, 4, 16))) {
            var rounds = new ArrayList<DecodeEvent.RoundCompleted>();

            assertThat(decode(plan, SamplingPolicy.argmax(), new GreedyRule(), rounds))
                    .isEqualTo(plain);
            if (plan instanceof TreePlan.Chain) {
                assertThat(rounds).allMatch(RealCheckpointTest::allAccepted);
            }
        }
    }

    @Test
    void everyDrawnGuessIsAcceptedButForRounding() {
        var rounds = new ArrayList<DecodeEvent.RoundCompleted>();

        decode(
                new TreePlan.Chain(4),
                SamplingPolicy.atTemperature(0.9),
                new TokenRejectionRule(),
                rounds);

        assertThat(rounds.stream().filter(round -> !allAccepted(round)).count())
                .isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(RowPrecision.class)
    void matricesOfIntegersMultiplyRowsAsTheTargetsDo(RowPrecision rows) {
        var config =
                new VectorTargetConfig(
                        checkpoint,
                        Optional.of(Precision.F32),
                        rows,
                        CachePrecision.F32,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var draft = Configs.at(checkpoint, new TreePlan.Chain(2));
        try (var vector = new VectorTargetFactory().open(config);
                var network = DraftCheckpoints.load(draft, vector).network()) {
            assertThat(network.capability(VectorNetwork.class).orElseThrow().rowPrecision())
                    .isEqualTo(rows);
        }
    }

    @Test
    void aFolderWithoutACheckpointIsReported() {
        var missing = checkpoint.resolve("nothing-here");
        var config =
                new SmallModelConfig(
                        missing,
                        Optional.empty(),
                        BackendKey.VECTOR,
                        Drafting.of(new TreePlan.Chain(4)),
                        VocabularyMode.SAME);

        assertThatThrownBy(() -> new SmallModelDrafterFactory().create(config, this::target))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "CHECKPOINT_NOT_FOUND: there is no directory '%s'".formatted(missing));
    }

    private int[] decode(
            TreePlan plan,
            SamplingPolicy policy,
            AcceptanceRule rule,
            List<DecodeEvent.RoundCompleted> rounds) {
        var config =
                new SmallModelConfig(
                        checkpoint,
                        Optional.empty(),
                        BackendKey.VECTOR,
                        Drafting.of(plan),
                        VocabularyMode.SAME);
        try (var drafter = new SmallModelDrafterFactory().create(config, this::target)) {
            var decoder =
                    new Decoder(
                            target(),
                            Optional.of(drafter),
                            rule,
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            return decoder.decode(
                            request(policy),
                            randomness(),
                            event -> {
                                if (event instanceof DecodeEvent.RoundCompleted round) {
                                    rounds.add(round);
                                }
                            },
                            () -> false)
                    .tokens();
        }
    }

    private static boolean allAccepted(DecodeEvent.RoundCompleted round) {
        return round.verdict().acceptedLength() == round.draft().tree().maxDepth();
    }

    private TargetModel target() {
        return target.orElseThrow();
    }

    private DecodeRequest request(SamplingPolicy policy) {
        return new DecodeRequest(
                target().tokenizer().encode("Once upon a time", true),
                TOKENS,
                policy,
                List.of(),
                true);
    }

    private static RandomnessSource randomness() {
        return RandomnessSource.of(new KeyedRandomStreams(1, 0));
    }

    /// Returns the folder of the checkpoint; without it, tests that ask for it are skipped.
    static Path checkpoint() {
        var root = Path.of(System.getProperty("outrider.root", "."));
        var shared =
                Stream.of(
                                Optional.ofNullable(System.getenv("OUTRIDER_SHARED")).map(Path::of),
                                Optional.of(root.resolve("../shared")),
                                Optional.of(root.resolve("../../shared")))
                        .flatMap(Optional::stream)
                        .map(folder -> folder.resolve("checkpoints/stories260K").normalize())
                        .filter(Files::isDirectory)
                        .findFirst();
        Assumptions.assumeTrue(
                shared.isPresent(), "checkpoint stories260K is not beside the project");
        return shared.orElseThrow();
    }
}
