package dev.outrider.experiment.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepGridTest {
    private static final FakeClock CLOCK = new FakeClock();

    private static final String BASE =
            """
            name: a
            target: table
            variants:
              - {name: v, drafter: table}
            """;

    @TempDir Path folder;

    @Test
    void makesAConfigurationOfEveryCombinationTheLastAxisFastest() {
        var grid =
                grid(
                        """
                        sweep:
                          axes:
                            sampling.temperature: [0, 0.5]
                            variants[0].drafter.agreement: [0.1, 0.2, 0.3]
                        """);

        assertThat(grid.axes())
                .containsExactly(
                        new SweepPlan.Axis("sampling.temperature", List.of("0", "0.5")),
                        new SweepPlan.Axis(
                                "variants[0].drafter.agreement", List.of("0.1", "0.2", "0.3")));
        assertThat(grid.cells()).hasSize(6);
        assertThat(grid.excluded()).isZero();
        var fifth = grid.cells().get(4);
        assertThat(fifth.labels())
                .containsExactly(
                        Map.entry("sampling.temperature", "0.5"),
                        Map.entry("variants[0].drafter.agreement", "0.2"));
        assertThat(fifth.loaded().config().sampling()).isEqualTo(SamplingPolicy.atTemperature(0.5));
        assertThat(fifth.loaded().config().variants().getFirst().drafter().config())
                .isEqualTo(
                        new TablePlugin.Guess(0.2, new TreePlan.Chain(4), SamplingPolicy.argmax()));
        assertThat(grid.cells().stream().map(cell -> cell.loaded().effective().configHash()))
                .doesNotHaveDuplicates();
    }

    @Test
    void anAxisCanSetSeveralKeysUnderANameOfItsOwn() {
        var grid =
                grid(
                        """
                        sweep:
                          axes:
                            shape:
                              short: {"variants[0].drafter.tree": 2, maxTokens: 8}
                              wide: {"variants[0].drafter.tree": {widths: [2, 2]}}
                        """);

        var configs = grid.cells().stream().map(cell -> cell.loaded().config()).toList();
        assertThat(tree(configs.getFirst())).isEqualTo(new TreePlan.Chain(2));
        assertThat(configs.getFirst().maxTokens()).isEqualTo(8);
        assertThat(tree(configs.getLast())).isEqualTo(new TreePlan.LevelWidths(List.of(2, 2)));
        assertThat(configs.getLast().maxTokens()).isEqualTo(128);
        assertThat(grid.cells().getLast().labels()).containsEntry("shape", "wide");
    }

    @Test
    void leavesOutWhatIsExcluded() {
        var grid =
                grid(
                        """
                        sweep:
                          axes:
                            sampling.temperature: [0, 0.5, 1]
                            variants[0].drafter.tree: [2, {widths: [2, 2]}]
                          exclude:
                            - {sampling.temperature: [0.5, 1], "variants[0].drafter.tree": {widths: [2, 2]}}
                            - {sampling.temperature: 0, "variants[0].drafter.tree": 2}
                        """);

        assertThat(grid.excluded()).isEqualTo(3);
        assertThat(grid.cells().stream().map(cell -> List.copyOf(cell.labels().values())))
                .containsExactly(
                        List.of("0", "{widths: [2, 2]}"), List.of("0.5", "2"), List.of("1", "2"));
    }

    @Test
    void overridesApplyBeforeTheAxes() {
        var grid =
                grid(
                        "sweep: {axes: {sampling.topK: [1, 2]}}\n",
                        "sampling.temperature=0.25",
                        "maxTokens=3");

        assertThat(grid.cells())
                .allSatisfy(cell -> {
                    assertThat(cell.loaded().config().maxTokens()).isEqualTo(3);
                    assertThat(cell.loaded().config().sampling().temperature()).isEqualTo(0.25);
                });
    }

    @Test
    void theConfigurationOfACellIsAWholeOne() throws IOException {
        var cell = grid("sweep:\n  axes:\n    prompts: [{file: e}, {file: f}]\n").cells().getLast();
        var elsewhere = Files.createDirectories(folder.resolve("results/x"));

        var again =
                loader().parse(
                                cell.loaded().effective().toJson(elsewhere),
                                "plan",
                                elsewhere,
                                ExperimentConfig.class,
                                List.of());

        assertThat(again.config()).isEqualTo(cell.loaded().config());
        assertThat(cell.loaded().effective().toJson(elsewhere)).contains("\"../../f\"");
        assertThat(cell.loaded().effective().toJson()).contains("\"f\"");
    }

    @Test
    void everyMistakeIsReportedAtItsPlace() {
        assertThatThrownBy(() ->
                        grid(
                                """
                                sweep:
                                  axis: {}
                                  axes:
                                    sampling.temperature: 1
                                    seed: [2, 2]
                                    shape: {}
                                  exclude:
                                    - {sed: 2}
                                    - {seed: 3}
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
                          %1$s:9:15: sweep.axes.seed: '2' is given twice
                          %1$s:10:5: sweep.axes.shape: expected a list of values, or a mapping of names to keys and values, got nothing in it
                          %1$s:12:8: sweep.exclude[0].sed: there is no such axis; did you mean 'seed'? (axes: seed)
                          %1$s:13:14: sweep.exclude[1].seed: the axis has no value '3'; did you mean '2'? (values: 2, 2)
                          %1$s:14:7: sweep.exclude[2]: names no axis, so it would exclude everything
                          Correct the places named; each line says what was expected there.\
                        """
                                .formatted(folder.resolve("x.yaml")));
    }

    @Test
    void aValueThatNoConfigurationCanHaveIsAMistakeOfTheFile() {
        assertThatThrownBy(() ->
                        grid(
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
        assertThatThrownBy(() -> grid("")).hasMessageContaining("missing key 'sweep'");
        assertThatThrownBy(() -> grid("sweep: {}\n"))
                .hasMessageContaining("sweep: there are no axes");
        assertThatThrownBy(() ->
                        grid(
                                """
                                sweep:
                                  axes: {maxTokens: [1]}
                                  exclude: [{maxTokens: 1}]
                                """))
                .hasMessageContaining("every combination is excluded");
    }

    @Test
    void refusesGridsThatNobodyWouldRun() {
        var hundred =
                String.join(", ", IntStream.range(1, 102).mapToObj(Integer::toString).toList());
        assertThatThrownBy(() ->
                        grid(
                                "sweep: {axes: {maxTokens: [%s], sampling.topK: [%s]}}\n"
                                        .formatted(hundred, hundred)))
                .hasMessageContaining("the axes make more than 10,000 combinations");
    }

    @Test
    void knowsWhichFilesHaveAxes() throws IOException {
        var with = Files.writeString(folder.resolve("with.yaml"), "sweep: {}\n");
        var without = Files.writeString(folder.resolve("without.yaml"), BASE);
        assertThat(reader().isSweep(with)).isTrue();
        assertThat(reader().isSweep(without)).isFalse();
    }

    private SweepGrid grid(String sweep, String... overrides) {
        try {
            var file = Files.writeString(folder.resolve("x.yaml"), BASE + sweep);
            return reader().read(file, List.of(overrides));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TreePlan tree(ExperimentConfig config) {
        return ((TablePlugin.Guess) config.variants().getFirst().drafter().config()).tree();
    }

    private static SweepGridReader reader() {
        return new SweepGridReader(loader());
    }

    private static ConfigLoader loader() {
        return new ConfigLoader(TablePlugin.installed(CLOCK), Path.of("/work-dir"));
    }
}
