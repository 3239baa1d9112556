package dev.outrider.serve.answer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.FollowingText;
import dev.outrider.serve.answer.RunningTexts.Event;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.serving.Completion;
import dev.outrider.serving.ServedRound;
import dev.outrider.serving.ServedRound.Node;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Writes the rounds of one text for the page: a `start`, a `round` each, an `end`. Times are milliseconds since the start. Confined to one thread.
public final class RoundEvents {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final double NANOS = 1e6;

    private final Tokenizer tokenizer;
    private final Tokenizer.TokenStream stream;
    private final Ticker ticker;
    private final long begun;
    private int previous = -1;
    private int last = -1;

    /// A text that begins now.
    ///
    /// @param prompt of the text
    public RoundEvents(Tokenizer tokenizer, EncodedPrompt prompt, Ticker ticker) {
        this.tokenizer = tokenizer;
        this.stream = FollowingText.stream(tokenizer, prompt.array());
        prompt.ids().forEach(this::passed);
        this.ticker = ticker;
        this.begun = ticker.nanos();
    }

    /// Returns the first event: the facts known before the first round. The seed is a text: JavaScript has no whole numbers of 64
    /// bits.
    ///
    /// @param request for one text
    public ObjectNode begin(TextRequest request) {
        var text = request.texts().getFirst().request();
        return JSON.objectNode()
                .put("type", "start")
                .put("model", request.model())
                .put("variant", text.variant().name())
                .put("temperature", text.sampling().policy().temperature())
                .put("seed", Long.toString(text.sampling().seed()))
                .put("maxTokens", text.ending().maxTokens())
                .put("promptTokens", text.prompt().ids().size());
    }

    /// Writes an event, if it is one that the page shows.
    public Optional<ObjectNode> take(Event event) {
        return switch (event) {
            case Event.Round(var _, var round) -> Optional.of(round(round));
            case Event.Finished(var _, var completion) -> Optional.of(end(completion));
            default -> Optional.empty();
        };
    }

    private void passed(int token) {
        previous = last;
        last = token;
    }

    private ObjectNode round(ServedRound round) {
        var node = at("round").put("round", round.round()).put("ms", round.nanos() / NANOS);
        tree(node.putArray("tree"), round.nodes());
        var tokens = node.putArray("tokens");
        for (var each : round.tokens()) {
            var text = stream.append(each.token());
            var token =
                    tokens.addObject()
                            .put("id", each.token())
                            .put("text", text)
                            .put("origin", each.origin().name().toLowerCase(Locale.ROOT));
            if (text.isEmpty()) {
                token.put(
                        "piece",
                        FollowingText.spelling(
                                tokenizer,
                                each.token())); // a special token, or a part of a character
            }
            passed(each.token());
        }
        return node;
    }

    private void tree(ArrayNode tree, List<Node> nodes) {
        for (var each : nodes) {
            var node =
                    tree.addObject()
                            .put("parent", each.parent())
                            .put("id", each.token())
                            .put("accepted", each.accepted());
            int before = each.parent() < 0 ? previous : nodes.get(each.parent()).token();
            node.put("text", FollowingText.of(tokenizer, before, each.token()));
            each.probability().ifPresent(q -> node.put("q", q));
        }
    }

    private ObjectNode end(Completion completion) {
        var usage = completion.usage();
        return at("end")
                .put("reason", completion.reason().name().toLowerCase(Locale.ROOT))
                .put("rest", stream.finish())
                .put("emitted", usage.emittedTokens())
                .put("rounds", usage.rounds())
                .put("drafted", usage.draftedTokens())
                .put("accepted", usage.acceptedTokens());
    }

    private ObjectNode at(String type) {
        return JSON.objectNode().put("type", type).put("at", (ticker.nanos() - begun) / NANOS);
    }
}
