package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `outrider bench-model`: times of passes at named shapes.
class BenchModelCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void timesPassesOfANamedShape() throws IOException {
        var run =
                Run.of(
                        "bench-model",
                        "--shape",
                        "stories260k",
                        "--precision",
                        "f32",
                        "--threads",
                        "1",
                        "--rows",
                        "1,4",
                        "--turns",
                        "1",
                        "--repeats",
                        "1",
                        "--json");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(JSON.readTree(run.out()).get("passes")).hasSize(2);
    }

    /// A model is timed in the precision of its files: eight bits with scales take 5/8 of the bytes of 16 bits.
    @Test
    void timesPassesOfAModel(@TempDir Path folder) throws IOException {
        var target = Shipped.ROOT.resolve("models/tiny-target").toString();
        var few = folder.resolve("few").toString();
        assertThat(
                        Run.of("quantise", "--model", target, "--precision", "int8", "--out", few)
                                .exitCode())
                .isEqualTo(ExitCode.OK);

        var plain = passes("--model", target);
        var quantised = passes("--model", few);

        assertThat(List.of(plain.get("shape").asText(), plain.get("precision").asText()))
                .containsExactly("tiny-target", "bf16");
        assertThat(List.of(quantised.get("shape").asText(), quantised.get("precision").asText()))
                .containsExactly("few", "int8");
        assertThat(bytes(quantised) / bytes(plain)).isBetween(0.5, 0.65);
        assertThat(passes("--model", few, "--precision", "f32").get("precision").asText())
                .isEqualTo("f32");
        assertThat(Run.of("bench-model", "--backend", "tornado", "--model", target).err())
                .startsWith("USAGE: --model is for --backend vector");
    }

    private static double bytes(JsonNode report) {
        return report.get("passes").get(0).get("bytes").asDouble();
    }

    private static JsonNode passes(String... what) throws IOException {
        var words = new ArrayList<>(List.of("bench-model", "--json", "--threads", "1"));
        words.addAll(List.of("--rows", "1", "--turns", "1", "--repeats", "1"));
        words.addAll(List.of(what));
        var run = Run.of(words.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        return JSON.readTree(run.out());
    }

    @Test
    void listsTheShapesWhenOneIsUnknown() {
        assertThat(Run.of("bench-model", "--shape", "big").err())
                .startsWith(
                        "USAGE: --shape is big, expected one of demo-target, experts-1b, llama-68m, llama-7b, ");
    }

    @Test
    void severalContextsAreForADevice() {
        assertThat(Run.of("bench-model", "--context", "128,1024").err())
                .startsWith(
                        "USAGE: --context is [128, 1024], expected one number unless --backend is tornado");
        assertThat(Run.of("bench-model", "--backend", "tornado", "--context", "0").err())
                .startsWith("USAGE: rows [1, 2, 4, 8, 16] and contexts [0] must be positive");
    }

    @Test
    void saysWhatADeviceShouldTakeWithoutOne() {
        var run =
                Run.of(
                        "bench-model",
                        "--expect",
                        "rtx-4090",
                        "--shape",
                        "llama-7b",
                        "--precision",
                        "f16",
                        "--rows",
                        "1,8,16,64");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out().lines())
                .hasSize(7)
                .first()
                .isEqualTo("expected on rtx-4090 for llama-7b in f16, 12.8 GiB of memory");
        assertThat(Run.of("bench-model", "--expect", "h100", "--precision", "w8a8").err())
                .startsWith(
                        "USAGE: --precision is w8a8, expected f32, f16, int8 or int4 on a device");
        assertThat(Run.of("bench-model", "--expect", "h100", "--prefill", "9").err())
                .startsWith("USAGE: --prefill is for --backend vector\n");
        assertThat(Run.of("bench-model", "--expect", "abacus").err())
                .startsWith("USAGE: --expect is abacus, expected one of h100, iris-xe, rtx-4090");
        assertThat(Run.of("bench-model", "--expect", "h100", "--shape", "experts-1b").out())
                .startsWith("expected on h100 for experts-1b in f32, 4.0 GiB of memory");
    }

    @Test
    void anInterruptedTimingOfPassesEndsAtOnceAndSaysSo() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, "bench-model", "--shape", "stories260k");

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo("Interrupted; times need every turn, so there are none to show.\n");
    }
}
