package dev.outrider.experiment.run;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Turns texts into token ids: with or without the target's chat template, and every turn of a conversation after the target's
/// own answers to the turns before it.
///
/// Answers are what plain decoding writes at temperature 0, once for all sides, so that every side continues the same text.
public final class PromptEncoder {
    private final TargetModel target;
    private final int answerTokens;

    /// @param answerTokens most tokens of an answer that a later turn follows
    public PromptEncoder(TargetModel target, int answerTokens) {
        this.target = target;
        this.answerTokens = answerTokens;
    }

    /// The prompts of a source, in the order they will be run.
    ///
    /// @throws OutriderException what reading them throws; CAPABILITY_MISSING if the target has no chat template
    public List<Prompt> encode(PromptSource source) {
        List<PromptText> texts = PromptReader.read(source);
        return switch (source) {
            case PromptSource.Texts _ -> texts.stream().map(text -> plain(text)).toList();
            case PromptSource.FromFile file -> {
                var writer = writer(file.template());
                yield switch (file.turns()) {
                    case FIRST -> texts.stream().map(text -> first(text, writer)).toList();
                    case ALL -> texts.stream().flatMap(text -> all(text, writer)).toList();
                };
            }
        };
    }

    private Prompt plain(PromptText text) {
        return first(text, Optional.empty());
    }

    private Prompt first(PromptText text, Optional<ChatFormatter> chat) {
        return prompt(text.id(), text.kind(), List.of(text.turns().getFirst()), chat);
    }

    private Stream<Prompt> all(PromptText text, Optional<ChatFormatter> chat) {
        if (text.turns().size() == 1) {
            return Stream.of(first(text, chat));
        }
        List<Prompt> prompts = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        for (String turn : text.turns()) {
            if (!prompts.isEmpty()) {
                messages.add(answer(prompts.getLast()));
            }
            messages.add(turn);
            String id = text.id() + "/" + (prompts.size() + 1);
            prompts.add(prompt(id, text.kind(), messages, chat));
        }
        return prompts.stream();
    }

    private Prompt prompt(
            String id, String kind, List<String> messages, Optional<ChatFormatter> chat) {
        return chat.map(each ->
                        Prompt.encode(id, kind, each.format(messages), target.tokenizer(), false))
                .orElseGet(() ->
                        Prompt.encode(
                                id, kind, String.join("\n", messages), target.tokenizer(), true));
    }

    private String answer(Prompt prompt) {
        var request = DecodeRequest.of(prompt.array(), answerTokens, SamplingPolicy.argmax());
        return Decoder.plain(target, new GreedyRule(), () -> 0)
                .decode(request, RandomnessSource.of(new KeyedRandomStreams(0, 0)))
                .text();
    }

    private Optional<ChatFormatter> writer(PromptSource.Template template) {
        return switch (template) {
            case NONE -> Optional.empty();
            case CHAT ->
                    Optional.of(
                            target.capability(ChatFormatter.class)
                                    .orElseThrow(() ->
                                            new OutriderException(
                                                    ErrorCode.CAPABILITY_MISSING,
                                                    "target '%s' has no chat template, and prompts.template is chat"
                                                            .formatted(target.description().name()),
                                                    "Set prompts.template: none, or choose a target with a chat template.")));
        };
    }
}
