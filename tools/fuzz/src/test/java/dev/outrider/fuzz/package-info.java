/// Every parser of untrusted bytes as a fuzzing target: seeds and past findings are tests, `mvn
/// -Pfuzz` searches for more (docs/decisions/0050).
@NullMarked
package dev.outrider.fuzz;

import org.jspecify.annotations.NullMarked;
