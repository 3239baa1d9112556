package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MatrixTest {
    private static final String BASE =
            """
            name: a
            model: m
            variants:
              - {name: v, drafter: {use: small-model, path: d}}
            """;

    @TempDir Path folder;

    @Test
    void makesAConfigurationOfEveryCombinationTheLastAxisFastest() {
        var matrix =
                matrix(
                        """
                        sweep:
                          axes:
                            sampling.temperature: [0, 0.5]
                            variants[0].drafter.depth: [1, 2, 3]
                        """);

        assertThat(matrix.axes())
                .containsExactly(
                        new Matrix.Axis("sampling.temperature", List.of("0", "0.5")),
                        new Matrix.Axis("variants[0].drafter.depth", List.of("1", "2", "3")));
        assertThat(matrix.cells()).hasSize(6);
        assertThat(matrix.excluded()).isZero();
        var fifth = matrix.cells().get(4);
        assertThat(fifth.labels())
                .containsExactly(
                        Map.entry("sampling.temperature", "0.5"),
                        Map.entry("variants[0].drafter.depth", "2"));
        assertThat(fifth.loaded().config().sampling()).isEqualTo(new Sample.Sampling(0.5, 0));
        assertThat(fifth.loaded().config().variants().getFirst().drafter().config())
                .isEqualTo(new Sample.SmallModel(folder.resolve("d"), 2));
        assertThat(matrix.cells().stream().map(cell -> cell.loaded().effective().configHash()))
                .doesNotHaveDuplicates();
    }

    @Test
    void anAxisCanSetSeveralKeysUnderANameOfItsOwn() {
        var matrix =
                matrix(
                        """
                        sweep:
                          axes:
                            shape:
                              short: {plan: 2, maxTokens: 8}
                              wide: {plan: {widths: [2, 2]}}
                        """);

        var configs = matrix.cells().stream().map(cell -> cell.loaded().config()).toList();
        assertThat(configs.getFirst().plan()).isEqualTo(new Sample.Plan.Chain(2));
        assertThat(configs.getFirst().maxTokens()).isEqualTo(8);
        assertThat(configs.getLast().plan()).isEqualTo(new Sample.Plan.LevelWidths(List.of(2, 2)));
        assertThat(configs.getLast().maxTokens()).isEqualTo(64);
        assertThat(matrix.cells().getLast().labels()).containsEntry("shape", "wide");
    }

    @Test
    void leavesOutWhatIsExcluded() {
        var matrix =
                matrix(
                        """
                        sweep:
                          axes:
                            sampling.temperature: [0, 0.5, 1]
                            plan: [2, {widths: [2, 2]}]
                          exclude:
                            - {sampling.temperature: [0.5, 1], plan: {widths: [2, 2]}}
                            - {sampling.temperature: 0, plan: 2}
                        """);

        assertThat(matrix.excluded()).isEqualTo(3);
        assertThat(matrix.cells().stream().map(cell -> List.copyOf(cell.labels().values())))
                .containsExactly(
                        List.of("0", "{widths: [2, 2]}"), List.of("0.5", "2"), List.of("1", "2"));
    }

    @Test
    void overridesApplyBeforeTheAxes() {
        var matrix =
                matrix(
                        "sweep: {axes: {sampling.topK: [1, 2]}}\n",
                        "sampling.temperature=0.25",
                        "maxTokens=3");

        assertThat(matrix.cells())
                .allSatisfy(cell -> {
                    assertThat(cell.loaded().config().maxTokens()).isEqualTo(3);
                    assertThat(cell.loaded().config().sampling().temperature()).isEqualTo(0.25);
                });
    }

    @Test
    void theConfigurationOfACellIsAWholeOne() throws IOException {
        var cell =
                matrix("sweep:\n  axes:\n    variants[0].drafter.path: [e, f]\n").cells().getLast();
        var elsewhere = Files.createDirectories(folder.resolve("results/x"));

        var again =
                Sample.loader()
                        .parse(
                                cell.loaded().effective().toJson(elsewhere),
                                "plan",
                                elsewhere,
                                Sample.class,
                                List.of());

        assertThat(again.config()).isEqualTo(cell.loaded().config());
        assertThat(cell.loaded().effective().toJson(elsewhere)).contains("\"../../f\"");
        assertThat(cell.loaded().effective().toJson()).contains("\"f\"");
    }

    @Test
    void everyMistakeIsReportedAtItsPlace() {
        assertThatThrownBy(() ->
                        matrix(
                                """
                                sweep:
                                  axis: {}
                                  axes:
                                    sampling.temperature: 1
                                    plan: [2, 2]
                                    shape: {}
                                  exclude:
                                    - {pan: 2}
                                    - {plan: 3}
                                    - {}
                                """))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessage(
                        """
                        CONFIG_INVALID: %1$s has 7 problems:
                          %1$s:6:3: sweep.axis: unknown key; did you mean 'axes'? (valid keys: axes, exclude)
                          %1$s:8:5: sweep.axes.sampling.temperature: expected a list of values, or a mapping of names to keys and values, got 1
                          %1$s:9:15: sweep.axes.plan: '2' is given twice
                          %1$s:10:5: sweep.axes.shape: expected a list of values, or a mapping of names to keys and values, got nothing in it
                          %1$s:12:8: sweep.exclude[0].pan: there is no such axis; did you mean 'plan'? (axes: plan)
                          %1$s:13:14: sweep.exclude[1].plan: the axis has no value '3'; did you mean '2'? (values: 2, 2)
                          %1$s:14:7: sweep.exclude[2]: names no axis, so it would exclude everything
                          Correct the places named; each line says what was expected there.\
                        """
                                .formatted(folder.resolve("x.yaml")));
    }

    @Test
    void aValueThatNoConfigurationCanHaveIsAMistakeOfTheFile() {
        assertThatThrownBy(() ->
                        matrix(
                                """
                                sweep:
                                  axes:
                                    maxTokens: [8, many]
                                    sampling.temprature: [1, 2]
                                """))
                .hasMessageContaining(":7:20: maxTokens: expected an integer, got many")
                .hasMessageContaining("x.yaml:8:5: sampling.temprature: unknown key")
                .hasMessageContaining("x.yaml has 2 problems");
    }

    @Test
    void saysThatSomethingHasToVary() {
        assertThatThrownBy(() -> matrix("")).hasMessageContaining("missing key 'sweep'");
        assertThatThrownBy(() -> matrix("sweep: {}\n"))
                .hasMessageContaining("sweep: there are no axes");
        assertThatThrownBy(() ->
                        matrix(
                                """
                                sweep:
                                  axes: {maxTokens: [1]}
                                  exclude: [{maxTokens: 1}]
                                """))
                .hasMessageContaining("every combination is excluded");
    }

    @Test
    void refusesMatricesThatNobodyWouldRun() {
        var hundred =
                String.join(", ", IntStream.range(1, 102).mapToObj(Integer::toString).toList());
        assertThatThrownBy(() ->
                        matrix(
                                "sweep: {axes: {maxTokens: [%s], sampling.topK: [%s]}}\n"
                                        .formatted(hundred, hundred)))
                .hasMessageContaining("the axes make more than 10,000 combinations");
    }

    @Test
    void knowsWhichFilesHaveAxes() throws IOException {
        var with = Files.writeString(folder.resolve("with.yaml"), "sweep: {}\n");
        var without = Files.writeString(folder.resolve("without.yaml"), BASE);
        assertThat(Sample.loader().isMatrix(with)).isTrue();
        assertThat(Sample.loader().isMatrix(without)).isFalse();
    }

    private Matrix<Sample> matrix(String sweep, String... overrides) {
        try {
            var file = Files.writeString(folder.resolve("x.yaml"), BASE + sweep);
            return Sample.loader().matrix(file, Sample.class, List.of(overrides));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
