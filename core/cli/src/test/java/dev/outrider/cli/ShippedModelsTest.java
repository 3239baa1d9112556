package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every shipped model loads and drafts well enough for texts that no model was trained on: one held-out prompt of each of the six
/// synthetic kinds and two of each of the three kinds of real prose, at temperature 0. The lower limits are tokens per round; plain
/// decoding has 1. They are at least a fifth below the measured values, so that another processor's rounding does not matter, and
/// far above the values of a model that was loaded wrongly.
class ShippedModelsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PROMPTS = 6;

    @TempDir private Path folder;

    /// @param drafter the variant's drafter, as configurations write it
    /// @param floor   least tokens a round
    private record Model(String drafter, double floor) {}

    private static Map<String, Model> demo() {
        var models = new LinkedHashMap<String, Model>();
        models.put("draft", new Model("use: small-model, path: %s/demo-draft, length: 4", 2.8));
        models.put(
                "draft with another tokenizer",
                new Model(
                        "use: small-model, path: %s/demo-draft-1024, length: 4, vocabulary: text",
                        2.2));
        models.put("EAGLE", new Model("use: eagle, path: %s/demo-eagle1, length: 4", 3));
        models.put("EAGLE-3", new Model("use: eagle3, path: %s/demo-eagle3, length: 4", 2.8));
        models.put("DFlash", new Model("use: dflash, path: %s/demo-dflash, length: 7", 2.4));
        models.put("DSpark", new Model("use: dspark, path: %s/demo-dspark, length: 7", 2.6));
        models.put("P-EAGLE", new Model("use: p-eagle, path: %s/demo-p-eagle, length: 7", 2.4));
        models.put("PARD", new Model("use: pard, path: %s/demo-pard, length: 7", 2.2));
        models.put("MTP", new Model("use: mtp, path: %s/demo-mtp, length: 4", 3));
        models.put("Medusa", new Model("use: medusa, path: %s/demo-medusa, length: 4", 1.85));
        models.put("Hydra", new Model("use: hydra, path: %s/demo-hydra, length: 4", 2.3));
        models.put(
                "Hydra++",
                new Model("use: hydra-plus-plus, path: %s/demo-hydra-plus-plus, length: 4", 2.3));
        models.put(
                "ReDrafter",
                new Model(
                        "use: redrafter, path: %s/demo-redrafter, beam: {width: 3, length: 4}",
                        2.3));
        models.put(
                "n-gram",
                new Model("use: ngram, table: %s/demo-ngram/table.safetensors, length: 4", 1.35));
        return models;
    }

    private static Map<String, Model> prose() {
        var models = new LinkedHashMap<String, Model>();
        models.put("draft", new Model("use: small-model, path: %s/prose-draft, length: 4", 2.2));
        models.put("EAGLE-3", new Model("use: eagle3, path: %s/prose-eagle3, length: 4", 1.8));
        models.put("DFlash", new Model("use: dflash, path: %s/prose-dflash, length: 7", 1.4));
        models.put("DSpark", new Model("use: dspark, path: %s/prose-dspark, length: 7", 1.8));
        models.put("P-EAGLE", new Model("use: p-eagle, path: %s/prose-p-eagle, length: 7", 1.4));
        models.put("Hydra", new Model("use: hydra, path: %s/prose-hydra, length: 4", 2));
        return models;
    }

    @Test
    @Tag("nightly")
    void theyGuessHeldOutTextsWell() throws IOException {
        guessWell("demo-target", "held-out.jsonl", demo());
    }

    @Test
    @Tag("nightly")
    void theyGuessHeldOutProseWell() throws IOException {
        guessWell("prose-target", "prose.jsonl", prose());
    }

    private void guessWell(String target, String prompts, Map<String, Model> models)
            throws IOException {
        var config = config(target, prompts, models);
        var run = Run.of("bench", config.toString(), "--out", folder.resolve("out").toString());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var measured = tokensPerRound(folder.resolve("out/floors/latest/rounds.jsonl"));
        assertThat(measured.get("plain")).isEqualTo(1);
        models.forEach((name, model) ->
                assertThat(measured.get(name))
                        .as("tokens a round of '%s'; of all: %s", name, measured)
                        .isGreaterThan(model.floor()));
    }

    private Path config(String target, String prompts, Map<String, Model> models)
            throws IOException {
        var root = Shipped.ROOT.toAbsolutePath().normalize();
        var lines = Files.readAllLines(root.resolve("configs/prompts").resolve(prompts));
        int each = lines.size() / PROMPTS;
        Files.write(
                folder.resolve("prompts.jsonl"),
                IntStream.range(0, PROMPTS).mapToObj(i -> lines.get(i * each)).toList());
        var paths = root.resolve("models").toString().replace('\\', '/');
        var variants =
                models.entrySet().stream()
                        .map(model ->
                                "  - {name: %s, drafter: {%s}}\n"
                                        .formatted(
                                                model.getKey(),
                                                model.getValue().drafter().formatted(paths)))
                        .collect(Collectors.joining());
        return Files.writeString(
                folder.resolve("floors.yaml"),
                """
                name: floors
                target: {use: vector, path: %s/%s}
                prompts: {file: prompts.jsonl}
                sampling: {temperature: 0}
                maxTokens: 48
                warmup: 0
                repetitions: 1
                variants:
                %s\
                """
                        .formatted(paths, target, variants));
    }

    private static Map<String, Double> tokensPerRound(Path rounds) throws IOException {
        var tokens = new TreeMap<String, List<Integer>>();
        for (var line : Files.readAllLines(rounds)) {
            var read = JSON.readTree(line);
            tokens.computeIfAbsent(read.get("variant").asText(), _ -> new ArrayList<>())
                    .add(read.get("round").get("emitted").asInt());
        }
        var mean = new TreeMap<String, Double>();
        tokens.forEach((side, emitted) ->
                mean.put(
                        side,
                        emitted.stream().mapToInt(Integer::intValue).average().orElseThrow()));
        return mean;
    }
}
