/// Tests of the block drafters.
@NullMarked
package dev.outrider.drafter.block;

import org.jspecify.annotations.NullMarked;
