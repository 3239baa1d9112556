package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.shape.NamedShapes;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.sdk.SdkRequirement;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

@RequiresDevice
class TornadoDeviceBenchTest {
    @Test
    void measuresEveryLine() {
        var shape = Objects.requireNonNull(NamedShapes.all().get("stories260k"));
        var steps = new ArrayList<String>();

        var report =
                SdkRequirement.ofThisProcess()
                        .service(DeviceCode.class)
                        .bench(
                                new DeviceBenchRequest(
                                        "tiny",
                                        shape,
                                        0,
                                        WeightFormat.F16,
                                        CudaGraphs.ON,
                                        List.of(6, 20),
                                        List.of(1, 8),
                                        3),
                                steps::add,
                                System::nanoTime);

        assertThat(report.lines()).extracting("context").containsExactly(6, 6, 20, 20);
        assertThat(report.lines()).extracting("rows").containsExactly(1, 8, 1, 8);
        assertThat(report.copyBandwidth()).isBetween(1e8, 1e14);
        assertThat(report.lines())
                .allSatisfy(line -> {
                    assertThat(line.bestSeconds()).isPositive();
                    assertThat(line.medianSeconds()).isGreaterThanOrEqualTo(line.bestSeconds());
                    assertThat(line.kernelSeconds()).isPositive();
                    assertThat(line.bytes()).isGreaterThan(400_000L);
                });
        assertThat(steps).contains("context 20, 8 rows");
    }
}
