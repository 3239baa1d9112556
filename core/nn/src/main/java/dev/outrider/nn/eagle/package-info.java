/// Training of EAGLE heads on a frozen target.
@NullMarked
package dev.outrider.nn.eagle;

import org.jspecify.annotations.NullMarked;
