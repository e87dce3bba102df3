module github.com/cmdx-go/cmdx/benchmarks

go 1.26.0

require github.com/cmdx-go/cmdx v0.0.0

require github.com/failsafe-go/failsafe-go v0.9.8 // indirect

replace github.com/cmdx-go/cmdx => ../
