package dev.outrider.spi.tree;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The shape of a draft. A chain is also a tree.
@API(status = Status.STABLE, since = "2")
public enum TreeShape {
    /// No branches: node i has parent i - 1.
    CHAIN,
    /// Any tree.
    TREE;

    /// {@return whether a rule for this shape can judge a draft of another shape}
    ///
    /// @param other the shape of a draft
    public boolean accommodates(TreeShape other) {
        return this == TREE || other == CHAIN;
    }
}
