/// Tests of the package.
@NullMarked
package dev.outrider.engine.length.bandit;

import org.jspecify.annotations.NullMarked;
