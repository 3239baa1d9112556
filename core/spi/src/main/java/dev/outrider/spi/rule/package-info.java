/// Acceptance rules: they decide which path of a draft is kept.
@NullMarked
package dev.outrider.spi.rule;

import org.jspecify.annotations.NullMarked;
