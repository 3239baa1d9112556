/// Contract checks: wrappers that report a contract that a drafter or rule breaks, and the refusal of pairings that would not be
/// exact.
@NullMarked
package dev.outrider.engine.check;

import org.jspecify.annotations.NullMarked;
