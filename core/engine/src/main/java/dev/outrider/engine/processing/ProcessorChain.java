package dev.outrider.engine.processing;

import dev.outrider.spi.target.LogitsProcessor;
import java.util.List;

/// The logits processors of an experiment, in order. What they make of the target's logits is what its distribution is made of,
/// for plain decoding and every variant alike. Thread-safe.
///
/// @param processors applied in this order
/// @param checked    whether every processor is asked twice, to see that it is a function of its arguments
public record ProcessorChain(List<Named> processors, boolean checked) {
    public ProcessorChain {
        processors = List.copyOf(processors);
    }

    /// A processor by its name in configurations.
    public record Named(String name, LogitsProcessor processor) {}

    /// Leaves logits as they are.
    public static ProcessorChain none() {
        return new ProcessorChain(List.of(), false);
    }

    /// Whether logits stay as they are.
    public boolean isEmpty() {
        return processors.isEmpty();
    }

    /// Room for one thread to process logits in.
    ///
    /// @param vocabulary number of tokens V
    public ProcessedLogits on(int vocabulary) {
        return new ProcessedLogits(this, vocabulary);
    }
}
