/// Sets a small checkpoint into the shape of a larger one: the same function at the larger model's costs.
@NullMarked
package dev.outrider.nn.shape;

import org.jspecify.annotations.NullMarked;
