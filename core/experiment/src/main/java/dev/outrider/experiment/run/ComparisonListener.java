package dev.outrider.experiment.run;

/// Follows a comparison while it runs. Called on the running thread, outside timed sections.
public interface ComparisonListener {
    /// A generation of warm-up or measurement begins.
    default void starting(Side side, Prompt prompt, boolean warmup) {}

    /// A measured generation is complete.
    default void measured(Side side, Prompt prompt, GenerationRecord record) {}

    /// A prompt failed and is left out.
    default void failed(FailedPrompt failure) {}
}
