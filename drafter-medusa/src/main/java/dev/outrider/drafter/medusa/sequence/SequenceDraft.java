package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Optional;

/// How drafts are shaped, sampled and ended.
///
/// @param beam in place of the drafting's own shape
record SequenceDraft(Drafting drafting, Optional<Beam> beam) {
    /// The shape of the drafts, or for a beam one that has as many nodes at most.
    TreePlan plan() {
        return beam.isPresent() ? beam.get().most() : drafting.plan();
    }

    DrafterTraits traits() {
        return beam.map(each -> Drafting.traitsOf(each.most(), Selection.Kind.POINT_MASS, true))
                .orElseGet(() -> drafting.traits(true));
    }

    /// Grows the drafts.
    ///
    /// @param ofTarget the target's sampling
    TreeExpander expander(SamplingPolicy ofTarget, DraftVocabulary vocabulary) {
        return beam.map(each ->
                        TreeExpander.ofBeam(
                                each.most(),
                                drafting.policy(ofTarget),
                                drafting.stopRule(),
                                vocabulary))
                .orElseGet(() -> drafting.expander(ofTarget, vocabulary));
    }
}
