package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.shape.NamedShapes;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceBenchReport.Line;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DeviceBenchReportTest {
    private static final DecoderConfig SHAPE =
            Objects.requireNonNull(NamedShapes.all().get("stories260k"));

    @Test
    void showsTimesAgainstOneRowAndAgainstTheCopyingKernel() {
        var request =
                new DeviceBenchRequest(
                        "tiny",
                        SHAPE,
                        1,
                        WeightFormat.F16,
                        CudaGraphs.OFF,
                        List.of(64, 16),
                        List.of(1, 8),
                        5);
        var report =
                new DeviceBenchReport(
                        request,
                        device("CUDA"),
                        260_000,
                        100e9,
                        List.of(
                                new Line(16, 1, 0.001, 0.0012, 0.001, 50_000_000),
                                new Line(16, 8, 0.0015, 0.0018, 0.0017, 60_000_000)));

        assertThat(request.contexts()).containsExactly(16, 64);
        assertThat(request.cacheRows()).isEqualTo(72);
        assertThat(report.toTable())
                .isEqualTo(
                        """
                        tiny, 0.3 M parameters, f16, 5 passes per line
                        device 1: Card, GPU through CUDA, driver 7; a kernel copies 100.0 GB/s
                        context  rows   best ms   median ms   kernels ms   host ms   t(n)/t(1)     GB/s   of copy
                             16     1     1.000       1.200        1.000     0.200        1.00     50.0       50%
                             16     8     1.500       1.800        1.700     0.100        1.50     40.0       40%
                        """);
    }

    @Test
    void saysWhatBecameOfCudaGraphs() {
        var request = request(List.of(8), List.of(1));
        var lines = List.of(new Line(8, 1, 0.001, 0.001, 0.001, 1000));

        assertThat(new DeviceBenchReport(request, device("OPENCL"), 1, 1e9, lines).toTable())
                .contains(
                        "CUDA graphs were asked for; OPENCL has none, so passes are not replayed\n");
        assertThat(new DeviceBenchReport(request, device("CUDA"), 1, 1e9, lines).toTable())
                .contains("passes are replayed as CUDA graphs");
    }

    private static DeviceInfo device(String backend) {
        return new DeviceInfo(1, "Card", backend, "driver 7", "GPU", 1 << 30, 1 << 30, 4);
    }

    @Test
    void refusesWhatCannotBeMeasured() {
        assertThatThrownBy(() -> request(List.of(), List.of(1)))
                .hasMessage("rows [1], contexts [] and passes 1 must not be empty");
        assertThatThrownBy(() -> request(List.of(8), List.of(0)))
                .hasMessage("rows [0] and contexts [8] must be positive");
    }

    private static DeviceBenchRequest request(List<Integer> contexts, List<Integer> rows) {
        return new DeviceBenchRequest(
                "tiny", SHAPE, 0, WeightFormat.F32, CudaGraphs.ON, contexts, rows, 1);
    }
}
