package jtop.demo;

/** The command line: --port N, --prefer N, --upstream PORT, --churn MBPS, each with a value. */
final class Args {
    /** Port to bind, 0 for any free one. */
    int port;
    /** Port to try first, 0 for none. */
    int preferredPort;
    /** Port of the question service on loopback, for the gateway; 0 if not given. */
    int upstreamPort;
    /** Background allocation in MB/s, 0 for none. */
    int churnMBps;

    static Args parse(String[] argv) {
        Args args = new Args();
        for (int i = 0; i < argv.length; i += 2) {
            if (i + 1 == argv.length) {
                throw new IllegalArgumentException(argv[i] + " needs a value");
            }
            String value = argv[i + 1];
            switch (argv[i]) {
                case "--port":
                    args.port = number(argv[i], value, 0, 65535);
                    break;
                case "--prefer":
                    args.preferredPort = number(argv[i], value, 0, 65535);
                    break;
                case "--upstream":
                    args.upstreamPort = number(argv[i], value, 1, 65535);
                    break;
                case "--churn":
                    args.churnMBps = number(argv[i], value, 0, BackgroundChurn.MAX_MBPS);
                    break;
                default:
                    throw new IllegalArgumentException("unknown switch " + argv[i]);
            }
        }
        return args;
    }

    private static int number(String name, String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below, together with numbers out of range
        }
        throw new IllegalArgumentException(name + " takes " + min + " to " + max + ", not '" + text + "'");
    }
}
