/// Drafting machinery shared by every drafter that runs a network: it grows a
/// [dev.outrider.spi.TreePlan] into a draft with one network pass a level, and knows nothing about the
/// network beyond [dev.outrider.nn.draft.DraftStepper].
@NullMarked
package dev.outrider.nn.draft;

import org.jspecify.annotations.NullMarked;
