package dev.outrider.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TorchScriptTest {
    private final PtNDManager manager = TensorRuntime.newManager();

    @AfterEach
    void close() {
        manager.close();
    }

    @Test
    void runsSourceGeneratedInMemory() {
        try (var script =
                        TorchScript.compile(
                                """
                                  def affine(self: __torch__.M, x: Tensor, factors: List[int], shift: float) -> Tensor:
                                    return torch.add(torch.mul(x, factors[1]), shift)
                                """);
                var x = TorchValue.of(manager.create(new float[] {1, 2}));
                var factors = TorchValue.ofLongs(7, 3);
                var shift = TorchValue.of(0.5);
                var result = script.call("affine", x, factors, shift)) {
            assertThat(result.toArray(manager).toFloatArray()).containsExactly(3.5f, 6.5f);
        }
    }

    @Test
    void composesResourceFilesAndConstants() {
        try (var script =
                        TorchScript.compile(
                                LayerScript.linear(false)
                                        + TorchScript.constants(
                                                Map.of("sizes", List.of(2, 3), "shift", 0.5))
                                        + """
                                          def shifted(self, x: Tensor) -> Tensor:
                                            return self.linear(x, x) * self.sizes()[1] + self.shift()
                                        """);
                var x = TorchValue.of(manager.create(new float[] {1, 2}, new Shape(1, 2)));
                var result = script.call("shifted", x)) {
            assertThat(result.toArray(manager).toFloatArray()).containsExactly(15.5f);
        }
        assertThatThrownBy(() -> TorchScript.resource(TorchScriptTest.class, "nothing"))
                .hasMessageContaining("nothing.torchscript");
    }

    @Test
    void takesAndReturnsListsOfTensors() {
        try (var script =
                        TorchScript.compile(
                                """
                                  def swap(self: __torch__.M, pairs: List[List[Tensor]]) -> List[Tensor]:
                                    return [pairs[0][1], pairs[0][0]]
                                """);
                var pair =
                        TorchValue.ofArrays(
                                List.of(
                                        manager.create(new float[] {1}),
                                        manager.create(new float[] {2})));
                var pairs = TorchValue.ofList(List.of(pair));
                var result = script.call("swap", pairs)) {
            assertThat(result.toArrays(manager))
                    .extracting(array -> array.getFloat(0))
                    .containsExactly(2f, 1f);
        }
    }

    @Test
    void recordsGradientsWhereTheThreadWantsThem() {
        var x = manager.create(new float[] {3});
        x.setRequiresGradient(true);
        try (var script =
                        TorchScript.compile(
                                """
                                  def square(self: __torch__.M, x: Tensor) -> Tensor:
                                    return torch.sum(torch.mul(x, x))
                                """);
                var input = TorchValue.of(x)) {
            TensorThread.enterTraining();
            try (var loss = script.callRecording("square", input)) {
                ai.djl.pytorch.jni.JniUtils.backward(
                        (ai.djl.pytorch.engine.PtNDArray) loss.toArray(manager),
                        (ai.djl.pytorch.engine.PtNDArray) manager.create(1f),
                        false,
                        false);
            }
            assertThat(x.getGradient().toFloatArray()).containsExactly(6f);
        } finally {
            TensorThread.enterInference();
        }
    }

    @Test
    void reportsSourceThatDoesNotCompile() {
        assertThatThrownBy(() ->
                        TorchScript.compile(
                                "  def broken(self: __torch__.M) -> Tensor:\n    return torch.no_such_operation()\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TorchScript does not compile")
                .hasMessageContaining("no_such_operation");
    }

    @Test
    void reportsOperationsThatFail() {
        try (var script =
                        TorchScript.compile(
                                """
                                  def product(self: __torch__.M, x: Tensor) -> Tensor:
                                    return torch.matmul(x, x)
                                """);
                var x = TorchValue.of(manager.ones(new Shape(2, 3)))) {
            assertThatThrownBy(() -> script.call("product", x))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("2x3");
        }
    }

    @Test
    void saysWhatIsRunning() {
        assertThat(TensorRuntime.info().name()).startsWith("PyTorch 2.");
        assertThat(TensorRuntime.info().threads()).isPositive();
    }
}
