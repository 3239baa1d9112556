/// The drafting kit: the part that drafters of plugins, and our own, may use. `core/drafting/api.txt` lists its whole API, and a
/// test compares the two.
///
/// - [dev.outrider.drafting.TreeExpander] grows a plan into a draft, with [dev.outrider.drafting.DraftStepper] for the network,
///   [dev.outrider.drafting.StopRule] and [dev.outrider.drafting.DraftVocabulary]
/// - [dev.outrider.drafting.CallOrder] and [dev.outrider.drafting.CommittedTokens] keep a session consistent with its sequence;
///   [dev.outrider.drafting.TreeRows] does so for the rows of a cache
/// - `dev.outrider.drafting.feature`: drafters whose network reads hidden states of the target
///
/// A draft grows from a [dev.outrider.spi.draft.TreePlan] with one network pass a level; the network is known only as a
/// [dev.outrider.drafting.DraftStepper].
///
/// How a tree grows in [TreeExpander#expand]:
///
/// 1. The budget of the round is cut to the plan. Without nodes the stepper is not called at all.
/// 2. [DraftStepper#root] gives the logits of the root's successors. The drafter's session has to make sure that its cache is
///    complete before.
/// 3. Children of every node of the level are chosen and appended, in the order of their parents:
///    - by rank (chains of a greedy drafter, level widths, rank paths): the best logits;
///    - by draw (sampled plans): from the distribution of the drafter's sampling policy, which is kept beside the draft as
///      q; a node's draws are keyed by the node. Coupled plans race with the noise of the position instead and have no q;
///    - by score (dynamic plans): all candidates of a beam are kept and the best of them are the draft.
/// 4. Nodes that will have children are run in one pass, [DraftStepper#step], which gives the logits of the next level.
///    Siblings with one token are run once. Nodes at the greatest depth are never run.
/// 5. Steps 3 and 4 continue until the depth, the budget, the plan or the [StopRule] ends it. A stop rule never removes a
///    node: it prevents children below it.
/// 6. The [DraftWithRows] has the draft and the row of each node, so that a session can keep the rows of an
///    accepted path ([DraftWithRows#acceptedRows]).
///
/// Rows: committed tokens are the cache's committed rows, and the root's row is the last of them; each level's rows are scratch rows
/// after those, which see their ancestors only ([TreeRows]). The session drops them or keeps the accepted ones.
///
/// A session's own tasks: hold the committed tokens ([CommittedTokens]), bring its cache up to the root before the first level, and
/// check the order of calls ([CallOrder]).
@NullMarked
package dev.outrider.drafting;

import org.jspecify.annotations.NullMarked;
