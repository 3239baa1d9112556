package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.RowCache;

/// One sequence's run of the device's cache rows. Holds no keys or values; rows that are kept out of place are moved
/// by the network's next run.
final class PooledCache extends RowCache {
    private final DeviceNetwork network;
    private final int base;
    private boolean closed;

    /// @param base first row, owned from now on
    PooledCache(DeviceNetwork network, int base, int capacity) {
        super(capacity);
        this.network = network;
        this.base = base;
    }

    DeviceNetwork network() {
        return network;
    }

    int base() {
        return base;
    }

    @Override
    protected void move(int[] kept, int destination) {
        for (int index = 0; index < kept.length; index++) {
            if (kept[index] != destination + index) {
                network.moveLater(base + kept[index], base + destination + index);
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            network.release(base);
        }
    }
}
