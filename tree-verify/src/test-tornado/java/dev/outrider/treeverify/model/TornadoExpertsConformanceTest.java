package dev.outrider.treeverify.model;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.RandomDecoders;

/// The device preserves every distribution of a target with experts, biases, bounded gates, attention sinks and a window, to the
/// last bit.
@RequiresDevice
class TornadoExpertsConformanceTest extends TornadoTargetConformanceTest {
    @Override
    protected DecoderConfig decoder() {
        return RandomDecoders.plainExperts();
    }
}
