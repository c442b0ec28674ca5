/** Prints READY, then lives until its standard input ends. */
public final class Idle {
    public static void main(String[] args) throws Exception {
        System.out.println("READY");
        System.out.flush();
        while (System.in.read() >= 0) { }
    }
}
