package dev.outrider.treeverify;

import java.util.List;

/// What there is to know about the devices before a model is loaded. Implemented where TornadoVM's SDK was there
/// when Outrider was built. Thread-safe.
public interface DeviceBackend {
    /// Every device the SDK's drivers show, in TornadoVM's order; index 0 is the default.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `DEVICE_DRIVER_FAILED` or `DEVICE_NOT_FOUND`
    List<DeviceInfo> devices();
}
