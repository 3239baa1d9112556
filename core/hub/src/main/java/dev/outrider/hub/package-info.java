/// Models by their names on the Hugging Face hub: what a name needs is downloaded into the hub's own cache, checked, and used from
/// there by every program that knows that cache.
///
/// [Hub] is the entry.
@NullMarked
package dev.outrider.hub;

import org.jspecify.annotations.NullMarked;
