package dev.outrider.nn.jit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessorTest {
    @Test
    void fieldsAreThoseOfTheFirstProcessor() {
        var file =
                List.of(
                        "flags",
                        "flagship : x",
                        "model name\t: x: y",
                        "flags\t\t: fpu avx fpu",
                        "flags : avx2");

        assertThat(Processor.field(file.stream(), "flags")).hasValue("fpu avx fpu");
        assertThat(Processor.field(file.stream(), "model name")).hasValue("x: y");
        assertThat(Processor.field(Stream.of("model name : flags"), "flags")).isEmpty();
    }
}
