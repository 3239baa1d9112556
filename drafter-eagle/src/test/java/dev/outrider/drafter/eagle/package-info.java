/// Tests of the EAGLE drafters, on random networks.
@NullMarked
package dev.outrider.drafter.eagle;

import org.jspecify.annotations.NullMarked;
