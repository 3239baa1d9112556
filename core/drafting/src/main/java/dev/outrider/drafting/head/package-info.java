/// The common parts of trained heads when they draft: the session, the names and shapes of the tensors, and the configuration file.
@NullMarked
package dev.outrider.drafting.head;

import org.jspecify.annotations.NullMarked;
