// SPDX-License-Identifier: GPL-2.0-only
/*
 * What may be at the address of the MCP23017 in its place: a TCA9555, whose pull-ups
 * are outside, and a PCF8575. Columns are the first port, rows the second. Both hold
 * their interrupt for as long as an input is not as it was read.
 */
#include <linux/i2c.h>
#include <linux/string.h>

#include "bench.h"

static u8 rows(u8 driven)
{
	u8 cols;

	return (u8)~grid_low(&bench_grids[1], driven, &cols);
}

/* TCA9555: registers in pairs, of which the second follows the first and the first
 * the second. */
enum { INPUT = 0, OUTPUT = 2, INVERT = 4, CONFIG = 6 };

static u8 tca[8], tca_seen[2], tca_pointer;

static void tca_reset(void)
{
	memset(tca, 0xff, sizeof(tca));
	tca[INVERT] = tca[INVERT + 1] = 0;
	tca_seen[0] = tca_seen[1] = 0xff;
}

/* tca_port: outputs by their latch, inputs by their pull-up. */
static u8 tca_port(int n)
{
	u8 in = tca[CONFIG + n], high = n ? rows((u8)~tca[CONFIG] & (u8)~tca[OUTPUT]) : 0xff;

	return (tca[OUTPUT + n] & (u8)~in) | (high & in);
}

static bool tca_interrupts(void)
{
	return ((tca_port(0) ^ tca_seen[0]) & tca[CONFIG]) || ((tca_port(1) ^ tca_seen[1]) & tca[CONFIG + 1]);
}

static u8 tca_take(void)
{
	u8 r = tca_pointer;

	if (r >= OUTPUT)
		return tca[r];
	tca_seen[r] = tca_port(r);
	return tca_seen[r] ^ tca[INVERT + r];
}

static void tca_message(struct i2c_msg *m)
{
	int i;

	for (i = 0; i < m->len; i++) {
		if (!(m->flags & I2C_M_RD) && i == 0) {
			tca_pointer = m->buf[0] & 7;
			continue;
		}
		if (m->flags & I2C_M_RD)
			m->buf[i] = tca_take();
		else if (tca_pointer >= OUTPUT)
			tca[tca_pointer] = m->buf[i];
		tca_pointer ^= 1;
	}
}

/* PCF8575: no registers; what is written 1 is a weak high, and an input. */
static u8 pcf[2], pcf_seen[2];

static void pcf_reset(void)
{
	memset(pcf, 0xff, sizeof(pcf));
	memset(pcf_seen, 0xff, sizeof(pcf_seen));
}

static u8 pcf_port(int n)
{
	return n ? pcf[1] & rows((u8)~pcf[0]) : pcf[0];
}

static bool pcf_interrupts(void)
{
	return pcf_port(0) != pcf_seen[0] || pcf_port(1) != pcf_seen[1];
}

static void pcf_message(struct i2c_msg *m)
{
	int i;

	for (i = 0; i < m->len; i++) {
		if (m->flags & I2C_M_RD)
			m->buf[i] = pcf_port(i % 2);
		else
			pcf[i % 2] = m->buf[i];
	}
	for (i = 0; i < 2; i++)
		pcf_seen[i] = pcf_port(i);
}

const struct expander expander_tca = { tca_reset, tca_message, tca_interrupts };
const struct expander expander_pcf = { pcf_reset, pcf_message, pcf_interrupts };
