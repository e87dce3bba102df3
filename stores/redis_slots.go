package stores

import (
	"strconv"
	"sync"
)

const slots = 16384

// slot is the cluster slot of a key: CRC16 (XMODEM) of its hash tag or of the
// whole, modulo 16384.
func slot(key string) uint16 {
	if tag, ok := hashTag(key); ok {
		key = tag
	}
	return crc16(key) % slots
}

func crc16(s string) uint16 {
	var crc uint16
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}

// slotTags holds a short tag for every slot; few keys need one.
var slotTags = sync.OnceValue(func() *[slots]string {
	var tags [slots]string
	for i, missing := 0, slots; missing > 0; i++ {
		tag := strconv.FormatInt(int64(i), 36)
		if s := crc16(tag) % slots; tags[s] == "" {
			tags[s] = tag
			missing--
		}
	}
	return &tags
})

func slotTag(slot uint16) string { return slotTags()[slot] }
