/// The drafting kit: what drafters of plugins may use, and our own do. Its whole surface is in `core/drafting/api.txt`, and a
/// test holds it there.
///
/// - [dev.outrider.drafting.TreeExpander] grows a plan into a draft, with [dev.outrider.drafting.DraftStepper] for the network,
///   [dev.outrider.drafting.StopRule] and [dev.outrider.drafting.DraftVocabulary]
/// - [dev.outrider.drafting.CallOrder] and [dev.outrider.drafting.CommittedTokens] keep a session in step with its sequence;
///   [dev.outrider.drafting.TreeRows] does so for the rows of a cache
/// - `dev.outrider.drafting.feature`: drafters whose network reads hidden states of the target
/// - `dev.outrider.drafting.bench`: what `outrider bench-draft` runs
///
/// A draft grows from a [dev.outrider.spi.TreePlan] with one network pass a level; of the network nothing is known beyond
/// [dev.outrider.drafting.DraftStepper].
@NullMarked
package dev.outrider.drafting;

import org.jspecify.annotations.NullMarked;
