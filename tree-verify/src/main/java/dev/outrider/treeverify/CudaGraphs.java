package dev.outrider.treeverify;

/// Whether a pass is recorded once as a CUDA graph and then replayed, so that the driver is asked once a pass and not once a
/// kernel. Only NVIDIA's back ends can.
public enum CudaGraphs {
    /// Where there are CUDA graphs.
    AUTO,

    /// As [#AUTO], and a word of it where there are none.
    ON,

    /// Never.
    OFF;

    private static final String WITHOUT = "OPENCL";

    /// Whether passes are replayed.
    ///
    /// @param device where they run
    public boolean replayOn(DeviceInfo device) {
        return this != OFF && !device.backend().equals(WITHOUT);
    }

    /// Whether they were asked for in vain.
    ///
    /// @param device where passes run
    public boolean ignoredOn(DeviceInfo device) {
        return this == ON && !replayOn(device);
    }
}
