/// Tests of the package.
@NullMarked
package dev.outrider.drafter.ensemble.cascade;

import org.jspecify.annotations.NullMarked;
