package dev.outrider.embedding;

import dev.outrider.config.Component;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// The components that a program chose, with their settings bound.
///
/// @param target  the target
/// @param drafter the drafter; empty for plain decoding
/// @param rule    the rule; empty for the lossless one that fits the drafter
record Choices(
        Component<TargetModel.Factory<?>> target,
        Optional<DrafterChoice> drafter,
        Optional<Component<AcceptanceRule.Factory<?>>> rule) {}
