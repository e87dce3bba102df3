package task

import "runtime"

// goroutineID tells goroutines apart. Go does not give the number but in the
// first line of a stack: "goroutine 18 [running]:".
func goroutineID() (id uint64) {
	var line [32]byte
	const prefix = len("goroutine ")
	for _, digit := range line[prefix:runtime.Stack(line[:], false)] {
		if digit < '0' || digit > '9' {
			break
		}
		id = id*10 + uint64(digit-'0')
	}
	return id
}
