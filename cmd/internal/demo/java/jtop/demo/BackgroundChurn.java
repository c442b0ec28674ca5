package jtop.demo;

/** Allocates at a steady rate in a thread of its own, so that the heap chart moves without any load. */
final class BackgroundChurn {
    /** Upper bound of the rate: enough for ten young collections a second with a new size of 32 MB. */
    static final int MAX_MBPS = 500;
    private static final int STEP_MS = 20;

    private BackgroundChurn() {
    }

    static void start(int megabytesPerSecond) {
        final int kbPerStep = megabytesPerSecond * 1024 * STEP_MS / 1000;
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Workload.churn(kbPerStep);
                    Thread.sleep(STEP_MS);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }, "background-churn");
        thread.setDaemon(true);
        thread.start();
    }
}
