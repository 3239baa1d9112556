/// What trained heads share when they draft: their session, the names and shapes of their tensors, and the file that
/// describes them.
@NullMarked
package dev.outrider.drafting.head;

import org.jspecify.annotations.NullMarked;
