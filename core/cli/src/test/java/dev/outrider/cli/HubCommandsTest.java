package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubCommandsTest {
    private static final Path MODEL = Shipped.ROOT.resolve("models/tiny-target");
    private static final String NAME = "hf://org/model";
    private static final String CONFIG =
            """
            name: hub
            target: {use: vector, path: "hf://org/model"}
            prompts: {texts: ["Once upon"]}
            maxTokens: 8
            repetitions: 1
            variants:
              - name: guessed
                drafter: {use: small-model, path: "hf://org/model", length: 2}
            """;

    @TempDir private Path folder;

    private FolderHub hub;

    @BeforeEach
    void start() throws IOException {
        hub = new FolderHub(MODEL, folder.resolve("cache"));
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    @Test
    void aModelIsPulledWithOrWithoutTheScheme() {
        var pulled = run("pull", NAME);

        assertThat(pulled.out())
                .startsWith("hf://org/model is " + FolderHub.COMMIT)
                .contains("models--org--model");
        assertThat(run("pull", "org/model").out()).isEqualTo(pulled.out());
    }

    @Test
    void aNameThatIsNoneIsRefusedWithTheForm() {
        var refused = run("pull", "model");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("USAGE").contains("hf://ORG/NAME[@REVISION]");
    }

    @Test
    void aModelThatIsNotThereIsSaidSo() {
        var refused = run("pull", "org/other");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err()).contains("HUB_NOT_FOUND").contains("'org/other'");
    }

    @Test
    void aNameRunsAsItsFolderDoes() {
        var options = List.of("--prompt", "Once upon", "--max-tokens", "8");

        assertThat(run(with(options, "generate", "--model", NAME)).out())
                .isEqualTo(run(with(options, "generate", "--model", MODEL.toString())).out())
                .isNotBlank();
        int asked = hub.requests();
        run(with(options, "generate", "--model", NAME));
        assertThat(hub.requests()).as("what is here is not asked for").isEqualTo(asked);
    }

    @Test
    void anExperimentFetchesWhatItNamesAndRecordsTheCommit() throws IOException {
        var config = Files.writeString(folder.resolve("hub.yaml"), CONFIG);
        var results = folder.resolve("results");

        var ran = run("bench", config.toString(), "--out", results.toString());

        assertThat(ran.exitCode()).as(ran.err()).isEqualTo(ExitCode.OK);
        var latest = results.resolve("hub/latest");
        assertThat(
                        new ObjectMapper()
                                .readTree(latest.resolve("provenance.json").toFile())
                                .path("revisions")
                                .path(NAME)
                                .asText())
                .isEqualTo(FolderHub.COMMIT);
        assertThat(latest.resolve("config.yaml")).content().contains("path: \"hf://org/model\"");
        assertThat(ran.out()).doesNotContain(FolderHub.COMMIT);
    }

    @Test
    void nothingIsFetchedForAConfigurationWithMistakes() throws IOException {
        var config = Files.writeString(folder.resolve("hub.yaml"), CONFIG + "repetition: 2\n");

        assertThat(run("bench", config.toString()).err()).contains("CONFIG_INVALID");
        assertThat(hub.requests()).isZero();
    }

    @Test
    void aMalformedNameIsAMistakeOfTheConfiguration() throws IOException {
        var config = Files.writeString(folder.resolve("hub.yaml"), CONFIG);

        assertThat(run("bench", config.toString(), "--set", "target.path=hf://org/../model").err())
                .contains("CONFIG_INVALID")
                .contains("target.path: expected hf://ORG/NAME[@REVISION][/FILE.gguf]");
    }

    @Test
    void aDryRunFetchesNothing() throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("sweep.yaml"),
                        CONFIG + "sweep: {axes: {maxTokens: [4, 8]}}\n");

        var shown = run("sweep", config.toString(), "--dry-run");

        assertThat(shown.exitCode()).as(shown.err()).isEqualTo(ExitCode.OK);
        assertThat(shown.out()).contains("Not on this machine yet").contains(NAME);
        assertThat(hub.requests()).isZero();
    }

    @Test
    void offlineTheCacheIsUsedAndNothingElse() {
        var offline = new HashMap<>(hub.variables());
        offline.put("HF_HUB_OFFLINE", "1");

        assertThat(Run.withHub(offline, "model", "show", NAME).err()).contains("HUB_OFFLINE");
        run("pull", NAME);
        assertThat(Run.withHub(offline, "model", "show", NAME).exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void aVariableWithoutSenseStopsOnlyWhoeverNeedsIt() {
        var wrong = new HashMap<>(hub.variables());
        wrong.put("HF_ENDPOINT", "nowhere");

        assertThat(Run.withHub(wrong, "plan", "--alpha", "0.8", "--cost", "0.05").exitCode())
                .isEqualTo(ExitCode.OK);
        assertThat(Run.withHub(wrong, "pull", NAME).err()).contains("USAGE: HF_ENDPOINT");
    }

    private Run run(String... arguments) {
        return Run.withHub(hub.variables(), arguments);
    }

    private static String[] with(List<String> more, String... arguments) {
        var all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(more);
        return all.toArray(String[]::new);
    }
}
