/// Drafting machinery shared by every drafter that runs a network: it grows a
/// [dev.outrider.spi.TreePlan] into a draft with one network pass a level, and knows nothing about the
/// network beyond [dev.outrider.drafting.DraftStepper].
@NullMarked
package dev.outrider.drafting;

import org.jspecify.annotations.NullMarked;
