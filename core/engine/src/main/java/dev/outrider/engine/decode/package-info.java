/// The decode loop: propose, score, decide, commit, observe.
///
/// [Decoder] holds what is shared: target, drafter, rule, settings. [RunningSequence] is one sequence in steps, so that
/// one pass may serve several: [Decoder] takes the steps for one, and [SharedRound] a round for many, of [BatchDecoder] and of a server.
///
/// A sequence, in the order of the calls:
///
/// 1. `target.open`, then `drafter.open`. The cache has rows for the longest text and a whole draft.
/// 2. `target.prefill` with the prompt but its last token, the first root. `drafting.begin` gets the prompt and the
///    hidden states of the prefill, which are closed after it.
/// 3. Every round, until the text ends or the caller cancels:
///    1. The round gets its randomness and a budget: no deeper than is worth emitting, than the length policy wants and than
///       there are cache rows.
///    2. `drafting.propose` with both. The guard lets only drafts of the declared kind pass.
///    3. `target.score` with the tree: one pass.
///    4. `rule.decide` with the draft, the same randomness, and the target's distributions at the nodes it asks about.
///    5. The accepted tokens and the next one are appended, up to the first that ends the text.
///    6. If none did: `target.commit`, which keeps the rows of the root and the accepted path, then `drafting.observe`,
///       which may read the scores. After the last round neither is called.
///    7. The length policy and the listener hear of the round. The scores are closed.
/// 4. The draft session is closed, then the target session, also after a failure.
///
/// Ownership: the decoder owns nothing; the part that loaded target and drafter closes them after it. A sequence owns its two
/// sessions, its randomness and the committed tokens. The caller of `score` owns the scores, and they are read during the
/// round only.
///
/// Threads: a decoder may be used by several at once. The calls of one sequence come one after the other and never
/// overlap; in a batch all sequences take turns, and `target.scoreAll` replaces step 3.
@NullMarked
package dev.outrider.engine.decode;

import org.jspecify.annotations.NullMarked;
