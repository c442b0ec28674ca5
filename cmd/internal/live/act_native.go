package live

import (
	"context"
	"fmt"

	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActNative] = actor{price: priceNative, do: readNative}
}

func priceNative(_ context.Context, s *Session, _ string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	text := "Three attach requests (VM.native_memory summary, Compiler.codecache, printflag), each less than a millisecond of one JVM thread; no pause."
	if !s.client.Attached() {
		text += " Nothing has attached to this JVM yet: it starts one thread for it, which stays."
	}
	return tui.Price{Title: "Read memory beyond the heap?", Text: text}, nil
}

func readNative(ctx context.Context, s *Session, _ string) (string, error) {
	n, err := s.commands.Native(ctx)
	if err != nil {
		return "", err
	}
	if err := s.deliver(ctx, func(c *probes.Sample) { c.Native = n }); err != nil {
		return "", err
	}
	if n.NMT == nil {
		return "code cache and stack size read; " + n.NMTProblem.What + ": " + n.NMTProblem.Why, nil
	}
	return fmt.Sprintf("native memory read: %d categories", len(n.NMT.Categories)), nil
}
