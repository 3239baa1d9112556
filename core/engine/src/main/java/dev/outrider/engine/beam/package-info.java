/// Beam search, plain and speculative.
///
/// [BeamSearch] is the search itself: what becomes of live beams and hypotheses when the best successors of every live beam are known. It
/// neither reads a model nor keeps anything. [BeamDecoder] feeds it from passes of the target. Both kinds of search are the same code:
///
/// 1. Every live beam whose row is not known yet becomes a node of one forest, and so do the guesses below each.
/// 2. The target scores the new nodes of the forest in one pass. Nodes of the pass before that may be of use are held, not scored again.
/// 3. The search is replayed over scored nodes, step by step, until a live beam is not among them.
/// 4. Nodes that are neither before nor after a live beam are dropped.
///
/// Plain search is this without guesses: one step a pass. A row's numbers do not depend on the other rows of the pass, if the target says
/// so (target `vector` does), so both come to the same hypotheses and the same scores, to the last bit.
@NullMarked
package dev.outrider.engine.beam;

import org.jspecify.annotations.NullMarked;
