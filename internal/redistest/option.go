package redistest

// Option changes how a server is started. Options are applied in their order;
// of two for one directive the last one counts.
type Option func(*settings)

// settings are the directives of a configuration file, in their order.
type settings struct {
	names  []string
	values map[string]string
	// monitored is the line by which a Sentinel finds its master; "" for a
	// server that is none.
	monitored string
}

func (s *settings) set(name, value string) {
	if s.values == nil {
		s.values = map[string]string{}
	}
	if _, known := s.values[name]; !known {
		s.names = append(s.names, name)
	}
	s.values[name] = value
}

// AppendOnly makes the server write every command to disk before it answers,
// so that what was answered is there again after Kill and Restart. By default
// nothing is kept.
func AppendOnly() Option {
	return func(s *settings) {
		s.set("appendonly", "yes")
		s.set("appendfsync", "always")
	}
}

// Setting is a directive of redis.conf with a single value, such as
// ("maxmemory", "2mb"). It holds over restarts. A directive that the server
// does not know keeps it from starting.
func Setting(name, value string) Option {
	return func(s *settings) { s.set(name, value) }
}
