package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TornadoTargetConfigTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -4, 3, 6, 260})
    void refusesRowsThatKernelsCannotShare(int rows) {
        assertThatThrownBy(() -> config(0, rows, Optional.empty()))
                .hasMessage("'rows' must be a multiple of 4 from 4 to 256, got " + rows);
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThatThrownBy(() -> config(-1, 8, Optional.empty()))
                .hasMessage("'device' must not be negative, got -1");
        assertThatThrownBy(() -> config(0, 8, Optional.of(0)))
                .hasMessage("'cacheRows' must be at least 1, got 0");
    }

    @Test
    void takesTheRest() {
        assertThat(config(2, 64, Optional.of(512)).rows()).isEqualTo(64);
        assertThat(WeightFormat.values())
                .extracting(WeightFormat::bits)
                .containsExactly(32, 16, 8, 4, 32);
    }

    @Test
    void draftModelsHaveRowsForGuessesBesideTheirText() {
        assertThat(TornadoTargetConfig.usualCacheRows(2048, 0)).isEqualTo(4096);
        assertThat(TornadoTargetConfig.usualCacheRows(1 << 30, 0)).isEqualTo(8192);
        assertThat(TornadoTargetConfig.usualCacheRows(2048, 60)).isEqualTo(2 * (2048 + 60));
        assertThat(TornadoTargetConfig.usualCacheRows(8192, 60)).isGreaterThanOrEqualTo(8192 + 60);
    }

    private static TornadoTargetConfig config(int device, int rows, Optional<Integer> cacheRows) {
        return new TornadoTargetConfig(
                Path.of("model"),
                WeightFormat.F32,
                device,
                rows,
                cacheRows,
                Optional.empty(),
                CudaGraphs.AUTO,
                Optional.empty());
    }
}
