package dev.outrider.drafter.eagle;

import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `eagle3`. What the checkpoint's dialect leaves open can be said here.
@Doc("EAGLE-3: one decoder layer over three of the target's layers, with a vocabulary of its own.")
public record Eagle3Config(@Inline HeadKeys head, @Inline LayoutOverrides overrides) {}
