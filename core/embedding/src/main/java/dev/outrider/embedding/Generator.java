package dev.outrider.embedding;

import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.engine.scoring.ScoredToken;
import dev.outrider.engine.scoring.TextRows;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.ChatFormatter.Turn;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.Tokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Loaded models that generate text. Owns the models.
///
/// Thread-safe: every call is a separate sequence with a separate cache; the target may run their
/// passes one after the other. [#close] waits for running calls.
///
/// Randomness: call n draws from stream n of the seed. The same calls in the same order give the
/// same texts in every run, and two calls with one prompt give two texts unless the sampling is
/// argmax.
public final class Generator implements AutoCloseable {
    private final LoadedModels models;
    private final Decoder decoder;
    private final Pairing pairing;
    private final List<String> stop;
    private final long seed;
    private final AtomicLong calls = new AtomicLong();
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private boolean closed; // guarded by life

    Generator(LoadedModels models, Decoder decoder, Pairing pairing, List<String> stop, long seed) {
        this.models = models;
        this.decoder = decoder;
        this.pairing = pairing;
        this.stop = stop;
        this.seed = seed;
    }

    /// Continues a prompt; an encoder-decoder reads it as its source and generates the answer.
    ///
    /// @param prompt    the text to continue, or to read; the tokenizer adds its special tokens
    /// @param maxTokens maximum tokens to generate, at least 1
    /// @return tokens and text without the prompt, the reason of the end, and the number of target
    ///     passes after the prompt
    /// @throws OutriderException        `PROMPT_EMPTY`, `CONTEXT_EXCEEDED`, and errors of target
    ///     and drafter
    /// @throws IllegalArgumentException if `maxTokens` is below 1
    /// @throws IllegalStateException    if the generator is closed
    public Generation generate(String prompt, int maxTokens) {
        return write(
                () -> EncodedPrompt.of(models.target(), prompt),
                maxTokens,
                DecodeListener.none(),
                () -> false);
    }

    /// Continues a prompt and passes the text on as it is generated.
    ///
    /// @param prompt    the text to continue; the tokenizer adds its special tokens
    /// @param maxTokens maximum tokens to generate, at least 1
    /// @param text      called on this thread with each piece that no stop string can remove; the
    ///     pieces make up the result's text. An exception ends the generation
    /// @return as [#generate(String, int)]
    /// @throws OutriderException        as [#generate(String, int)]
    /// @throws IllegalArgumentException if `maxTokens` is below 1
    /// @throws IllegalStateException    if the generator is closed
    public Generation generate(String prompt, int maxTokens, Consumer<String> text) {
        return write(
                () -> EncodedPrompt.of(models.target(), prompt),
                maxTokens,
                new TextListener(text),
                () -> false);
    }

    /// Reads a source with an encoder-decoder, such as a text to translate or to summarise, and
    /// continues a prompt after it.
    ///
    /// @param source    input of the encoder; the tokenizer adds its special tokens
    /// @param prompt    the text to continue; empty for the whole output
    /// @param maxTokens maximum tokens to generate, at least 1
    /// @param text      called as in [#generate(String, int, Consumer)]
    /// @return as [#generate(String, int)]
    /// @throws OutriderException        `SOURCE_UNEXPECTED` if the target has no encoder, and as
    ///     [#generate(String, int)]
    /// @throws IllegalArgumentException if `maxTokens` is below 1
    /// @throws IllegalStateException    if the generator is closed
    public Generation generate(String source, String prompt, int maxTokens, Consumer<String> text) {
        return write(
                () -> EncodedPrompt.of(models.target(), source, prompt),
                maxTokens,
                new TextListener(text),
                () -> false);
    }

    /// Answers the last message of a conversation, with the target's chat template.
    ///
    /// @param messages  the messages in turn, the user first and last: an odd number of messages
    /// @param maxTokens maximum tokens of the answer, at least 1
    /// @param text      called as in [#generate(String, int, Consumer)]
    /// @return the answer
    /// @throws OutriderException        `CAPABILITY_MISSING` if the target has no chat template;
    ///     `CHAT_TEMPLATE_INVALID`, `DATA_INVALID`, and as [#generate(String, int)]
    /// @throws IllegalArgumentException if `maxTokens` is below 1
    /// @throws IllegalStateException    if the generator is closed
    public Generation chat(List<String> messages, int maxTokens, Consumer<String> text) {
        return write(
                () -> EncodedPrompt.ofChat(models.target(), written(Turn.alternating(messages))),
                maxTokens,
                new TextListener(text),
                () -> false);
    }

    /// Writes a conversation with the target's chat template, up to where the next answer begins.
    /// It carries its special tokens: encode it without adding any.
    ///
    /// @param turns of the roles that the template knows, in order
    /// @throws OutriderException     `CAPABILITY_MISSING` if the target has no chat template;
    ///     `CHAT_TEMPLATE_INVALID`, `DATA_INVALID`
    /// @throws IllegalStateException if the generator is closed
    public String conversation(List<Turn> turns) {
        return whileOpen(() -> written(turns));
    }

    /// Continues token ids, for callers that need rounds and times as they occur, or an early end.
    ///
    /// @param prompt    token ids in `[0, vocabulary)`, special ones included, at least one; not
    ///     changed, not kept
    /// @param maxTokens maximum tokens to generate, at least 1
    /// @param listener  receives rounds and text on this thread; a `MetricsCollector` sums them
    /// @param cancelled asked before every round; if true, the generation ends with the tokens so
    ///     far
    /// @return as [#generate(String, int)]
    /// @throws OutriderException        `TOKEN_OUT_OF_RANGE`, and as [#generate(String, int)]
    /// @throws IllegalArgumentException if `maxTokens` is below 1
    /// @throws IllegalStateException    if the generator is closed
    public Generation generate(
            int[] prompt, int maxTokens, DecodeListener listener, BooleanSupplier cancelled) {
        return generate(List.of(), prompt, maxTokens, listener, cancelled);
    }

