// SPDX-License-Identifier: GPL-2.0-only
/*
 * The I2C adapter with an expander at 0x20, which is an MCP23017 by its registers
 * unless another is chosen: columns on port A, rows on port B of the second grid.
 * Registers are kept in the order of IOCON.BANK = 0.
 */
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/string.h>

#include "bench.h"

enum {
	IODIRA = 0x00, IODIRB, IPOLA, IPOLB, GPINTENA, GPINTENB, DEFVALA, DEFVALB, INTCONA, INTCONB,
	IOCONA, IOCONB, GPPUA, GPPUB, INTFA, INTFB, INTCAPA, INTCAPB, GPIOA, GPIOB, OLATA, OLATB,
	REGISTERS, NONE = 0xff,
};
#define BANK 0x80
#define ADDRESS 0x20

static u8 regs[REGISTERS];
static u8 pointer;
static u8 seen;       /* port B when it was last read: what a change is from */
static bool raised;   /* an interrupt stands */
static bool gone;     /* off the bus */
static int naks, hangs;
static unsigned int transfers;
static enum { WIRE_OK, WIRE_BROKEN, WIRE_GROUND } wire; /* the interrupt's */
static struct i2c_adapter adapter;

static void mcp_reset(void)
{
	memset(regs, 0, sizeof(regs));
	regs[IODIRA] = regs[IODIRB] = 0xff;
	raised = false;
}

static u8 driven(void)
{
	return (u8)~regs[IODIRA] & (u8)~regs[OLATA];
}

/* port_b: without its pull-up an input that nothing pulls low reads anything. */
static u8 port_b(void)
{
	u8 cols, low = grid_low(&bench_grids[1], driven(), &cols);

	return (u8)~low & (regs[GPPUB] | (u8)get_random_u32()) & regs[IODIRB];
}

static u8 port_a(void)
{
	return (regs[OLATA] & (u8)~regs[IODIRA]) | regs[IODIRA];
}

/* sense looks for a change of the rows, as the chip does all the time. */
static void sense(void)
{
	u8 now = port_b(), changed = (now ^ seen) & regs[GPINTENB];

	if (!changed || raised)
		return;
	raised = true;
	regs[INTFB] = changed;
	regs[INTCAPB] = now;
}

static bool mcp_interrupts(void)
{
	sense();
	return raised;
}

/* order turns the address of a register into its place. */
static u8 order(u8 reg)
{
	if (!(regs[IOCONA] & BANK))
		return reg % REGISTERS;
	if (reg >> 4 < 2 && (reg & 0xf) < REGISTERS / 2)
		return 2 * (reg & 0xf) + (reg >> 4);
	return NONE;
}

static void put(u8 reg, u8 v)
{
	switch (reg) {
	case IOCONA:
	case IOCONB:
		regs[IOCONA] = regs[IOCONB] = v;
		break;
	case GPIOA:
	case GPIOB:
		regs[reg + 2] = v; /* writes the latch */
		break;
	case INTFA ... INTCAPB:
	case NONE:
		break;
	default:
		regs[reg] = v;
	}
	sense();
}

static u8 take(u8 reg)
{
	u8 v;

	sense();
	switch (reg) {
	case NONE:
		return 0;
	case GPIOA:
		return port_a();
	case GPIOB:
	case INTCAPB:
		v = reg == GPIOB ? port_b() : regs[INTCAPB];
		seen = port_b();
		raised = false;
		regs[INTFB] = 0;
		return v;
	}
	return regs[reg];
}

static void mcp_message(struct i2c_msg *m)
{
	int i;

	for (i = 0; i < m->len; i++) {
		if (m->flags & I2C_M_RD)
			m->buf[i] = take(order(pointer++));
		else if (i == 0)
			pointer = m->buf[0];
		else
			put(order(pointer++), m->buf[i]);
	}
}

static const struct expander expander_mcp = { mcp_reset, mcp_message, mcp_interrupts };
static const struct expander *const expanders[] = { &expander_mcp, &expander_tca, &expander_pcf };
static const struct expander *chip = &expander_mcp;

bool chip_interrupts(void)
{
	return wire == WIRE_GROUND || (wire == WIRE_OK && !gone && chip->interrupts());
}

static int fault(u16 addr)
{
	if (hangs > 0) {
		hangs--;
		return -ETIMEDOUT;
	}
	if (naks > 0) {
		naks--;
		return -EREMOTEIO;
	}
	return gone || addr != ADDRESS ? -EREMOTEIO : 0;
}

static int transfer(struct i2c_adapter *a, struct i2c_msg *msgs, int n)
{
	unsigned long flags;
	int i, err;

	spin_lock_irqsave(&bench_lock, flags);
	transfers++;
	err = fault(msgs[0].addr);
	for (i = 0; i < n && !err; i++)
		chip->message(&msgs[i]);
	lines_sense();
	spin_unlock_irqrestore(&bench_lock, flags);
	if (err == -ETIMEDOUT)
		msleep(100);
	usleep_range(300, 320); /* ten bytes at 400 kHz */
	return err ? err : n;
}

static u32 functionality(struct i2c_adapter *a)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .master_xfer = transfer, .functionality = functionality };

int chip_command(const char *word, int n)
{
	if (!strcmp(word, "chip") && n >= 0 && n < ARRAY_SIZE(expanders)) {
		chip = expanders[n];
		chip->reset();
	} else if (!strcmp(word, "reset"))
		chip->reset();
	else if (!strcmp(word, "gone")) {
		chip->reset();
		gone = n;
	} else if (!strcmp(word, "bank1"))
		regs[IOCONA] = regs[IOCONB] = BANK;
	else if (!strcmp(word, "nak"))
		naks = n;
	else if (!strcmp(word, "hang"))
		hangs = n;
	else if (!strcmp(word, "wire"))
		wire = n;
	else
		return -EINVAL;
	return 0;
}

int chip_print(char *b, int size)
{
	return scnprintf(b, size, "transfers %u\ninterrupt %d\n", transfers, chip_interrupts());
}

int chip_init(void)
{
	chip->reset();
	adapter = (struct i2c_adapter){ .owner = THIS_MODULE, .algo = &algorithm, .name = "shoeboard-bench" };
	adapter.dev.parent = bench_parent;
	return i2c_add_adapter(&adapter);
}

void chip_exit(void)
{
	i2c_del_adapter(&adapter);
}
