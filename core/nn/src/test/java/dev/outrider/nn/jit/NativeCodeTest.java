package dev.outrider.nn.jit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NativeCodeTest {
    @Test
    void instructionsThatNoProcessorHasDoNotRun() {
        assertThat(NativeCode.runs(List.of("avx", "no-such-instruction"))).isFalse();
    }

    /// Some virtual machines list a name twice.
    @Test
    void namesAreThoseOfTheFirstProcessor() {
        var file = List.of("model name : x", "flags\t\t: fpu avx fpu", "flags : fpu avx avx2");

        assertThat(NativeCode.has(file.stream(), List.of("avx", "fpu"))).isTrue();
        assertThat(NativeCode.has(file.stream(), List.of("avx2"))).isFalse();
        assertThat(NativeCode.has(Stream.of("model name : avx"), List.of("avx"))).isFalse();
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
