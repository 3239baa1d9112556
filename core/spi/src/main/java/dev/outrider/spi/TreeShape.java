package dev.outrider.spi;

/// The shape of a draft. A chain is also a tree.
public enum TreeShape {
    CHAIN,
    TREE;

    /// Whether something made for `this` shape can take a draft of shape `other`.
    public boolean accommodates(TreeShape other) {
        return this == TREE || other == CHAIN;
    }
}
