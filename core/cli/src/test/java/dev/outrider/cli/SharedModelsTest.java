package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests one loaded target and one drafter of every family, which several threads use at once, greedy and sampled: every sequence
/// equals the sequence that is written when no other thread runs.
class SharedModelsTest {
    private static final int THREADS = 4;
    private static final int TOKENS = 12;
    private static final List<String> PROMPTS = List.of("Once upon a time", "Question: ");
    private static final List<String> DRAFTERS =
            List.of(
                    "use: small-model, path: %1$s/tiny-draft, length: 4",
                    "use: small-model, path: %1$s/tiny-draft, tree: {topK: 3, depth: 4, totalNodes: 8}",
                    "use: medusa, path: %1$s/tiny-medusa, tree: {topK: 3, depth: 3, totalNodes: 8}",
                    "use: eagle, path: %1$s/tiny-eagle1, length: 4",
                    "use: eagle3, path: %1$s/tiny-eagle3, tree: {topK: 3, depth: 4, totalNodes: 8}",
                    "use: mtp, path: %1$s/tiny-mtp, length: 4",
                    "use: lookahead, window: 4, level: 3, guesses: 4",
                    "use: jacobi, length: 4",
                    "use: prompt-lookup",
                    "use: suffix-automaton, branches: 3",
                    "use: token-recycling, nodes: 8, depth: 4",
                    "use: adaptive-ngram, nodes: 8, depth: 4",
                    "use: ngram, table: %1$s/tiny-ngram/table.safetensors, length: 2",
                    "use: cascade, drafters: [{use: prompt-lookup}, {use: small-model, path: %1$s/tiny-draft, length: 3}]");

    @TempDir private Path folder = Path.of("");

    /// A sequence that one of the decoders writes.
    private record Work(Variant variant, int[] prompt, SamplingPolicy policy, int seed)
            implements Callable<List<Integer>> {
        @Override
        public List<Integer> call() {
            var request = new DecodeRequest(prompt, TOKENS, policy, List.of(), true);
            var randomness = RandomnessSource.of(new KeyedRandomStreams(5, seed));
            return IntStream.of(variant.decoder().decode(request, randomness).tokens())
                    .boxed()
                    .toList();
        }

        @Override
        public String toString() {
            return "%s, %s, with seed %d".formatted(variant.name(), policy, seed);
        }
    }

    @Test
    void everyFamilyWritesBesideOthersWhatItWritesAlone()
            throws IOException, InterruptedException, ExecutionException {
        try (var models = LoadedExperiment.load(config(), () -> 0, true);
                var threads = Executors.newFixedThreadPool(THREADS)) {
            List<Work> work = work(models);
            var alone = new ArrayList<List<Integer>>();
            for (var each : work) {
                alone.add(each.call());
            }

            var beside = threads.invokeAll(work);

            for (int index = 0; index < work.size(); index++) {
                assertThat(beside.get(index).get())
                        .as(work.get(index).toString())
                        .isEqualTo(alone.get(index));
            }
        }
    }

    /// Neighbours in the list run at the same time: first one decoder's sequences, then the next decoder's.
    private static List<Work> work(LoadedExperiment models) {
        var tokenizer = models.target().tokenizer();
        var work = new ArrayList<Work>();
        for (var variant : models.variants()) {
            for (var policy : List.of(SamplingPolicy.argmax(), SamplingPolicy.atTemperature(1))) {
                for (var prompt : PROMPTS) {
                    var tokens = tokenizer.encode(prompt, true);
                    work.add(new Work(variant, tokens, policy, work.size()));
                }
            }
        }
        return work;
    }

    private ExperimentConfig config() throws IOException {
        var models = Shipped.ROOT.resolve("models").toAbsolutePath().normalize();
        var yaml = new StringBuilder();
        yaml.append(
                "name: shared\ntarget: {use: vector, path: %s}\n"
                        .formatted(models.resolve("tiny-target")));
        yaml.append("prompts: {texts: [a]}\nvariants:\n");
        for (int number = 0; number < DRAFTERS.size(); number++) {
            yaml.append("  - name: variant %d\n".formatted(number));
            yaml.append("    drafter: {%s}\n".formatted(DRAFTERS.get(number).formatted(models)));
            yaml.append("    sampling: {temperature: 1}\n");
        }
        var file = Files.writeString(folder.resolve("shared.yaml"), yaml);
        return Run.context().loader().load(file, ExperimentConfig.class, List.of()).config();
    }
}
