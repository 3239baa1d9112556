package dev.outrider.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.FinishReason;
import dev.outrider.embedding.Generator;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.ChatFormatter.Turn;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/// A chat model, whole and streaming, over a generator in the same process. Answers have
/// [OutriderTokenUsage].
///
/// Model, drafter, rule and sampling are the generator's. A request may have messages of system,
/// user and assistant, `maxOutputTokens` and `stopSequences`; with anything else it is refused with
/// an `UnsupportedFeatureException` that names the field, before a token is written. Errors of the
/// generator are `OutriderException`s.
///
/// Thread-safe, if the executor is. The generator stays the caller's, who closes it after this.
public final class OutriderChatModel implements ChatModel, StreamingChatModel {
    private final Generator generator;
    private final Function<List<Turn>, String> template;
    private final Executor executor;
    private final List<ChatModelListener> listeners;
    private final ChatRequestParameters standard;

    private OutriderChatModel(Builder builder) {
        this.generator = builder.generator;
        this.template = builder.template;
        this.executor = builder.executor;
        this.listeners = builder.listeners;
        this.standard = builder.standard.modelName(generator.target().name()).build();
    }

    /// Starts the settings of a model.
    ///
    /// @param generator what writes
    public static Builder builder(Generator generator) {
        return new Builder(generator);
    }

    /// Writes the whole answer on this thread. An answer ends where the target's positions end,
    /// even if more tokens were asked for.
    @Override
    public ChatResponse doChat(ChatRequest request) {
        var turns = Conversations.turns(request, standard.modelName());
        return answer(request, turns, new Answer(Optional.empty()));
    }

    /// Writes the answer on a thread of the executor, and passes its pieces on as they are written.
    ///
    /// @param handler called from one thread; after its `cancel` no more
    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        var turns = Conversations.turns(request, standard.modelName());
        var answer = new Answer(Optional.of(handler));
        executor.execute(() -> {
            try {
                var whole = answer(request, turns, answer);
                answer.tell(each -> each.onCompleteResponse(whole));
            } catch (RuntimeException | Error e) {
                answer.tell(each -> each.onError(e));
            }
        });
    }

    private ChatResponse answer(ChatRequest request, List<Turn> turns, Answer answer) {
        int[] prompt = generator.tokenizer().encode(template.apply(turns), false);
        var asked = request.parameters();
        int room = generator.target().maxPositions() - prompt.length;
        int most = Math.max(1, Math.min(asked.maxOutputTokens(), room));
        var stop = asked.stopSequences();
        var written = generator.generate(prompt, most, stop, answer, answer::isCancelled);
        int tokens = written.tokens().length;
        long accepted = Math.min(tokens, answer.rounds.metrics().accepted());
        boolean cut = written.reason().equals(DecodeEvent.FinishReason.MAX_TOKENS);
        return ChatResponse.builder()
                .aiMessage(AiMessage.from(written.text()))
                .modelName(standard.modelName())
                .tokenUsage(new OutriderTokenUsage(prompt.length, tokens, accepted))
                .finishReason(cut ? FinishReason.LENGTH : FinishReason.STOP)
                .build();
    }

    /// An answer while it is written. What its handler throws is given to `onError`, and the answer
    /// goes on; after [#cancel] nothing is told.
    private static final class Answer implements DecodeListener, StreamingHandle {
        private final Optional<StreamingChatResponseHandler> handler;
        private final PartialResponseContext context = new PartialResponseContext(this);
        private final MetricsCollector rounds = new MetricsCollector();
        private volatile boolean cancelled;

        Answer(Optional<StreamingChatResponseHandler> handler) {
            this.handler = handler;
        }

        void tell(Consumer<StreamingChatResponseHandler> call) {
            handler.filter(_ -> !cancelled)
                    .ifPresent(each -> {
                        try {
                            call.accept(each);
                        } catch (RuntimeException e) {
                            each.onError(e);
                        }
                    });
        }

        @Override
        public void onEvent(DecodeEvent event) {
            rounds.onEvent(event);
        }

        @Override
        public void onText(String piece) {
            tell(each -> each.onPartialResponse(new PartialResponse(piece), context));
        }

        @Override
        public boolean wantsText() {
            return true;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return standard;
    }

    @Override
    public List<ChatModelListener> listeners() {
        return listeners;
    }

    @Override
    public ModelProvider provider() {
        return ModelProvider.OTHER;
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return Set.of();
    }

    /// The settings of a model. Every method changes this builder and returns it.
    public static final class Builder {
        private final Generator generator;
        private final DefaultChatRequestParameters.Builder<?> standard =
                ChatRequestParameters.builder().maxOutputTokens(256);
        private Function<List<Turn>, String> template;
        private Executor executor =
                task -> Thread.ofPlatform().daemon().name("outrider-chat").start(task);
        private List<ChatModelListener> listeners = List.of();

        private Builder(Generator generator) {
            this.generator = generator;
            this.template = generator::conversation;
        }

        /// Sets how conversations are written as text, special tokens included; the default is the
        /// target's chat template.
        public Builder template(Function<List<Turn>, String> written) {
            template = written;
            return this;
        }

        /// Sets the most tokens of an answer whose request does not say it; the default is 256.
        public Builder maxOutputTokens(int tokens) {
            standard.maxOutputTokens(tokens);
            return this;
        }

        /// Sets texts that end an answer whose request names none; they are not part of it. The
        /// generator's own end every answer.
        public Builder stopSequences(List<String> texts) {
            standard.stopSequences(texts);
            return this;
        }

        /// Sets where streamed answers are written; the default starts a thread for each.
        public Builder executor(Executor threads) {
            executor = threads;
            return this;
        }

        /// Sets listeners of requests and answers.
        public Builder listeners(List<ChatModelListener> all) {
            listeners = List.copyOf(all);
            return this;
        }

        /// Makes the model.
        public OutriderChatModel build() {
            return new OutriderChatModel(this);
        }
    }
}
