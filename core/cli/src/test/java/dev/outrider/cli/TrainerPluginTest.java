package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests a third-party trainer, in a real jar in a plugin folder.
class TrainerPluginTest {
    private static final String PLUGIN =
            """
            package acme;
            public final class CountPlugin implements OutriderPlugin {
                public int spiVersion() { return SPI_VERSION; }
            }
            """;

    private static final String CONFIG =
            """
            package acme;
            public record CountConfig(
                    @Doc("What to count.") @Default("words") String unit,
                    @Doc("Documents read.") int documents) {}
            """;

    private static final String TRAINER =
            """
            package acme;
            public final class CountTrainer implements dev.outrider.training.TrainerFactory<CountConfig> {
                public String name() { return "count"; }
                public Class<CountConfig> configType() { return CountConfig.class; }
                public String description() { return "Counts 100% of the corpus."; }
                public java.util.Optional<String> train(
                        CountConfig config, dev.outrider.training.TrainingContext context) {
                    try (var documents = context.training(1).open()) {
                        long found = documents.limit(config.documents()).count();
                        return java.util.Optional.of(found + " documents, in " + config.unit());
                    }
                }
            }
            """;

    @TempDir private Path plugins;

    @BeforeEach
    void install() throws IOException {
        jar(TRAINER).write(plugins.resolve("counter/counter.jar"));
    }

    @Test
    void isListedWithItsPlugin() {
        var listed = Run.withPlugins(plugins, "train");

        assertThat(listed.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(listed.out())
                .contains("count        Counts 100% of the corpus. [plugin 'counter']\n")
                .contains("eagle        Trains an EAGLE-1 or EAGLE-3 head")
                .contains("lm           ", "medusa ", "mtp ", "ngram ");
        assertThat(Run.of("train").out()).doesNotContain("count ");
    }

    @Test
    void runs() {
        var run = Run.withPlugins(plugins, "train", "count", "--documents", "7");
        assertThat(run.out()).as(run.err()).isEqualTo("7 documents, in words\n");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);

        assertThat(
                        Run.withPlugins(
                                        plugins,
                                        "train",
                                        "count",
                                        "--set",
                                        "documents=2",
                                        "--unit",
                                        "it's 1: lines")
                                .out())
                .isEqualTo("2 documents, in it's 1: lines\n");
    }

    /// DJL, which trainers use, finds its libraries through the class loader of the thread.
    @Test
    void seesTheLibrariesOfTheTensorEngine() throws IOException {
        jar(TRAINER.replace(
                        "found + \" documents, in \" + config.unit()",
                        """
                        java.util.stream.Stream.of("native/lib/tokenizers.properties", "META-INF/services/ai.djl.engine.EngineProvider",
                                        "log4j2.xml")
                                .map(name -> String.valueOf(
                                        Thread.currentThread().getContextClassLoader().resources(name).count() > 0))
                                .collect(java.util.stream.Collectors.joining(" "))\
                        """))
                .write(plugins.resolve("counter/counter.jar"));

        var run = Run.withPlugins(plugins, "train", "count", "--documents", "7");
        assertThat(run.out()).as(run.err()).isEqualTo("true true false\n");
    }

    @Test
    void explainsItsKeys() {
        assertThat(Run.withPlugins(plugins, "train", "count", "--help").out())
                .contains("Counts 100% of the corpus.\n", "--resume", "--set=KEY=VALUE")
                .contains("  unit (text, default words)  What to count.\n")
                .contains("  documents (integer, required)  Documents read.\n");
    }

    @Test
    void missingKeysAreTheUsersMistake() {
        var run = Run.withPlugins(plugins, "train", "count");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("CONFIG_INVALID: ").contains("documents");
    }

    @Test
    void aMistakeInAnOptionNamesTheOption() {
        var run =
                Run.withPlugins(
                        plugins, "train", "count", "--set", "unit=[a]", "--documents", "many");

        assertThat(run.err())
                .contains("  --set unit=[a]: unit: expected ")
                .contains("  --documents many: documents: expected an integer, got ")
                .doesNotContain("--set documents");
    }

    @Test
    void anUnknownNameGetsTheNearestAndTheList() {
        var run = Run.withPlugins(plugins, "train", "cuont", "--documents", "7");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith(
                        """
                        UNKNOWN_COMPONENT: there is no trainer 'cuont'
                          Did you mean 'count'? Known are: count, datastore, dflash,\
                        """)
                .contains(", eagle, ");
    }

    @Test
    void itsFailureIsItsOwn() throws IOException {
        jar(TRAINER.replace("context.training(1).open()", "broken()")
                        .replace(
                                "public String name",
                                "private static java.util.stream.Stream<String> broken() {"
                                        + " throw new IllegalStateException(\"broken\"); } public String name"))
                .write(plugins.resolve("counter/counter.jar"));

        var run = Run.withPlugins(plugins, "train", "count", "--documents", "7");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .startsWith(
                        "PLUGIN_FAILED: trainer 'count' of plugin 'counter' failed in train: java.lang.IllegalStateException: broken\n");
    }

    @Test
    void whatItDoesNotSayIsItsOwnFailure() throws IOException {
        jar(TRAINER.replace("\"Counts 100% of the corpus.\"", "null"))
                .write(plugins.resolve("counter/counter.jar"));

        assertThat(Run.withPlugins(plugins, "train").err())
                .startsWith(
                        "PLUGIN_FAILED: trainer 'count' of plugin 'counter' failed in what it says of itself: java.lang.NullPointerException: no description\n");
    }

    @Test
    void noResultIsItsOwnFailure() throws IOException {
        jar(TRAINER.replace(
                        "return java.util.Optional.of(found + \" documents, in \" + config.unit());",
                        "return null;"))
                .write(plugins.resolve("counter/counter.jar"));

        assertThat(Run.withPlugins(plugins, "train", "count", "--documents", "7").err())
                .startsWith(
                        "PLUGIN_FAILED: trainer 'count' of plugin 'counter' returned null from train\n");
    }

    @Test
    void checkCountsItAndSaysThatItWasNotRun() {
        var run = Run.of("plugins", "check", plugins.resolve("counter").toString());

        assertThat(run.out())
                .isEqualTo(
                        """
                        plugin 'counter' loads: 1 trainer

                        trainer count
                          kept    its keys can be configured
                          skipped everything else
                                    running it: that needs data; see --help of its command
                        """);
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void aNameThatIsTakenIsRefused() throws IOException {
        jar(TRAINER.replace("\"count\"", "\"eagle\""))
                .write(plugins.resolve("counter/counter.jar"));

        assertThat(Run.withPlugins(plugins, "train").err())
                .startsWith("PLUGIN_DUPLICATE: trainer 'eagle' is provided by both the class path")
                .contains("plugin 'counter' (acme.CountPlugin)");
    }

    private static PluginJar jar(String trainer) {
        return new PluginJar()
                .source(PLUGIN)
                .source(CONFIG)
                .source(trainer)
                .provider("acme.CountPlugin")
                .file(
                        "META-INF/services/dev.outrider.training.TrainerFactory",
                        "acme.CountTrainer");
    }
}
