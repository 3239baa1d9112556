package dev.outrider.drafting.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.Precision;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HydraHeadsTest {
    private static final HydraHeads.Sizes SIZES = new HydraHeads.Sizes(8, 16, 2, 1, false);

    private final List<String> closed = new ArrayList<>();

    @Test
    void whatItOwnsIsClosedIfAHeadCannotBeLoaded() {
        assertThatThrownBy(() -> heads("residual 1")).isInstanceOf(OutOfMemoryError.class);

        assertThat(closed).containsExactly("readers", "target");
    }

    @Test
    void whatItOwnsIsClosedWithIt() {
        var heads = heads("nothing");
        assertThat(closed).isEmpty();

        heads.close();

        assertThat(closed).containsExactly("readers", "target");
    }

    /// @param failing name of the matrix for which there is no memory
    private HydraHeads heads(String failing) {
        var matrices =
                new HeadMatrices(
                        (name, rows, columns) -> {
                            if (name.equals(failing)) {
                                throw new OutOfMemoryError("of the test");
                            }
                            return RandomHeads.matrix(1, name, rows, columns);
                        },
                        Precision.F32);
        return new HydraHeads(SIZES, new Names(), 2, matrices, new Target(), new Readers());
    }

    private record Names() implements HydraHeads.Names {
        @Override
        public String block(int head, int block) {
            return "block %d %d".formatted(head, block);
        }

        @Override
        public String residual(int head) {
            return "residual %d".formatted(head);
        }

        @Override
        public String projection(int head) {
            return "projection %d".formatted(head);
        }
    }

    private final class Target implements TargetWeights {
        @Override
        public float[] embeddings(int[] tokens) {
            return new float[tokens.length * SIZES.hiddenSize()];
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {}

        @Override
        public void close() {
            closed.add("target");
        }
    }

    private final class Readers implements StateReader.Factory {
        @Override
        public StateReader reader(int capacity) {
            return StateReader.ofLast();
        }

        @Override
        public void close() {
            closed.add("readers");
        }
    }
}
