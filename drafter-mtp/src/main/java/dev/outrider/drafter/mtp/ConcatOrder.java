package dev.outrider.drafter.mtp;

/// In which order a module joins the halves of its input. A matrix for one order runs with the other without an
/// error, and guesses at chance.
public enum ConcatOrder {
    /// Embedding, then feature: DeepSeek-V3, GLM-4.5, Qwen3-Next.
    EMBEDDING_FIRST,
    /// Feature, then embedding: MiMo.
    HIDDEN_FIRST
}
