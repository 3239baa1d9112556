package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentOptionsTest {
    private static final String GGUF =
            Shipped.ROOT
                    .resolve("tools/fuzz/src/test/resources/seeds/gguf/llama.gguf")
                    .toAbsolutePath()
                    .normalize()
                    .toString();

    @TempDir private Path folder;

    @Test
    void aShapeIsSetIntoEveryModelOfAConfiguration() {
        var config = Shipped.config("compare-drafters.yaml");
        var effective = Run.context().experiment(Path.of(config), List.of()).effective();

        var changes = new ExperimentOptions("tinyllama-1.1b+llama-68m").changes(effective);

        assertThat(changes)
                .hasSize(18)
                .anyMatch(each -> each.matches("target.path='.*/demo-target@tinyllama-1.1b'"))
                .anyMatch(each ->
                        each.matches("variants\\[0].drafter.path='.*/demo-draft@llama-68m'"))
                .anyMatch(each ->
                        each.matches("variants\\[2].drafter.path='.*/demo-medusa@tinyllama-1.1b'"));
        assertThat(new ExperimentOptions("tinyllama-1.1b").changes(effective))
                .noneMatch(each -> each.contains("demo-draft"));
        assertThat(new ExperimentOptions().changes(effective)).isEmpty();
        var shaped =
                Run.context()
                        .experiment(Path.of(Shipped.config("quickstart.yaml")), List.of())
                        .effective();
        assertThat(new ExperimentOptions("llama-68m+stories15m").changes(shaped))
                .hasSize(3)
                .allMatch(each -> each.matches(".*/demo-[a-z0-9]*@(llama-68m|stories15m)'"));
    }

    @Test
    void noneTakesModelsWithoutTheirShapes() {
        var shaped =
                Run.context()
                        .experiment(Path.of(Shipped.config("quickstart.yaml")), List.of())
                        .effective();

        assertThat(new ExperimentOptions("none").changes(shaped))
                .hasSize(3)
                .allMatch(each -> each.matches(".*/demo-[a-z0-9]*'"))
                .anyMatch(each -> each.startsWith("target.path="));
    }

    @Test
    void everyCellOfASweepTakesTheShapes() {
        var file = Path.of(Shipped.config("batch-size.yaml"));
        var plain = new ExperimentOptions("none").sweep(Run.context(), file);
        var shaped = new ExperimentOptions().sweep(Run.context(), file);

        assertThat(plain.cells()).hasSameSizeAs(shaped.cells()).hasSizeGreaterThan(1);
        assertThat(shaped.cells()).allMatch(cell -> targetOf(cell).contains("@"));
        assertThat(plain.cells()).noneMatch(cell -> targetOf(cell).contains("@"));
    }

    private static String targetOf(SweepGrid.Cell cell) {
        return pathOf(cell, "target");
    }

    private static String pathOf(SweepGrid.Cell cell, String part) {
        return cell.loaded().effective().paths(part).getFirst().path().toString();
    }

    @Test
    void anAxisOfDraftModelsIsRefusedUnlessTheyHaveTheirShapes() {
        var file = Path.of(Shipped.config("draft-size.yaml"));

        assertThatThrownBy(() -> sweep("tinyllama-1.1b+stories15m", file))
                .hasMessageContaining("an axis of the sweep gives '")
                .hasMessageContaining("demo-draft' (variants[0].drafter.path, ")
                .hasMessageContaining("draft-size.yaml:")
                .hasMessageContaining("demo-draft@stories15m' there, or leave --shape out");
        assertThat(sweep("tinyllama-1.1b", file).cells())
                .as("draft models stay as they are")
                .allMatch(cell -> targetOf(cell).endsWith("@tinyllama-1.1b"));
    }

    @Test
    void anAxisOfHeadsIsRefusedUnlessTheyHaveTheTargetsShape() throws IOException {
        var head =
                Path.of(Shipped.TINY_TARGET)
                        .resolveSibling("tiny-eagle3")
                        .toAbsolutePath()
                        .normalize();
        var plain = axis("[prompt-lookup, {use: eagle3, path: '%s'}]".formatted(head));

        assertThatThrownBy(() -> sweep("llama-68m", plain))
                .hasMessageContaining("'%s' (variants[0].drafter.path".formatted(head));
        assertThat(sweep("none", plain).cells()).hasSize(2);
        var alone = axis("[{use: eagle3, path: '%s'}]".formatted(head));
        assertThatThrownBy(() -> sweep("llama-68m", alone)).hasMessageContaining("an axis of");
        var shaped = axis("[prompt-lookup, {use: eagle3, path: '%s@llama-68m'}]".formatted(head));
        assertThat(sweep("llama-68m", shaped).cells())
                .hasSize(2)
                .allMatch(cell -> targetOf(cell).endsWith("@llama-68m"));
        assertThatThrownBy(() -> sweep("none", shaped))
                .hasMessageContaining(
                        "--shape is none, but an axis of the sweep gives '%s@".formatted(head))
                .hasMessageContaining("Write '%s' there".formatted(head));
    }

    private Path axis(String drafters) throws IOException {
        var target = Path.of(Shipped.TINY_TARGET).toAbsolutePath().toString();
        var file = file(target, "{use: prompt-lookup}");
        return Files.writeString(
                file,
                "sweep: {axes: {\"variants[0].drafter\": %s}}\n".formatted(drafters),
                StandardOpenOption.APPEND);
    }

    private static SweepGrid sweep(String shapes, Path file) {
        return new ExperimentOptions(shapes).sweep(Run.context(), file);
    }

    @Test
    void modelsOfTheHubAreFetchedForTheShapesOfASweep() throws IOException {
        try (var hub = new FolderHub(Path.of(Shipped.TINY_TARGET), folder.resolve("cache"))) {
            var file =
                    file("hf://org/model", "{use: small-model, path: 'hf://org/model', length: 2}");
            Files.writeString(
                    file, "sweep: {axes: {maxTokens: [4, 8]}}\n", StandardOpenOption.APPEND);
            var context = context(hub);
            assertThat(new ExperimentOptions().sweep(context, file).cells()).hasSize(2);
            assertThat(hub.requests()).as("without shapes").isZero();

            var grid = new ExperimentOptions("llama-68m+stories15m").sweep(context, file);

            assertThat(grid.cells())
                    .hasSize(2)
                    .allMatch(cell -> targetOf(cell).endsWith(FolderHub.COMMIT + "@llama-68m"))
                    .allMatch(cell ->
                            pathOf(cell, "variants").endsWith(FolderHub.COMMIT + "@stories15m"));
        }
    }

    private static CommandContext context(FolderHub hub) {
        return CommandContext.of(
                Console.ofProcess(),
                new Interruption(),
                Run::builtIn,
                CommandContext.hub(hub.variables()));
    }

    @Test
    void aModelOfTheHubGetsAShapeToo() throws IOException {
        try (var hub = new FolderHub(Path.of(Shipped.TINY_TARGET), folder.resolve("cache"))) {
            var context = context(hub);
            var drafter = "{use: small-model, path: 'hf://org/model', length: 2}";
            var effective =
                    context.experiment(file("hf://org/model", drafter), List.of()).effective();

            var changes = new ExperimentOptions("llama-68m+stories15m").changes(effective);

            var snapshot = "='.*/snapshots/" + FolderHub.COMMIT;
            assertThat(changes).hasSize(2);
            assertThat(changes.get(0)).matches("target.path" + snapshot + "@llama-68m'");
            assertThat(changes.get(1))
                    .matches("variants\\[0].drafter.path" + snapshot + "@stories15m'");
            assertThat(
                            context.experiment(file("hf://org/model", drafter), changes)
                                    .effective()
                                    .paths("target"))
                    .extracting(each -> each.path().getFileName().toString())
                    .containsExactly(FolderHub.COMMIT + "@llama-68m");
        }
    }

    @Test
    void aDrafterOfADrafterGetsAShapeToo() throws IOException {
        var head = Path.of(Shipped.TINY_TARGET).resolveSibling("tiny-eagle3").toAbsolutePath();
        var cascade =
                effective(
                        "{use: cascade, drafters: [{use: prompt-lookup}, {use: eagle3, path: '%s'}]}"
                                .formatted(head));

        assertThat(new ExperimentOptions("llama-68m").changes(cascade))
                .anyMatch(each ->
                        each.matches(
                                "variants\\[0].drafter.drafters\\[1].path='.*/tiny-eagle3@llama-68m'"));
    }

    @Test
    void aModelThatCannotHaveItsShapeIsRefused() throws IOException {
        var draft = effective("{use: small-model, path: '%s', length: 2}".formatted(GGUF));

        assertThatThrownBy(() -> new ExperimentOptions("llama-68m+stories15m").changes(draft))
                .hasMessageContaining(
                        "--shape is llama-68m+stories15m, but '%s' (variants[0].drafter.path, "
                                .formatted(GGUF))
                .hasMessageContaining("is a GGUF file");
        assertThat(new ExperimentOptions("llama-68m").changes(draft))
                .as("a draft model stays as it is")
                .hasSize(1);
        var target =
                Run.context().experiment(file(GGUF, "{use: prompt-lookup}"), List.of()).effective();
        assertThatThrownBy(() -> new ExperimentOptions("llama-68m").changes(target))
                .hasMessageContaining("(target.path, ");
    }

    @Test
    void aHeadWithoutItsConfigurationIsRefused() throws IOException {
        var head = Files.createDirectories(folder.resolve("head"));
        Files.createFile(head.resolve("medusa_lm_head.safetensors"));
        var medusa = effective("{use: medusa, path: '%s', length: 2}".formatted(head));

        assertThatThrownBy(() -> new ExperimentOptions("llama-68m").changes(medusa))
                .hasMessageContaining("'%s' (variants[0].drafter.path, ".formatted(head))
                .hasMessageContaining("has no config.json and cannot be set into a shape");
    }

    @Test
    void aDatastoreHasNoShape() throws IOException {
        var datastore = Files.createDirectories(folder.resolve("datastore"));
        Files.createFile(datastore.resolve("index.safetensors"));
        var retrieval = effective("{use: datastore, path: '%s'}".formatted(datastore));

        assertThat(new ExperimentOptions("llama-68m").changes(retrieval)).hasSize(1);
    }

    @Test
    void aShapeForDraftModelsNeedsOne() throws IOException {
        var lookup = effective("{use: prompt-lookup}");

        assertThatThrownBy(() -> new ExperimentOptions("llama-68m+stories15m").changes(lookup))
                .hasMessageContaining("no variant has a draft model for the shape 'stories15m'");
        assertThat(new ExperimentOptions("llama-68m").changes(lookup)).hasSize(1);
    }

    private EffectiveConfig effective(String drafter) throws IOException {
        var target = Path.of(Shipped.TINY_TARGET).toAbsolutePath().toString();
        return Run.context().experiment(file(target, drafter), List.of()).effective();
    }

    private Path file(String target, String drafter) throws IOException {
        return Files.writeString(
                folder.resolve("shapes.yaml"),
                """
                name: shapes
                target: {use: vector, path: '%s'}
                prompts: {texts: [x]}
                variants:
                  - {name: guesses, drafter: %s}
                """
                        .formatted(target, drafter));
    }
}
