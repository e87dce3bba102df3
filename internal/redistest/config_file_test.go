package redistest

import "testing"

func TestConfigText(t *testing.T) {
	for _, c := range []struct {
		name    string
		options []Option
		want    string
	}{
		{"nothing", nil, ""},
		{"empty", []Option{Setting("save", "")}, "save \"\"\n"},
		{"append only", []Option{AppendOnly()}, "appendonly \"yes\"\nappendfsync \"always\"\n"},
		{"the last one counts", []Option{Setting("a", "1"), Setting("b", "2"), Setting("a", "3")}, "a \"3\"\nb \"2\"\n"},
		{"signs", []Option{Setting("a", "x \"y\" \\ \n\xff é")}, "a \"x \\\"y\\\" \\\\ \\x0a\\xff \\xc3\\xa9\"\n"},
	} {
		var s settings
		for _, option := range c.options {
			option(&s)
		}
		if got := s.text(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestInfoField(t *testing.T) {
	info := "# Server\r\nprocess_id:42\r\nexecutable:/a:b\r\nlast:1"
	for name, want := range map[string]string{"process_id": "42", "executable": "/a:b", "last": "1", "process": "", "# Server": ""} {
		if got := infoField(info, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestShares(t *testing.T) {
	next := 0
	for i := range clusterSize {
		first, last := share(i)
		if first != next || last <= first {
			t.Errorf("node %d has %d to %d, want a range from %d on", i, first, last, next)
		}
		next = last + 1
	}
	if next != clusterSlots {
		t.Errorf("the shares end before %d, want all %d slots", next, clusterSlots)
	}
}
