package dev.outrider.treeverify.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.sdk.SdkRequirement;
import org.junit.jupiter.api.Test;

@RequiresDevice
class DevicesTest {
    @Test
    void describesEveryDevice() {
        var devices = SdkRequirement.ofThisProcess().service(DeviceCode.class).devices();

        assertThat(devices).isNotEmpty();
        for (int index = 0; index < devices.size(); index++) {
            var device = devices.get(index);
            assertThat(device.index()).isEqualTo(index);
            assertThat(device.name()).isNotBlank();
            assertThat(device.memoryBytes()).isPositive();
            assertThat(device.maxArrayBytes()).isPositive();
            assertThat(device.computeUnits()).isPositive();
        }
    }

    @Test
    void saysWhichDevicesThereAre() {
        int count = Devices.all().size();

        assertThatThrownBy(() -> Devices.at(count))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "DEVICE_NOT_FOUND: there is no device %d, only %d: ["
                                .formatted(count, count))
                .hasMessageContaining("target.device");
    }
}
