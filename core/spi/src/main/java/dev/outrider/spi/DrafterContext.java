package dev.outrider.spi;

/// What a drafter may use while it is loaded.
public interface DrafterContext {
    /// {@return the target the drafter will draft for}
    TargetModel target();
}