    /// Like [#generate(int[], int, DecodeListener, BooleanSupplier)], with stop strings beside
    /// those of the generator.
    ///
    /// @param prompt    token ids, special ones included
    /// @param maxTokens maximum tokens to generate, at least 1
    /// @param stop      texts that end the generation; they are not part of its text
    /// @param listener  receives rounds and text on this thread
    /// @param cancelled asked before every round
    /// @return as [#generate(String, int)]
    /// @throws OutriderException        as the other method
    /// @throws IllegalArgumentException if `maxTokens` is below 1 or a stop string is empty
    /// @throws IllegalStateException    if the generator is closed
    public Generation generate(
            int[] prompt,
            int maxTokens,
            List<String> stop,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        var ids = Arrays.stream(prompt).boxed().toList();
        return write(() -> new EncodedPrompt(ids, List.of()), maxTokens, stop, listener, cancelled);
    }

    /// Like [#generate(int[], int, DecodeListener, BooleanSupplier)], with an encoder-decoder.
    ///
    /// @param source    token ids for the encoder, special ones included; empty for a target
    ///     without one
    /// @param prompt    token ids that start with the decoder's start tokens (`target().sources()`)
    /// @param maxTokens maximum tokens to generate, at least 1
    /// @param listener  receives rounds and text on this thread
    /// @param cancelled asked before every round
    /// @return as [#generate(String, int)]
    /// @throws OutriderException        `SOURCE_MISSING`, `SOURCE_UNEXPECTED`, and as the other
    ///     method
    /// @throws IllegalArgumentException if `maxTokens` is below 1
    /// @throws IllegalStateException    if the generator is closed
    public Generation generate(
            List<Integer> source,
            int[] prompt,
            int maxTokens,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        var ids = Arrays.stream(prompt).boxed().toList();
        return write(() -> new EncodedPrompt(ids, source), maxTokens, listener, cancelled);
    }

    /// @param prompt called while the models cannot be closed
    private Generation write(
            Supplier<EncodedPrompt> prompt,
            int maxTokens,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        return write(prompt, maxTokens, List.of(), listener, cancelled);
    }

    private Generation write(
            Supplier<EncodedPrompt> prompt,
            int maxTokens,
            List<String> more,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        var stops = Stream.concat(stop.stream(), more.stream()).toList();
        return whileOpen(() -> {
            var encoded = prompt.get();
            var request =
                    new DecodeRequest(
                            encoded.array(),
                            maxTokens,
                            pairing.policy(),
                            stops,
                            false,
                            encoded.source());
            var randomness =
                    RandomnessSource.of(new KeyedRandomStreams(seed, calls.getAndIncrement()));
            return decoder.decode(request, randomness, listener, cancelled);
        });
    }

    private <T> T whileOpen(Supplier<T> step) {
        life.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException(
                        "the generator is closed; generate inside its try block");
            }
            return step.get();
        } finally {
            life.readLock().unlock();
        }
    }

    /// Scores a prompt and what was generated after it, in passes of their own.
    ///
    /// @param prompt     as it was given to [#generate(String, int)]
    /// @param generation what that returned
    /// @param candidates number of the most probable tokens to report at each place
    /// @return of every token but the first, which nothing precedes
    /// @throws OutriderException     as [#generate(String, int)]
    /// @throws IllegalStateException if the generator is closed
    public List<ScoredToken> scores(String prompt, Generation generation, int candidates) {
        return whileOpen(() -> {
            var encoded = EncodedPrompt.of(models.target(), prompt);
            return ScoredToken.of(
                    new TextRows(models.target(), encoded.source()),
                    decoder.processors(),
                    pairing.policy(),
                    encoded.array(),
                    generation.tokens(),
                    candidates);
        });
    }

    /// Returns the guarantee of the texts.
    public Losslessness losslessness() {
        return pairing.losslessness();
    }

    /// Returns the name of the rule; at temperature 0 every lossless rule decides like `greedy`.
    public String rule() {
        return pairing.ruleName();
    }

    /// Returns the target: its name, vocabulary and number of positions.
    public TargetDescription target() {
        return models.target().description();
    }

    /// Returns the target's tokenizer, valid until the generator is closed.
    public Tokenizer tokenizer() {
        return models.target().tokenizer();
    }

    private String written(List<Turn> turns) {
        var formatter =
                models.target()
                        .capability(ChatFormatter.class)
                        .filter(_ -> target().sources().isEmpty())
                        .orElseThrow(this::noChat);
        return formatter.write(turns);
    }

    private OutriderException noChat() {
        return ErrorCode.CAPABILITY_MISSING.error(
                "target '%s' has no chat template".formatted(target().name()),
                "Use generate with plain text, or choose a target with a chat template.");
    }

    /// Releases the models after all running calls. Idempotent.
    ///
    /// @throws IllegalStateException if called from a listener, during a generation of the same
    ///     thread
    @Override
    public void close() {
        if (life.getReadHoldCount() > 0) {
            throw new IllegalStateException(
                    "close() was called during a generation of this thread; let the generation end first");
        }
        life.writeLock().lock();
        try {
            closed = true;
            models.close();
        } finally {
            life.writeLock().unlock();
        }
    }

    /// Passes on text only.
    ///
    /// @param sink receives each piece
    record TextListener(Consumer<String> sink) implements DecodeListener {
        @Override
        public void onEvent(DecodeEvent event) {}

        @Override
        public void onText(String text) {
            sink.accept(text);
        }

        @Override
        public boolean wantsText() {
            return true;
        }
    }
}
