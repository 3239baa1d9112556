package dev.outrider.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Tests the script that prints the table of a GPU, with a fake Outrider that records its arguments.
@DisabledOnOs(OS.WINDOWS)
class GpuTableTest {
    @TempDir private Path folder;

    @Test
    void buildsNothing() throws Exception {
        var checkout = new Checkout(folder, "checkout");

        var result = run(checkout);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text())
                .isEqualTo(
                        """
                        gpu-table: Outrider is not built, and this script builds nothing.
                          Build it with: ./outrider doctor
                        """);
    }

    @Test
    void measuresThreeShapesAfterTestingTheKernels() throws Exception {
        var checkout = pretending("echo \"called $OUTRIDER_NO_BUILD: $*\"");

        var result = run(checkout, "1");

        assertThat(result.exitCode()).isZero();
        assertThat(result.text().lines().filter(line -> line.startsWith("called")))
                .containsExactlyElementsOf(
                        Stream.concat(
                                        Stream.of("called 1: kernels --device 1"),
                                        Stream.of("smollm-135m", "tinyllama-1.1b", "llama-7b")
                                                .flatMap(GpuTableTest::lines))
                                .toList());
    }

    @Test
    void keepsEveryTableAndWhereItComesFromInOneFolder() throws Exception {
        var checkout = pretending("echo \"called $*\"");

        var result = run(checkout, "--small", "--expect", "h100");

        var folder = onlyFolder(checkout);
        assertThat(result.exitCode()).as(result.text()).isZero();
        assertThat(result.text())
                .endsWith("kept in results/gpu-table/" + folder.getFileName() + "\n");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "provenance.txt",
                            "kernels.txt",
                            "stories260k-int8-graphs-on.txt",
                            "stories260k-int8-graphs-off.txt",
                            "stories260k-f16-graphs-on.txt",
                            "stories260k-f16-graphs-off.txt",
                            "stories260k-f32-graphs-on.txt",
                            "stories260k-f32-graphs-off.txt");
        }
        assertThat(folder.resolve("provenance.txt"))
                .content()
                .startsWith("outrider ")
                .endsWith("called doctor\n");
        assertThat(folder.resolve("stories260k-f32-graphs-off.txt"))
                .hasContent(
                        "called bench-model --backend tornado --device 0 --shape stories260k --precision f32"
                                + " --cuda-graphs off --context 16,64 --rows 1,8,16 --expect h100\n");
    }

    @Test
    void goesOnBehindAKernelThatIsWrongAndNamesIt() throws Exception {
        var checkout =
                pretending(
                        """
                        case $1 in
                        kernels) printf '%s\\n' 'stage  difference  allowed' 'head   1.0e+00      1e-4  FAILS' 'embed  0.0e+00      0e+0  ok'; exit 1 ;;
                        *) echo "called $1" ;;
                        esac\
                        """);

        var result = run(checkout, "--small");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text())
                .containsSubsequence(
                        "gpu-table: these kernels are wrong or do not run on this device, and times with them mean nothing:\nhead ",
                        "called bench-model");
        assertThat(onlyFolder(checkout).resolve("stories260k-f32-graphs-off.txt"))
                .content()
                .contains("mean nothing:\nhead ")
                .doesNotContain("embed");
    }

    @Test
    void measuresNothingWhereNoKernelCanBeTested() throws Exception {
        var checkout = pretending("echo \"called $1\"; exit 1");

        var result = run(checkout);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text())
                .contains("called kernels\ngpu-table: no kernel could be tested")
                .doesNotContain("called bench-model");
    }

    @Test
    void goesOnBehindAShapeThatDoesNotFit() throws Exception {
        var checkout =
                pretending(
                        "case $* in *1.1b*) echo 'OUT_OF_MEMORY: no'; exit 1 ;; *) echo \"called $5\" ;; esac");

        var result = run(checkout);

        assertThat(result.exitCode()).as(result.text()).isEqualTo(1);
        assertThat(result.text())
                .containsSubsequence(
                        "OUT_OF_MEMORY",
                        "gpu-table: tinyllama-1.1b in f16 was not measured",
                        "called");
    }

    private static Stream<String> lines(String shape) {
        return Stream.of("int8", "f16", "f32")
                .flatMap(precision ->
                        Stream.of("on", "off")
                                .map(graphs ->
                                        "called 1: bench-model --backend tornado --device 1 --shape %s --precision %s --cuda-graphs %s --context 128,1024,8192 --rows 1,8,16,32,64"
                                                .formatted(shape, precision, graphs)));
    }

    private static Path onlyFolder(Checkout checkout) throws IOException {
        try (var folders = Files.list(checkout.root().resolve("results/gpu-table"))) {
            return folders.findFirst().orElseThrow();
        }
    }

    private static Checkout.Result run(Checkout checkout, String... arguments)
            throws IOException, InterruptedException {
        var script = checkout.root().resolve("tools/scripts/gpu-table");
        Files.createDirectories(script.getParent());
        Files.copy(Checkout.repository().resolve("tools/scripts/gpu-table"), script);
        return checkout.run(script, Map.of(), arguments);
    }

    private Checkout pretending(String body) throws IOException {
        var checkout = new Checkout(folder, "checkout");
        var stamp = checkout.root().resolve("core/cli/target/launcher/stamp");
        Files.createDirectories(stamp.getParent());
        Files.writeString(stamp, "");
        Files.writeString(checkout.launcher(), "#!/bin/sh\n" + body + "\n");
        assertThat(checkout.launcher().toFile().setExecutable(true)).isTrue();
        return checkout;
    }
}
