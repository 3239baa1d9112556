package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.CacheRows;
import dev.outrider.nn.network.KvCache;
import java.util.List;

/// One sequence's run of the device's cache rows. Holds no keys or values; rows that are kept out of place are moved
/// by the network's next run.
final class PooledCache implements KvCache {
    private final DeviceNetwork network;
    private final int base;
    private final CacheRows rows;
    private boolean closed;

    /// @param base first row, owned from now on
    PooledCache(DeviceNetwork network, int base, int capacity) {
        this.network = network;
        this.base = base;
        this.rows = new CacheRows(capacity);
    }

    DeviceNetwork network() {
        return network;
    }

    int base() {
        return base;
    }

    CacheRows rows() {
        return rows;
    }

    @Override
    public int length() {
        return rows.length();
    }

    @Override
    public int used() {
        return rows.used();
    }

    @Override
    public int capacity() {
        return rows.capacity();
    }

    @Override
    public void keep(List<Integer> scratchRows) {
        int destination = rows.length();
        int[] kept = rows.keep(scratchRows);
        for (int index = 0; index < kept.length; index++) {
            if (kept[index] != destination + index) {
                network.moveLater(base + kept[index], base + destination + index);
            }
        }
    }

    @Override
    public void truncate(int length) {
        rows.truncate(length);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            network.release(base);
        }
    }
}
