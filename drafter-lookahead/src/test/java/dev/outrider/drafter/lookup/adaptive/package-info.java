/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.adaptive;

import org.jspecify.annotations.NullMarked;
