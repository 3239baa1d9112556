package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

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
        assertThat(Run.of("bench-model", "--expect", "abacus").err())
                .startsWith("USAGE: --expect is abacus, expected one of h100, iris-xe, rtx-4090");
        assertThat(Run.of("bench-model", "--expect", "h100", "--shape", "experts-1b").err())
                .startsWith(
                        "CHECKPOINT_UNSUPPORTED: 'experts-1b' is no decoder with blocks as in Llama");
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
