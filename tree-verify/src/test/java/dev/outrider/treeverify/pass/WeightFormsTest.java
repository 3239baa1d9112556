package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WeightFormsTest {
    @Test
    void asksAFileForEachMatrixOnce() {
        var source = new Asked();
        var forms = WeightForms.ofFile(source);

        for (int time = 0; time < 3; time++) {
            assertThat(forms.of(Weight.EXPERT_UP, 1)).isEqualTo(Float.SIZE);
            assertThat(forms.of(Weight.EXPERT_UP, 2)).isEqualTo(Float.SIZE);
            assertThat(forms.of(Weight.EXPERT_DOWN, 1)).isEqualTo(Float.SIZE);
        }

        assertThat(source.asked).containsExactly("EXPERT_UP 1", "EXPERT_UP 2", "EXPERT_DOWN 1");
    }

    /// Matrices without a format of their own.
    private static final class Asked implements WeightSource {
        private final List<String> asked = new ArrayList<>();

        @Override
        public Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
            asked.add(weight + " " + layer);
            return Optional.empty();
        }

        @Override
        public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
            throw new UnsupportedOperationException();
        }
    }
}
