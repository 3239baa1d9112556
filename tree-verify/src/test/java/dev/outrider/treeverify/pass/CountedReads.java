package dev.outrider.treeverify.pass;

import java.lang.foreign.MemorySegment;

/// Counts the logits that are read from a program. Confined to one thread.
final class CountedReads {
    private int count;

    /// Returns the number of rows of logits that were read since the last call.
    int takeCount() {
        int taken = count;
        count = 0;
        return taken;
    }

    /// Returns a program that counts its reads.
    DeviceProgram of(DeviceProgram program) {
        return new DeviceProgram() {
            @Override
            public void run(PassStaging pass) {
                program.run(pass);
            }

            @Override
            public void readLogits(int first, int rows, MemorySegment to) {
                count += rows;
                program.readLogits(first, rows, to);
            }

            @Override
            public void readStream(int layer, int rows, MemorySegment to) {
                program.readStream(layer, rows, to);
            }

            @Override
            public void readNormed(int rows, MemorySegment to) {
                program.readNormed(rows, to);
            }

            @Override
            public MemorySegment embedding() {
                return program.embedding();
            }

            @Override
            public MemorySegment head() {
                return program.head();
            }

            @Override
            public void close() {
                program.close();
            }
        };
    }
}
