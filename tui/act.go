package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/view"
)

// ActKind is something that the user may ask of the target, or of jtop about
// it, and that is done at no other time.
type ActKind int

// The acts. Arg is what the user types, where the act needs a word.
const (
	ActGC            ActKind = iota // run a full collection
	ActHeapDump                     // Arg: path as the target sees it
	ActDump                         // a thread dump now
	ActFlags                        // the VM flags
	ActProperties                   // the system properties
	ActSetFlag                      // Arg: Name=value, or Name
	ActGCLog                        // switch the unified GC log on, or off again
	ActHistogram                    // class histogram of all objects
	ActHistogramLive                // of the reachable ones: a full collection
	ActOwners                       // a dump with the owners of java.util.concurrent locks
	ActLoaders                      // the class loaders
	ActNative                       // native memory
	ActReadDump                     // Arg: path of a heap dump to look into
	ActProfile                      // sample dumps for a bounded time
	ActVirtual                      // dump of the virtual threads
	ActSaveDump                     // Arg: path of the file for the latest thread dump
	ActStop                         // end what is under way, and keep what it has
	ActStep                         // Arg: how many dumps further on, of files
	ActLoadMore                     // a tenth more users, or rate, of the load run
	ActLoadLess                     // as much less
	ActFollowJTL                    // Arg: path of a JTL that is being written
)

// HeapLookJob is the title of the job that reads a heap dump.
const HeapLookJob = "reading the heap dump"

// Act is one act with its word.
type Act struct {
	Kind ActKind
	Arg  string
}

// Price is what an act costs, as it is put to the user.
type Price struct {
	Title  string // "Take a class histogram?"
	Text   string // what it does and what it costs the target
	Prompt string // what Arg is; "" where the act needs none or has it
	Arg    string // what Arg is offered
	Free   bool   // costs nothing and changes nothing: done without a question
}

// Messages of acts.
type (
	pricedMsg struct {
		id    int
		act   Act
		price Price
		err   error
	}
	actedMsg struct {
		id   int
		act  Act
		text string
		err  error
	}
)

// prompt is the word that an act is waiting for.
type prompt struct {
	act   Act
	price Price
	text  string
}

// priceLimit bounds how long the price of an act may be looked for.
const priceLimit = 10 * time.Second

// actOf is the acts that a key alone asks for.
var actOf = map[keys.Action]ActKind{
	keys.Dump:          ActDump,
	keys.Flags:         ActFlags,
	keys.Properties:    ActProperties,
	keys.SaveDump:      ActSaveDump,
	keys.StopAct:       ActStop,
	keys.RunGC:         ActGC,
	keys.HeapDump:      ActHeapDump,
	keys.ReadDump:      ActReadDump,
	keys.Owners:        ActOwners,
	keys.GCLog:         ActGCLog,
	keys.Histogram:     ActHistogram,
	keys.LiveHistogram: ActHistogramLive,
	keys.Native:        ActNative,
	keys.Loaders:       ActLoaders,
	keys.SetFlag:       ActSetFlag,
	keys.FollowJTL:     ActFollowJTL,
}

// act asks for the price of an act; what comes of it is put to the user.
func (m *Model) act(a Act) tea.Cmd {
	h := m.sess
	if h == nil {
		return nil
	}
	return m.tasks.cmd(func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, priceLimit)
		defer cancel()
		p, err := h.Price(ctx, a)
		return pricedMsg{id: h.id, act: a, price: p, err: err}
	})
}

func (m *Model) priced(msg pricedMsg) tea.Cmd {
	if m.sess == nil || msg.id != m.sess.id {
		return nil
	}
	switch {
	case msg.err != nil:
		return m.say(view.ToastBad, problem("this cannot be done", msg.err).Error())
	case m.overlay != overlayNone || m.typing():
		return m.say(view.ToastWarn, "not asked: another question was open; press the key again")
	case msg.price.Prompt != "":
		m.overlay = overlayPrompt
		m.prompt = prompt{act: msg.act, price: msg.price, text: msg.price.Arg}
		m.toast.text = ""
		return nil
	case msg.price.Free:
		return m.doAct(msg.act)
	}
	return m.confirm(question{title: msg.price.Title, text: msg.price.Text, yes: func() tea.Cmd { return m.doAct(msg.act) }})
}

// doAct does it. It has no time limit of its own: a heap dump takes as long
// as the disk does; its progress is in the frames (probes.Job), and the end of
// the session ends it.
func (m *Model) doAct(a Act) tea.Cmd {
	h := m.sess
	if h == nil {
		return nil
	}
	return m.tasks.cmd(func(ctx context.Context) tea.Msg {
		text, err := h.Act(ctx, a)
		return actedMsg{id: h.id, act: a, text: text, err: err}
	})
}

func (m *Model) acted(msg actedMsg) tea.Cmd {
	if m.sess == nil || msg.id != m.sess.id {
		return nil
	}
	if msg.err != nil {
		return m.say(view.ToastBad, problem("this could not be done", msg.err).Error())
	}
	m.watch.freeze = msg.act.Kind == ActOwners // the next dump does not have them
	cmds := []tea.Cmd{m.rebuildNow(), m.say(view.ToastOK, msg.text)}
	if tab, part, ok := whereTo(msg.act.Kind); ok {
		cmds = append(cmds, m.goTab(tab), m.goPart(part))
	}
	return tea.Batch(cmds...)
}

// whereTo is the page that shows what an act brought.
func whereTo(k ActKind) (view.Tab, view.Part, bool) {
	switch k {
	case ActHistogram, ActHistogramLive:
		return view.TabMemory, view.MemoryClasses, true
	case ActNative:
		return view.TabMemory, view.MemoryNative, true
	case ActOwners:
		return view.TabThreads, view.ThreadsLocks, true
	case ActReadDump:
		return view.TabMemory, view.MemoryDump, true
	case ActFollowJTL:
		return view.TabLoad, view.LoadRun, true
	case ActLoaders:
		return view.TabClasses, view.ClassesLoaders, true
	}
	return 0, 0, false
}

// promptKey is the keys of the prompt: enter asks for the price with the word.
func (m *Model) promptKey(a keys.Action) tea.Cmd {
	p := m.prompt
	switch a {
	case keys.Accept:
		m.overlay, m.prompt = overlayNone, prompt{}
		if p.text == "" {
			return m.say(view.ToastInfo, "nothing was done")
		}
		p.act.Arg = p.text
		return m.act(p.act)
	case keys.Cancel:
		m.overlay, m.prompt = overlayNone, prompt{}
	}
	return nil
}

// noActs tells that nothing can be asked of the target: jtop is read-only, or
// looks at a file.
func (m *Model) noActs() bool { return m.opt.ReadOnly || m.opt.File != "" }
