package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CallOrderTest {
    private final CallOrder<String> order = new CallOrder<>();

    @Test
    void givesTheLastProposalBackOnce() {
        order.begin();
        order.propose("forgotten");
        order.propose("decided");

        assertThat(order.observe()).isEqualTo("decided");
        assertThatThrownBy(order::observe).hasMessage("observe comes after propose");
    }

    @Test
    void beginsOnce() {
        order.begin();

        assertThatThrownBy(order::begin)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the session has begun already");
    }

    @Test
    void proposesAfterItHasBegun() {
        assertThatThrownBy(order::requireBegun)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("propose comes after begin");
        assertThatThrownBy(() -> order.propose("early")).hasMessage("propose comes after begin");
    }

    @Test
    void observesAfterAProposal() {
        order.begin();

        assertThatThrownBy(order::observe)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("observe comes after propose");
    }
}
