package dev.outrider.experiment.config;

/// Which side of a comparison goes first on a prompt.
public enum Order {
    /// The first side moves by one with every prompt and repetition.
    ROTATING,
    /// A random order for every prompt and repetition, from the seed.
    RANDOM
}
