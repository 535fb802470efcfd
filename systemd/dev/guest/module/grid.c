// SPDX-License-Identifier: GPL-2.0-only
/* The electrical model of a key matrix. */
#include "bench.h"

/* closed: while a contact bounces it changes every quarter of a millisecond in a
 * way that looks random. */
static bool closed(const struct contact *c, ktime_t now)
{
	s64 us = ktime_us_delta(now, c->at);
	u32 n;

	if (us >= c->wild_us || us < 250)
		return c->down;
	n = (u32)(us / 250) + (u32)ktime_to_us(c->at);
	return !((n * 2654435761u) >> 16 & 1);
}

/* spread lets low columns pull rows low through closed contacts, and, where no
 * diode forbids it, low rows pull columns. */
static void spread(struct grid *g, ktime_t now, u8 *low, u8 *cols)
{
	int r, c;

	for (r = 0; r < WIRES; r++) {
		for (c = 0; c < WIRES; c++) {
			if (!closed(&g->contacts[r][c], now) || g->no_row & BIT(r) ||
			    g->no_col & BIT(c))
				continue;
			if (*cols & BIT(c))
				*low |= BIT(r);
			if (*low & BIT(r) && !g->diodes)
				*cols |= BIT(c);
		}
	}
}

u8 grid_low(struct grid *g, u8 driven, u8 *cols)
{
	ktime_t now = ktime_get();
	u8 low = g->ground, was_low, was_cols;
	int r;

	for (r = 0; r < WIRES; r++)
		if (ktime_before(now, g->spikes[r]))
			low |= BIT(r);
	low &= ~g->no_row;
	*cols = driven & ~g->no_col;
	do {
		was_low = low;
		was_cols = *cols;
		spread(g, now, &low, cols);
	} while (low != was_low || *cols != was_cols);
	return low;
}

void grid_set(struct grid *g, int row, int col, bool down)
{
	struct contact *c = &g->contacts[row][col];

	if (c->down == down)
		return;
	c->down = down;
	c->at = ktime_get();
	c->wild_us = g->bounce_us;
}

bool grid_restless(struct grid *g)
{
	ktime_t now = ktime_get();
	int r, c;

	for (r = 0; r < WIRES; r++) {
		if (ktime_after(g->spikes[r], ktime_sub_us(now, 1000)))
			return true;
		for (c = 0; c < WIRES; c++)
			if (ktime_us_delta(now, g->contacts[r][c].at) < g->contacts[r][c].wild_us + 1000)
				return true;
	}
	return false;
}
