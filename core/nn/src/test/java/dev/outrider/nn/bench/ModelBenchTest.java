package dev.outrider.nn.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelBenchTest {
    private static final DecoderConfig SHAPE =
            DecoderConfig.builder()
                    .vocabularySize(100)
                    .hiddenSize(32)
                    .intermediateSize(48)
                    .layers(2)
                    .heads(4)
                    .keyValueHeads(2)
                    .maxPositions(64)
                    .tiedHead(true)
                    .build();

    @Test
    void countsEveryByteAPassMustRead() {
        long layer = 32 * 32 + 2 * 16 * 32 + 32 * 32 + 3 * 32 * 48 + 2 * 32;
        long weights = 2 * layer + 32 + 100 * 32;
        long cache = 2 * 2 * 2 * 8 * (20 + 4);
        assertThat(ModelBench.bytesPerPass(SHAPE, 32, 4, 24)).isEqualTo(4 * (weights + cache));
        assertThat(ModelBench.bytesPerPass(SHAPE, 4.5, 4, 24))
                .isEqualTo(weights * 9 / 16 + 4 * cache);
    }

    @Test
    void reportsOneLinePerNumberOfRows() throws IOException {
        var steps = new ArrayList<String>();
        long[] now = {0};
        var report =
                ModelBench.run(
                        new ModelBench.Request(
                                "tiny",
                                SHAPE,
                                Precision.F32,
                                RowPrecision.INT8,
                                CachePrecision.F32,
                                1,
                                20,
                                1,
                                List.of(1, 4),
                                0,
                                2,
                                3),
                        (done, total, what) -> steps.add(done + "/" + total + " " + what),
                        () -> now[0] += 1_000_000_000);
        assertThat(steps)
                .containsExactly(
                        "0/3 making weights", "1/3 measuring", "2/3 measuring", "3/3 done");
        assertThat(report.lines()).extracting(BenchReport.Line::rows).containsExactly(1, 4);
        assertThat(report.lines())
                .extracting(BenchReport.Line::medianSeconds)
                .containsExactly(1.0, 1.0);
        assertThat(report.toTable()).contains("tiny, 0.0 M parameters, f32, 1 threads, context 20");
        var json = new ObjectMapper().readTree(report.toJson());
        assertThat(json.get("passes")).hasSize(2);
        assertThat(json.get("passes").get(1).get("bytes").asLong())
                .isEqualTo(ModelBench.bytesPerPass(SHAPE, 32, 4, 24));
    }

    /// Every turn reads the prompt once; the clock goes on by a second at each look.
    @Test
    void aPromptIsTimedApartFromPasses() throws IOException {
        long[] now = {0};
        var request = withPrompt(300);
        var report = ModelBench.run(request, (_, _, _) -> {}, () -> now[0] += 1_000_000_000);

        assertThat(request.shape().maxPositions()).isEqualTo(300);
        assertThat(report.prefill()).contains(new BenchReport.Prefill(300, 1, 1));
        assertThat(report.toTable())
                .endsWith("prefill of 300 tokens: best 1.000 s, median 1.000 s\n");
        assertThat(new ObjectMapper().readTree(report.toJson()).at("/prefill/tokens").asInt())
                .isEqualTo(300);
        var without = ModelBench.run(withPrompt(0), (_, _, _) -> {}, () -> now[0] += 1_000_000_000);
        assertThat(without.prefill()).isEmpty();
        assertThat(without.toTable() + without.toJson()).doesNotContain("prefill");
        assertThatThrownBy(() -> withPrompt(-1)).hasMessage("prefill -1 must be at least 0");
    }

    private static ModelBench.Request withPrompt(int prefill) {
        return new ModelBench.Request(
                "tiny",
                SHAPE,
                Precision.F32,
                RowPrecision.INT8,
                CachePrecision.F32,
                1,
                20,
                1,
                List.of(1),
                prefill,
                2,
                1);
    }

    /// Their speed depends on it.
    @Test
    void saysWhatMultiplies() {
        assertThat(engine(Precision.F32, RowPrecision.F32))
                .endsWith(", floats by " + VectorMachine.floats());
        var int8 = engine(Precision.INT8, RowPrecision.INT8);
        assertThat(int8).endsWith(", int8 rows, integers by " + VectorMachine.integers());
        assertThat(engine(Precision.W8A8, RowPrecision.INT8)).contains(", integers by ");
        assertThat(engine(Precision.INT8, RowPrecision.F32)).doesNotContain("int");
    }

    private static String engine(Precision precision, RowPrecision rowPrecision) {
        long[] now = {0};
        var request =
                new ModelBench.Request(
                        "tiny",
                        SHAPE,
                        precision,
                        rowPrecision,
                        CachePrecision.F32,
                        1,
                        20,
                        1,
                        List.of(1),
                        0,
                        1,
                        1);
        return ModelBench.run(request, (_, _, _) -> {}, () -> now[0] += 1_000_000_000).engine();
    }

    /// A pass with many rows uses all four experts, a pass with one row uses two of them.
    @Test
    void countsTheExpertsThatAPassWoke() {
        long[] now = {0};
        var sparse = SHAPE.toBuilder().form(BlockForm.mixture(new Experts(4, 2, 48))).build();
        var report =
                ModelBench.run(
                        new ModelBench.Request(
                                "experts",
                                sparse,
                                Precision.F32,
                                RowPrecision.INT8,
                                CachePrecision.F32,
                                1,
                                20,
                                1,
                                List.of(1, 64),
                                0,
                                1,
                                1),
                        (_, _, _) -> {},
                        () -> now[0] += 1_000_000_000);
        var one = report.lines().getFirst();
        var many = report.lines().getLast();
        assertThat(one.activeExperts()).hasValue(2);
        assertThat(many.activeExperts()).hasValue(4);
        assertThat(many.bytes()).isEqualTo(ModelBench.bytesPerPass(sparse, 32, 4, 20 + 64));
        assertThat(one.bytes())
                .isEqualTo(ModelBench.bytesPerPass(sparse, 32, 4, 21) - 2 * 2 * 3 * 32 * 48 * 4L);
        assertThat(report.toTable()).contains("passes/s   experts").contains("      4.00\n");
    }

    @Test
    void aRunThatDoesNotFitIsRefusedBeforeAnythingIsMade() {
        assertThatThrownBy(() -> ModelBench.run(request(1, 1 << 27), (_, _, _) -> {}, () -> 0))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("134217728 sequences of up to 3 positions takes");
        assertThatThrownBy(() -> ModelBench.run(request(1 << 30, 1), (_, _, _) -> {}, () -> 0))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("1 sequences of up to 1073741826 positions takes");
        assertThatThrownBy(() -> request(Integer.MAX_VALUE, 1))
                .hasMessage("context 2147483647 and 2 rows are more than 2147483647 positions");
    }

    private static ModelBench.Request request(int context, int sequences) {
        return new ModelBench.Request(
                "tiny",
                SHAPE,
                Precision.F32,
                RowPrecision.INT8,
                CachePrecision.F32,
                1,
                context,
                sequences,
                List.of(2),
                0,
                1,
                1);
    }

    @Test
    void sequencesHaveContextsInEvenStepsAndBringRowsEach() {
        long[] now = {0};
        var request = request(100, 4);
        var report = ModelBench.run(request, (_, _, _) -> {}, () -> now[0] += 1_000_000_000);
        assertThat(request.shape().maxPositions()).isEqualTo(102);
        assertThat(report.lines().getFirst().bytes())
                .isEqualTo(ModelBench.bytesPerPass(SHAPE, 32, 4, 25 + 50 + 75 + 100 + 4 * 2));
        assertThat(report.toTable()).contains("4 sequences with contexts up to 100");
    }
}
