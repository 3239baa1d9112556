package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.PassStore.StoredRows;
import dev.outrider.training.RowSource.RowStream;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingConfig.PassSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A small decoder learns from a teacher whose passes are stored.
class PassStoreTest {
    private static final DecoderShape TEACHER =
            new DecoderShape(27, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true, Optional.empty());
    private static final DecoderShape STUDENT =
            new DecoderShape(27, 8, 1, 2, 1, 4, 12, 32, 10_000, 1e-5, true, Optional.empty());
    private static final int ROWS = 2;
    private static final int CONTEXT = 8;
    private static final int STEPS = 6;

    @TempDir Path folder;

    /// The messages that were sent while passes were stored.
    private final List<Long> stored = new ArrayList<>();

    @BeforeEach
    void trainTeacher() throws IOException {
        new Trainer(() -> 0)
                .train(
                        plan("teacher", TEACHER, config(TrainingConfig.Precision.FLOAT32)),
                        _ -> {},
                        () -> false)
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsLearnedInOrderIsBitForBitWhatIsLearnedOnline(TrainingConfig.Precision precision)
            throws IOException {
        var online = train("online", taught(precision));

        var offline = train("offline", taught(precision).withPasses(kept(0)));

        assertThat(offline).isEqualTo(online);
        for (var file : new String[] {"model.safetensors", "config.json", "loss-curve.jsonl"}) {
            assertThat(folder.resolve("offline").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("online").resolve(file));
        }
        assertThat(stored).containsExactly(0L, 2L, 4L, 6L, 8L, 10L, 12L);
    }

    /// Otherwise the test above would pass even if no stored pass were read.
    @Test
    void whatIsStoredIsWhatIsLearned() throws IOException {
        var config = taught(TrainingConfig.Precision.FLOAT32).withPasses(kept(0));
        train("first", config);
        change(
                files("store").getFirst(),
                "logits",
                logits -> {
                    float[] numbers = logits.toFloats();
                    for (int i = 0; i < numbers.length; i++) {
                        numbers[i] = -numbers[i];
                    }
                    return StoredTensor.ofFloats("logits", numbers, ROWS, CONTEXT, 27);
                });
        stored.clear();

        train("second", config);

        assertThat(stored).isEmpty();
        assertThat(Files.readAllBytes(folder.resolve("second/model.safetensors")))
                .isNotEqualTo(Files.readAllBytes(folder.resolve("first/model.safetensors")));
    }

    @Test
    void theLargestLogitsAndTheMassOfTheOthersDo() throws IOException {
        var online = train("online", taught(TrainingConfig.Precision.FLOAT32));

        var most = train("most", taught(TrainingConfig.Precision.FLOAT32).withPasses(kept(26)));

        assertThat(most.loss()).isCloseTo(online.loss(), within(1e-5));
        long size = logitBytes();
        for (var file : files("store")) {
            Files.delete(file);
        }
        Files.delete(folder.resolve("store/passes.json"));
        var some = train("some", taught(TrainingConfig.Precision.FLOAT32).withPasses(kept(5)));
        assertThat(some.loss()).isNotEqualTo(online.loss()).isCloseTo(online.loss(), within(0.1));
        assertThat(logitBytes()).isLessThan(size / 2);
    }

    @Test
    void anotherTrainingReadsTheSameStoreInOrdersOfItsOwn() throws IOException {
        var kept = kept(0);
        train("first", taught(TrainingConfig.Precision.FLOAT32).withPasses(kept));
        stored.clear();

        var rows = opened(kept);
        try (var stream = new StoredRows(rows, 3, "").open(3, 0);
                var later = new StoredRows(rows, 3, "").open(3, 12)) {
            var first = epoch(stream);
            var second = epoch(stream);
            assertThat(second).isNotEqualTo(first).containsExactlyInAnyOrderElementsOf(first);
            assertThat(epoch(later)).isEqualTo(second);
            assertThat(stream.consumed()).isEqualTo(24);
        }
        assertThat(stored).isEmpty();
    }

    private static List<List<Long>> epoch(RowStream stream) {
        var rows = new ArrayList<List<Long>>();
        for (int batch = 0; batch < 4; batch++) {
            var next = stream.next();
            for (int row = 0; row < next.rows(); row++) {
                rows.add(Arrays.stream(next.row(row)).mapToObj(each -> (long) each).toList());
            }
        }
        return rows;
    }

    @Test
    void storingGoesOnWhereItWasStopped() throws IOException {
        var config = taught(TrainingConfig.Precision.FLOAT32);
        train("whole", config.withPasses(kept(0)));
        var elsewhere =
                new PassSettings(
                        folder.resolve("other"), ROWS * CONTEXT * STEPS, 0, Optional.empty());
        assertThat(run("stopped", config.withPasses(elsewhere), () -> stored.getLast() == 6))
                .isEmpty();
        // Killed in the middle of a batch.
        assertThat(files("other")).hasSize(3);
        Files.delete(files("other").getLast());
        stored.clear();

        train("stopped", config.withPasses(elsewhere));

        assertThat(stored.getFirst()).isEqualTo(4);
        var whole = files("store");
        var other = files("other");
        assertThat(other).hasSameSizeAs(whole);
        for (int i = 0; i < whole.size(); i++) {
            assertThat(other.get(i)).hasSameBinaryContentAs(whole.get(i));
        }
        assertThat(folder.resolve("stopped/model.safetensors"))
                .hasSameBinaryContentAs(folder.resolve("whole/model.safetensors"));
    }

    @Test
    void aStoreOfSomethingElseIsRefused() throws IOException {
        var config = taught(TrainingConfig.Precision.FLOAT32);
        train("first", config.withPasses(kept(0)));

        assertRefused(config.withPasses(kept(3)), "was stored with top 0; this training has 3");
        assertRefused(
                taught(TrainingConfig.Precision.BFLOAT16_LINEAR).withPasses(kept(0)),
                "was stored with precision F32; this training has BF16");
        var json = folder.resolve("store/passes.json");
        var text = Files.readString(json);
        Files.writeString(
                json, text.replaceFirst("\"targetDigest\" : \"..", "\"targetDigest\" : \"xx"));
        assertRefused(config.withPasses(kept(0)), "was stored with targetDigest xx");
        Files.writeString(json, "{");
        assertRefused(config.withPasses(kept(0)), "is no store of passes");
        Files.writeString(json, text);
        change(
                files("store").getFirst(),
                "tokens",
                tokens -> {
                    long[] ids = tokens.toLongs();
                    ids[0]++;
                    return StoredTensor.ofLongs("tokens", ids, ROWS, CONTEXT + 1);
                });
        assertRefused(
                config.withPasses(kept(0)),
                "has other rows than these data, tokenizer and template make");
    }

    @Test
    void aStoreWithoutOneOfItsFilesIsRefused() throws IOException {
        var config = taught(TrainingConfig.Precision.FLOAT32);
        train("first", config.withPasses(kept(0)));
        Files.delete(files("store").get(2));

        assertRefused(config.withPasses(kept(0)), "has files with 10 rows where 12 were stored");
    }

    @Test
    void aStoreThatWouldBeTooLargeIsRefusedWithItsSize() {
        var config = taught(TrainingConfig.Precision.FLOAT32);
        assertRefused(
                config.withPasses(
                        new PassSettings(folder.resolve("store"), 10_000_000, 0, Optional.of(0.5))),
                "would have 1.19 GB (119 bytes a token), of which 1.19 GB are to be written; 'training.passes.gigabytes' is 0.5");
        assertRefused(
                config.withPasses(
                        new PassSettings(
                                folder.resolve("store"), 900_000_000_000L, 0, Optional.empty())),
                "the disk has");
        assertThat(folder.resolve("store/passes.json")).doesNotExist();
        assertRefused(
                config(TrainingConfig.Precision.FLOAT32).withPasses(kept(0)),
                "'training.passes' stores passes of a target or a teacher, and this training has none");
        assertRefused(config.withPasses(kept(27)), "top is 27; expected 1 to 26");
    }

    private void assertRefused(TrainingConfig config, String problem) {
        assertThatThrownBy(() -> train("refused", config))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("CONFIG_INVALID")
                .hasMessageContaining(problem);
    }

    private List<Path> files(String store) throws IOException {
        try (var all = Files.list(folder.resolve(store))) {
            return all.filter(each -> each.toString().endsWith(".safetensors")).sorted().toList();
        }
    }

    private static void change(Path file, String name, UnaryOperator<StoredTensor> change) {
        try (var old = CheckpointTensors.ofFile(file)) {
            var tensors =
                    old.names().stream()
                            .map(old::tensor)
                            .map(each -> each.name().equals(name) ? change.apply(each) : each)
                            .toList();
            SafetensorsWriter.write(file, tensors, Map.of());
        }
    }

    /// Bytes of the logits of a batch.
    private long logitBytes() throws IOException {
        try (var file = CheckpointTensors.ofFile(files("store").getFirst())) {
            return file.names().stream()
                    .filter(name -> name.contains("logits"))
                    .mapToLong(name -> file.tensor(name).data().byteSize())
                    .sum();
        }
    }

    private PassStore opened(PassSettings kept) throws IOException {
        var plan =
                plan("opened", STUDENT, taught(TrainingConfig.Precision.FLOAT32).withPasses(kept));
        try (var learner = plan.learner()) {
            return new PassFolder(kept, plan.job(), learner)
                    .filled(progress(), () -> false)
                    .orElseThrow();
        }
    }

    private TrainingResult train(String name, TrainingConfig config) throws IOException {
        return run(name, config, () -> false).orElseThrow();
    }

    private Optional<TrainingResult> run(String name, TrainingConfig config, BooleanSupplier stop)
            throws IOException {
        return new Trainer(() -> 0).train(plan(name, STUDENT, config), progress(), stop);
    }

    private TrainingProgress progress() {
        return new TrainingProgress() {
            @Override
            public void stepDone(Step step) {}

            @Override
            public void storing(long done, long all) {
                stored.add(done);
            }
        };
    }

    private PassSettings kept(int top) {
        return new PassSettings(
                folder.resolve("store"), ROWS * CONTEXT * STEPS - 3, top, Optional.empty());
    }

    private TrainingConfig taught(TrainingConfig.Precision precision) {
        return config(
                precision,
                Optional.of(
                        new TrainingConfig.Distillation(
                                folder.resolve("teacher"), 0.9, Divergence.FORWARD_KL)));
    }

    private static TrainingConfig config(TrainingConfig.Precision precision) {
        return config(precision, Optional.empty());
    }

    private static TrainingConfig config(
            TrainingConfig.Precision precision, Optional<TrainingConfig.Distillation> teacher) {
        return new TrainingConfig(
                5,
                ROWS,
                CONTEXT,
                new LearningRate(0.01, 0.1, 1, STEPS),
                TrainingConfig.Optimizer.standard(),
                precision,
                1,
                3,
                1,
                10,
                teacher,
                1,
                Optional.empty(),
                Optional.empty());
    }

    private TrainingPlan plan(String name, DecoderShape shape, TrainingConfig config) {
        var words =
                DocumentSource.ofTexts(
                        () -> Stream.iterate(1_000_000, i -> i * 31 + 7).map(PassStoreTest::word));
        return new TrainingPlan(
                shape,
                config,
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                words,
                words,
                folder.resolve(name),
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    private static String word(int number) {
        var word = new StringBuilder();
        for (long rest = Integer.toUnsignedLong(number); rest > 0; rest /= 26) {
            word.append((char) ('a' + rest % 26));
        }
        return word.toString();
    }
}
