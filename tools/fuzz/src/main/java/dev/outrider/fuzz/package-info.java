/// Every parser of bytes that strangers write, as a target: seeds and past findings are tests, `mvn -Pfuzz` searches for more.
@NullMarked
package dev.outrider.fuzz;

import org.jspecify.annotations.NullMarked;
