/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.prompt;

import org.jspecify.annotations.NullMarked;
