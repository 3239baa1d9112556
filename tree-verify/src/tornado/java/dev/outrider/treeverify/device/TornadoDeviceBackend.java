package dev.outrider.treeverify.device;

import dev.outrider.treeverify.DeviceBackend;
import dev.outrider.treeverify.DeviceInfo;
import java.util.List;

/// The devices TornadoVM shows. Thread-safe.
public final class TornadoDeviceBackend implements DeviceBackend {
    @Override
    public List<DeviceInfo> devices() {
        return Devices.all().stream().map(Devices.Found::info).toList();
    }
}
