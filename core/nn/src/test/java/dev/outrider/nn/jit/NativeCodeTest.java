package dev.outrider.nn.jit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NativeCodeTest {
    @Test
    void instructionsThatNoProcessorHasDoNotRun() {
        assertThat(NativeCode.runs(List.of("avx", "no-such-instruction"))).isFalse();
    }

    /// The process forbids itself to make memory executable that it has written, as a hardened system does.
    @Test
    void refusedMemoryIsReleased() throws IOException, InterruptedException {
        Assumptions.assumeTrue(NativeCode.runs(List.of()), "machine code runs on Linux and x86-64");
        var command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xint", // no other code is made
                        "-XX:+UseSerialGC",
                        "-XX:InitialCodeCacheSize=48m",
                        "-XX:ReservedCodeCacheSize=48m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NativeCodeTest.class.getName());
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        Assumptions.assumeFalse(said.startsWith("allowed"), "an old system does not refuse it");
        assertThat(said).matches("made 0, KiB kept: -?\\d{1,4}\\n");
    }

    /// As a program: how much memory stays after functions of 128 MiB were refused.
    public static void main(String[] arguments) throws Throwable {
        var linker = Linker.nativeLinker();
        var control =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("prctl"),
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        if ((int) control.invokeExact(65, 1L, 0L, 0L, 0L) != 0) { // PR_SET_MDWE
            System.out.println("allowed");
            return;
        }
        var code = new byte[16 << 20];
        long before = kibibytes();
        long made =
                IntStream.range(0, 8).filter(_ -> NativeCode.function(code, 0).isPresent()).count();
        System.out.println("made %d, KiB kept: %d".formatted(made, kibibytes() - before));
    }

    private static long kibibytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            var size = lines.filter(line -> line.startsWith("VmSize")).findFirst().orElseThrow();
            return Long.parseLong(size.replaceAll("\\D", ""));
        }
    }

    @Test
    void aFunctionReadsAndWritesMemory() throws Throwable {
        Assumptions.assumeTrue(
                NativeCode.runs(List.of("avx512f")),
                "machine code runs on Linux and x86-64; this test needs AVX-512");
        var code = new Assembler(Assembler.AVX_512);
        int mask = code.keep(filled(0x5a));
        int entry = code.begin();
        code.constant(17, mask);
        code.load(1, Register.FIRST, 64);
        code.apply(Operation.XOR, 1, 17, 1);
        code.store(Register.SIXTH, 0, 1);
        code.finish();
        var function =
                NativeCode.function(
                                code.bytes(),
                                entry,
                                JAVA_LONG,
                                JAVA_LONG,
                                JAVA_LONG,
                                JAVA_LONG,
                                JAVA_LONG,
                                JAVA_LONG)
                        .orElseThrow();
        try (var arena = Arena.ofConfined()) {
            var from = arena.allocate(128, 64);
            var to = arena.allocate(64, 64);
            from.asSlice(64).fill((byte) 0x0f);
            long source = from.address();
            long target = to.address();
            function.invokeExact(source, 0L, 0L, 0L, 0L, target);

            assertThat(to.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x55);
        }
    }

    private static byte[] filled(int value) {
        var bytes = new byte[Assembler.AVX_512];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
