package dev.outrider.drafting.bench;

/// Whose vocabulary projection heads use.
public enum Projection {
    OWN,
    TARGET
}
