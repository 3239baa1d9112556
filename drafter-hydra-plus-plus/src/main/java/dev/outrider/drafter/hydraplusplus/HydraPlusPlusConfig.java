package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;

/// Configuration of the drafter `hydra-plus-plus`.
@Doc(
        "Hydra++: heads that see the tokens drafted before their guess, on a layer that attends to all hidden states of the target.")
public record HydraPlusPlusConfig(@Inline HeadKeys head) {}
