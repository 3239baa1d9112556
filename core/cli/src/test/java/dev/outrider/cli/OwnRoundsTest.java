package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.training.OnPolicyTexts.Request;
import dev.outrider.training.TrainingConfig.OnPolicy;
import dev.outrider.training.VisitedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Texts of a drafter that is trained, by real rounds and alone.
class OwnRoundsTest {
    private static final Path DRAFT = Shipped.ROOT.resolve("models/tiny-draft").toAbsolutePath();
    private static final String TARGET =
            Shipped.ROOT.resolve("models/tiny-target").toAbsolutePath().toString();
    private static final int[] PROMPT = {40, 41, 42};

    @TempDir private Path folder;

    private final ConfigLoader loader = Run.context().loader();

    @Test
    void whatIsLearnedIsWhatTheRoundsVisited() throws IOException {
        var file = experiment("1");
        var requests = List.of(new Request(PROMPT, 40, 5), new Request(PROMPT, 30, 6));
        List<VisitedText> texts;
        try (var rounds = rounds(file, OnPolicy.Writer.ROUNDS)) {
            texts = rounds.write(DRAFT, requests);
            assertThat(rounds.write(DRAFT, List.of(requests.getLast())))
                    .containsExactly(texts.getLast());
        }

        var config = loader.load(file, ExperimentConfig.class, List.of()).config();
        try (var ready = LoadedExperiment.load(config, System::nanoTime, true)) {
            for (int i = 0; i < 2; i++) {
                var request = requests.get(i);
                var seen = new Seen();
                var generation =
                        ready.variants()
                                .getLast()
                                .decoder()
                                .decode(
                                        DecodeRequest.of(
                                                PROMPT,
                                                Math.min(24, request.tokens() - PROMPT.length),
                                                config.sampling()),
                                        RandomnessSource.of(
                                                new KeyedRandomStreams(1, request.number())),
                                        seen,
                                        () -> false);
                assertThat(generation.tokens()).isNotEmpty();
                assertThat(prefixes(texts.get(i))).isEqualTo(seen.prefixes);
                assertThat(seen.rejected).as("prefixes with rejected guesses").isPositive();
            }
        }
    }

    @Test
    void whatADrafterWritesAloneIsVisitedEverywhereBehindThePrompt() throws IOException {
        try (var rounds = rounds(experiment("1"), OnPolicy.Writer.STUDENT)) {
            var text = rounds.write(DRAFT, List.of(new Request(PROMPT, 12, 5))).getFirst();
            assertThat(rounds.judge()).isEmpty();
            assertThat(text.tree().isChain()).isTrue();
            assertThat(text.visited().stream().boxed())
                    .containsExactlyElementsOf(
                            IntStream.range(2, text.tree().size() - 1).boxed().toList());
        }
    }

    @Test
    void aDraftModelIsTrainedOnItsOwnPolicyAndHeadsAreRefused() throws IOException {
        var own = "training.onPolicy={share: 0.5, experiment: '%s', promptTokens: 4}";
        var rounds = own.formatted(experiment("0"));
        var run =
                Shipped.trained(
                        "lm --profile",
                        "training/draft.yaml",
                        "out=" + folder.resolve("model"),
                        "tokenizer=" + TARGET + "/tokenizer.json",
                        "shape.vocabularySize=512",
                        "training.rows=2",
                        "training.distillation.teacher=" + TARGET,
                        rounds);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err()).contains("texts of the drafter's own");
        assertThat(folder.resolve("model/training.json")).content().contains("OnPolicy[share=0.5");

        var heads =
                Shipped.trained(
                        "medusa", "training/medusa.yaml", "out=" + folder.resolve("heads"), rounds);
        assertThat(heads.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(heads.err())
                .contains("CONFIG_INVALID: 'training.onPolicy' is for small draft models");
        assertThat(folder.resolve("heads")).doesNotExist();
    }

    /// The prefixes below which guesses were drawn, from the first token on, and how many hold a rejected guess.
    private static final class Seen implements DecodeListener {
        private final Set<List<Integer>> prefixes = new HashSet<>();
        private final List<Integer> text = new ArrayList<>(List.of(40, 41, 42));
        private int rejected;

        @Override
        public void onEvent(DecodeEvent event) {
            if (!(event instanceof DecodeEvent.RoundCompleted round)) {
                return;
            }
            var tree = round.draft().tree();
            var paths = new HashMap<Integer, List<Integer>>();
            paths.put(0, List.copyOf(text));
            for (int node = 1; node < tree.size(); node++) {
                var path = new ArrayList<>(paths.get(tree.parent(node)));
                prefixes.add(List.copyOf(path));
                boolean kept =
                        tree.parent(node) == 0
                                || round.verdict().acceptedNodes().contains(tree.parent(node));
                rejected += kept ? 0 : 1;
                path.add(tree.token(node));
                paths.put(node, path);
            }
            for (int token : round.verdict().emitted(tree)) {
                text.add(token);
            }
        }
    }

    private static Set<List<Integer>> prefixes(VisitedText text) {
        var prefixes = new HashSet<List<Integer>>();
        text.visited().stream()
                .forEach(node -> {
                    var prefix = new ArrayList<Integer>();
                    for (int each : text.tree().path(node)) {
                        prefix.add(text.tree().token(each));
                    }
                    prefixes.add(prefix);
                });
        return prefixes;
    }

    private OwnRounds rounds(Path experiment, OnPolicy.Writer writer) {
        return new OwnRounds(new OnPolicy(0.5, experiment, writer, 4, 1), loader, System::nanoTime);
    }

    private Path experiment(String temperature) throws IOException {
        var file = folder.resolve("rounds.yaml");
        Files.writeString(
                file,
                """
                name: rounds
                target: {use: vector, path: %s}
                maxTokens: 24
                sampling: {temperature: %s}
                variants: [{name: small, drafter: {use: small-model, path: %s, length: 4}}]
                """
                        .formatted(TARGET, temperature, DRAFT));
        return file;
    }
}
