package jtop.demo;

import java.util.HashMap;
import java.util.Map;

/** Whole-number query parameters, each checked against its range before it can cause any work. */
final class Params {
    private final Map<String, String> values = new HashMap<>();

    Params(String rawQuery) {
        if (rawQuery == null) {
            return;
        }
        for (String pair : rawQuery.split("&")) {
            int eq = pair.indexOf('=');
            if (eq > 0) {
                values.put(pair.substring(0, eq), pair.substring(eq + 1));
            }
        }
    }

    /** The named number, or fallback where it is absent; outside min..max the request is refused. */
    int number(String name, int fallback, int min, int max) {
        String text = values.get(name);
        if (text == null) {
            return fallback;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // refused below, together with numbers out of range
        }
        String shown = text.length() > 20 ? text.substring(0, 20) + "..." : text;
        throw new BadRequest(400, name + " must be a whole number from " + min + " to " + max + ", not '" + shown + "'");
    }
}
