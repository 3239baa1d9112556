/// Models by their names on the Hugging Face hub. Needed files are downloaded into the hub's own
/// cache, checked, and shared with other programs that use that cache (docs/decisions/0059).
///
/// [Hub] is the entry.
@NullMarked
package dev.outrider.hub;

import org.jspecify.annotations.NullMarked;
