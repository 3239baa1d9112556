package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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

    /// What was told while passes were stored.
    private final List<Long> stored = new ArrayList<>();

    @BeforeEach
    void trainTeacher() throws IOException {
        new Trainer(() -> 0, _ -> Optional.empty())
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

    /// Otherwise the test above would hold if nothing were read.
    @Test
    void whatIsStoredIsWhatIsLearned() throws IOException {
        var config = taught(TrainingConfig.Precision.FLOAT32).withPasses(kept(0));
        train("first", config);
        var file = folder.resolve("store/passes.bin");
        var bytes = Files.readAllBytes(file);
        int logits = bytes.length / 12 - 27 * 4 * CONTEXT;
        for (int i = 0; i < 27 * CONTEXT; i++) {
            bytes[logits + 4 * i + 3] ^= (byte) 0x80;
        }
        Files.write(file, bytes);
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
        long size = Files.size(folder.resolve("store/passes.bin"));
        Files.delete(folder.resolve("store/passes.json"));
        Files.delete(folder.resolve("store/passes.bin"));
        var some = train("some", taught(TrainingConfig.Precision.FLOAT32).withPasses(kept(5)));
        assertThat(some.loss()).isNotEqualTo(online.loss()).isCloseTo(online.loss(), within(0.1));
        assertThat(Files.size(folder.resolve("store/passes.bin"))).isLessThan(size / 3);
    }

    @Test
    void anotherTrainingReadsTheSameStoreInOrdersOfItsOwn() throws IOException {
        var kept = kept(0);
        train("first", taught(TrainingConfig.Precision.FLOAT32).withPasses(kept));
        stored.clear();

        try (var rows = opened(kept);
                var stream = new StoredRows(rows, 3, "").open(3, 0);
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
        var whole = Files.readAllBytes(folder.resolve("store/passes.bin"));
        var other =
                new PassSettings(
                        folder.resolve("other"), ROWS * CONTEXT * STEPS, 0, Optional.empty());
        assertThat(run("stopped", config.withPasses(other), () -> stored.getLast() == 6)).isEmpty();
        // Killed in the middle of a batch.
        var file = folder.resolve("other/passes.bin");
        var part = Files.readAllBytes(file);
        assertThat(part).hasSize(whole.length / 2);
        Files.write(file, Arrays.copyOf(part, part.length - whole.length / 12 - 5));
        stored.clear();

        train("stopped", config.withPasses(other));

        assertThat(stored.getFirst()).isEqualTo(4);
        assertThat(file).hasBinaryContent(whole);
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
        Files.writeString(json, text.replaceFirst("\"width\" : 9", "\"width\" : -9"));
        assertRefused(config.withPasses(kept(0)), "is no store of passes");
        Files.writeString(json, "{");
        assertRefused(config.withPasses(kept(0)), "is no store of passes");
        Files.writeString(json, text);
        var file = folder.resolve("store/passes.bin");
        var bytes = Files.readAllBytes(file);
        bytes[8]++;
        Files.write(file, bytes);
        assertRefused(
                config.withPasses(kept(0)),
                "has other rows than these data, tokenizer and template make");
    }

    @Test
    void aStoreThatWouldBeTooLargeIsRefusedWithItsSize() {
        var config = taught(TrainingConfig.Precision.FLOAT32);
        assertRefused(
                config.withPasses(
                        new PassSettings(folder.resolve("store"), 10_000_000, 0, Optional.of(0.5))),
                "would have 1.15 GB (115 bytes a token), of which 1.15 GB are to be written; 'training.passes.gigabytes' is 0.5");
        assertRefused(
                config.withPasses(
                        new PassSettings(
                                folder.resolve("store"), 900_000_000_000L, 0, Optional.empty())),
                "the disk has");
        assertThat(folder.resolve("store/passes.bin")).doesNotExist();
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
        return new Trainer(() -> 0, _ -> Optional.empty())
                .train(plan(name, STUDENT, config), progress(), stop);
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
                Optional.empty(),
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
