package paint

// cache keeps values that cost time to make, in two generations: when the young
// one is full it becomes the old one, and what nobody asks for again goes with
// it. A value in use is moved to the young one and so never made twice.
type cache[K comparable, V any] struct {
	young, old map[K]V
	size       func(V) int
	used, most int // bytes of the young generation
}

func newCache[K comparable, V any](most int, size func(V) int) cache[K, V] {
	return cache[K, V]{young: map[K]V{}, size: size, most: most}
}

// get returns the value of key, made with make when it is not kept.
func (c *cache[K, V]) get(key K, make func() V) V {
	if v, ok := c.young[key]; ok {
		return v
	}
	v, ok := c.old[key]
	if !ok {
		v = make()
	}
	if c.used += c.size(v); c.used > c.most {
		c.young, c.old, c.used = map[K]V{}, c.young, c.size(v)
	}
	c.young[key] = v
	return v
}
