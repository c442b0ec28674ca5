package proc

// split reads what of a thread's CPU time is the user's and what the system's.
// A thread that did not run since the last reading has the same split: of
// thousands of threads few run, and the others cost nothing here.
func (r *TaskReader) split(t *thread, dir string) error {
	st, err := readStat(dir + "/stat")
	if err != nil {
		return err
	}
	t.user, t.system = st.UTime, st.STime
	return nil
}
