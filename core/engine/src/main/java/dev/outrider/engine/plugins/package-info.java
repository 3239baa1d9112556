/// Finds plugins on the class path and in folders of their own, and their components by name.
@NullMarked
package dev.outrider.engine.plugins;

import org.jspecify.annotations.NullMarked;
