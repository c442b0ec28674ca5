package jtop.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Two daemon threads that take two monitors in opposite order, once: they stay blocked for good. */
final class Deadlock {
    private static final AtomicBoolean MADE = new AtomicBoolean();

    /** The monitors have classes of their own so that a thread dump tells which is which. */
    static final class InvoiceLock {
    }

    static final class PaymentLock {
    }

    private Deadlock() {
    }

    static String make() throws InterruptedException {
        if (!MADE.compareAndSet(false, true)) {
            return "deadlock exists already: deadlock-invoice and deadlock-payment\n";
        }
        final Object invoice = new InvoiceLock();
        final Object payment = new PaymentLock();
        final CountDownLatch bothHoldOne = new CountDownLatch(2);
        Thread first = start("deadlock-invoice", invoice, payment, bothHoldOne);
        Thread second = start("deadlock-payment", payment, invoice, bothHoldOne);
        for (int i = 0; i < 200; i++) {
            if (first.getState() == Thread.State.BLOCKED && second.getState() == Thread.State.BLOCKED) {
                return "deadlock made: deadlock-invoice and deadlock-payment wait for each other\n";
            }
            Thread.sleep(10);
        }
        throw new BadRequest(500, "the two threads did not block within 2 s");
    }

    private static Thread start(String name, Object own, Object others, CountDownLatch bothHoldOne) {
        Thread thread = new Thread(() -> {
            synchronized (own) {
                bothHoldOne.countDown();
                try {
                    bothHoldOne.await();
                } catch (InterruptedException stopped) {
                    return;
                }
                synchronized (others) {
                    throw new IllegalStateException("unreachable: the other thread holds this monitor");
                }
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
