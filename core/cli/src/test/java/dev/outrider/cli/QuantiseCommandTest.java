package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantiseCommandTest {
    private static final Path MODEL = Shipped.ROOT.resolve("models/tiny-target");
    private static final int TOKENS = 40;

    @TempDir private Path folder;

    /// The token of a round and the bits of all its logits.
    private record Step(int token, List<Integer> logits) {}

    @ParameterizedTest
    @ValueSource(strings = {"int8", "int4"})
    void writesAModelThatIsTheOriginalInThatPrecision(String precision) {
        var out = folder.resolve("out");
        var run = quantise(precision, out);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith(
                        "%s: 14 matrices in %s, 0.3 MB of weights became "
                                .formatted(out, precision));
        assertThat(run.err()).isEmpty();
        var asked = Precision.valueOf(precision.toUpperCase(Locale.ROOT));
        try (var original = open(MODEL, Optional.of(asked));
                var written = open(out, Optional.empty())) {
            assertThat(written.description().backend())
                    .isEqualTo("vector/" + precision + ", int8 rows");
            assertThat(greedy(written)).isEqualTo(greedy(original));
        }
    }

    @Test
    void theTensorEngineRunsItToo() throws IOException {
        var out = folder.resolve("out");
        quantise("int8", out);

        var generated =
                Shipped.generated(
                        12,
                        "--prompt",
                        "Once upon a time",
                        "--model",
                        out.toString(),
                        "--set",
                        "target.use=djl");
        var expected =
                Shipped.generated(
                        12,
                        "--prompt",
                        "Once upon a time",
                        "--model",
                        out.toString(),
                        "--set",
                        "target.precision=f32");

        assertThat(generated.get("text")).isNotNull().isEqualTo(expected.get("text"));
    }

    @Test
    void writesTheFilesOfTheModel() throws IOException {
        var out = folder.resolve("out");
        quantise("int4", out);

        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "config.json", "model.safetensors", "tokenizer.json");
        }
        assertThat(out.resolve("tokenizer.json"))
                .hasSameBinaryContentAs(MODEL.resolve("tokenizer.json"));
    }

    @Test
    void refusesAFolderThatHasFiles() {
        var run = quantise("int8", MODEL);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        """
                        CONFIG_INVALID: '%s' is there already and not empty; expected a new or an empty folder
                          Choose another folder with --out, or remove its files.
                        """
                                .formatted(MODEL));
    }

    @Test
    void refusesAPrecisionThatIsNone() {
        var run = quantise("int", folder.resolve("out"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("USAGE: --precision is int, expected one of int8, int4");
    }

    @Test
    void saysThatThereIsNoModel() {
        var run =
                Run.of(
                        "quantise",
                        "--model",
                        folder.resolve("none").toString(),
                        "--precision",
                        "int8",
                        "--out",
                        folder.resolve("out").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("CHECKPOINT_NOT_FOUND: ");
    }

    @Test
    void writesNothingOnceItIsInterrupted() {
        var interruption = new Interruption();
        interruption.request();
        var out = folder.resolve("out");

        var run = Run.with("", interruption, words("int8", out));

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).isEqualTo("Interrupted; nothing was written.\n");
        assertThat(out).doesNotExist();
    }

    @Test
    void explainsItself() {
        var run = Run.of("quantise", "--help");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("compressed-tensors, pack-quantized")
                .contains("outrider quantise --model models/demo-target --precision int8");
    }

    private static Run quantise(String precision, Path out) {
        return Run.of(words(precision, out));
    }

    private static String[] words(String precision, Path out) {
        return new String[] {
            "quantise",
            "--model",
            MODEL.toString(),
            "--precision",
            precision,
            "--out",
            out.toString()
        };
    }

    private static TargetModel open(Path path, Optional<Precision> precision) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                path,
                                precision,
                                Optional.empty(),
                                Optional.of(64),
                                Optional.empty()));
    }

    private static List<Step> greedy(TargetModel target) {
        var steps = new ArrayList<Step>();
        try (var session = target.open(SessionRequest.ofCapacity(64))) {
            session.prefill(new int[] {17, 300, 4}).close();
            int root = 90;
            for (int step = 0; step < TOKENS; step++) {
                try (var scores = session.score(TokenTree.rootOnly(root))) {
                    var bits = scores.logits(0).toArray(ValueLayout.JAVA_INT);
                    root = scores.argmax(0);
                    steps.add(new Step(root, Arrays.stream(bits).boxed().toList()));
                }
                session.commit(new Verdict(List.of(), root, Verdict.Origin.BONUS));
            }
        }
        return steps;
    }
}
