package dev.outrider.engine.length.tree;

import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// Makes `refitted-tree`. Thread-safe.
public final class RefittedTreeFactory implements DraftLengthPolicy.Factory<RefittedTree> {
    @Override
    public String name() {
        return "refitted-tree";
    }

    @Override
    public Class<RefittedTree> configType() {
        return RefittedTree.class;
    }

    @Override
    public DraftLengthPolicy start(RefittedTree config) {
        return config.start();
    }

    @Override
    public Supplier<DraftLengthPolicy> sequences(RefittedTree config) {
        return config.shared();
    }
}
