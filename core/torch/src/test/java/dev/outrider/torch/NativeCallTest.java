package dev.outrider.torch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.engine.EngineException;
import org.junit.jupiter.api.Test;

class NativeCallTest {
    @Test
    void aFailureForWantOfMemoryHasACode() {
        var failure =
                new EngineException(
                        "The following operation failed in the TorchScript interpreter.\nRuntimeError: could not create a primitive\n");

        assertThat(NativeCall.failure(failure))
                .hasMessage(
                        "OUT_OF_MEMORY: the system gave the tensor engine no memory: RuntimeError: could not create a primitive\n"
                                + "  Free memory or lift the limit (ulimit -v), decode less at once, or use precision bf16.");
    }

    @Test
    void anyOtherStaysWhatItIs() {
        var failure = new EngineException("mat1 and mat2 shapes cannot be multiplied");

        assertThat(NativeCall.failure(failure)).isSameAs(failure);
    }
}
