/// What clients ask for: bodies in OpenAI's form, read into requests of the serving engine. Everything of them is checked here.
@NullMarked
package dev.outrider.serve.request;

import org.jspecify.annotations.NullMarked;
