/// Serving of one loaded target to many callers: requests of several variants share the target's passes, and join and leave between rounds.
///
/// [ServingEngine] owns one thread, the loop. A round of the loop:
///
/// 1. Requests that were cancelled, or whose deadline is over, end. Their resources are freed.
/// 2. Requests leave the queue while there is a place and cache memory for them; clients take turns.
/// 3. Requests that still read their prompts read parts of them, in turns, [so many tokens][ServingLimits#prefillRows] in all. A prefix that a prompt has
///    in common with an earlier one is read once for all later ones, if the target can share it. A drafter reads a whole prompt after the
///    target's last part.
/// 4. All others draft, one pass of the target scores all drafts, and each decides.
///
/// The output of a request does not depend on the others: the request has sessions, randomness and processors of its own, and a
/// target whose rows do not depend on the other rows of a pass gives it the rows that it would get alone. There are two exceptions:
/// draft lengths that follow measured times change what a sampled request draws (its distribution stays the target's), and a target
/// whose rows do depend on the other rows of a pass.
///
/// A [ServingListener] is called on a thread of its request, never on the loop.
@NullMarked
package dev.outrider.serving;

import org.jspecify.annotations.NullMarked;
