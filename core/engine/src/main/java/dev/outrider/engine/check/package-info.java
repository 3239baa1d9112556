/// Contract checks: wrappers that fail on what a drafter or rule gets wrong, and the refusal of pairings that would not be exact.
@NullMarked
package dev.outrider.engine.check;

import org.jspecify.annotations.NullMarked;
