/// Drafting machinery shared by every drafter that runs a network: it grows a
/// [dev.outrider.spi.TreePlan] into a draft with one network pass a level, and knows nothing about the
/// network beyond [dev.outrider.drafting.DraftStepper].
///
/// How a tree grows in [TreeExpander#expand]:
///
/// 1. The budget of the round is cut to the plan. Without nodes the stepper is not called at all.
/// 2. [DraftStepper#root] gives the logits of the root's successors. The drafter's session has to see that its cache is
///    complete before.
/// 3. Children of every node of the level are chosen and appended, in the order of their parents:
///    - by rank (chains of a greedy drafter, level widths, rank paths): the best logits;
///    - by draw (sampled plans): from the distribution of the drafter's sampling policy, which is kept beside the draft as
///      q; a node's draws are keyed by the node. Coupled plans race with the noise of the position instead and have no q;
///    - by score (dynamic plans): all candidates of a beam are kept and the best of them are the draft.
/// 4. Nodes that will have children are run in one pass, [DraftStepper#step], which gives the logits of the next level.
///    Siblings with one token are run once. Nodes at the greatest depth are never run.
/// 5. Steps 3 and 4 go on until the depth, the budget, the plan or the [StopRule] ends it. A stop rule never takes a node
///    back: it keeps children from growing below one.
/// 6. The [Expansion] holds the draft and in which row each node was run, so that a session can keep the rows of an
///    accepted path ([Expansion#acceptedRows]).
///
/// Rows: committed tokens are the cache's committed rows, the root's the last of them; each level's rows are scratch rows
/// after those, which see their ancestors only ([TreeRows]). The session drops them or keeps the accepted ones.
///
/// What a session has to do itself: hold the committed tokens ([CommittedTokens]), bring its cache up to the root before the
/// first level, and take care of the order of calls ([CallOrder]).
@NullMarked
package dev.outrider.drafting;

import org.jspecify.annotations.NullMarked;
