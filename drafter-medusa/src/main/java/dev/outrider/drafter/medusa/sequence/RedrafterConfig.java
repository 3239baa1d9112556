package dev.outrider.drafter.medusa.sequence;

import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.TreePlan;
import java.util.Optional;

/// Configuration of the drafter `redrafter`.
@Doc("ReDrafter: one recurrent head on the target's last hidden state, for all guesses.")
public record RedrafterConfig(
        @Inline HeadKeys head,
        @Doc(
                        "Beams that are searched and verified with shared prefixes, as published; in place of 'length' and 'tree'.")
                Optional<Beam> beam) {
    /// A beam search whose beams share their prefixes.
    ///
    /// @see "Cheng et al. 2024 (ReDrafter), section 3.2"
    public record Beam(
            @Doc("Beams, at least 1.") int width, @Doc("Tokens of each, at least 1.") int length) {
        public Beam {
            Require.atLeast("'width'", width, 1);
            Require.atLeast("'length'", length, 1);
            new TreePlan.Dynamic(width, length, Math.multiplyExact(width, length));
        }
    }

    public RedrafterConfig {
        var drafting = head.drafting();
        Require.that(
                !beam.isPresent() || !drafting.length().isPresent() && !drafting.tree().isPresent(),
                "'beam' excludes 'length' and 'tree': it is the shape of the drafts");
    }

    /// Returns the beam search, with as many nodes as its beams have if they share none.
    Optional<TreePlan.Dynamic> search() {
        return beam.map(each ->
                new TreePlan.Dynamic(each.width(), each.length(), each.width() * each.length()));
    }

    /// Returns the shape of the drafts; for a beam, a shape with at most as many nodes.
    TreePlan plan() {
        return beam.isPresent() ? search().orElseThrow() : head.drafting().plan();
    }
}
