/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bench of keypads that are not there: a key matrix on a GPIO chip, and another
 * on an expander (MCP23017, or another) behind an I2C adapter, whose interrupt is a line of that chip.
 * The levels of the rows follow from columns, keys and pulls at the moment they
 * are read, so that a scanner meets what it meets on wires.
 */
#ifndef SHOEBOARD_BENCH_H
#define SHOEBOARD_BENCH_H

#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define WIRES 8 /* rows or columns of a grid, at most */

struct contact {
	bool down;
	ktime_t at;  /* when it moved */
	u32 wild_us; /* how long it bounces from then on */
};

/* A matrix of keys; bit i of a mask is row or column i + 1. */
struct grid {
	struct contact contacts[WIRES][WIRES]; /* by row and column */
	ktime_t spikes[WIRES];                 /* until when a row is low by itself */
	u32 bounce_us;                         /* of the contacts that move from now on */
	u8 ground;                             /* rows that touch ground */
	u8 no_row, no_col;                     /* broken wires */
	bool diodes;
};

extern spinlock_t bench_lock; /* guards all that follows, from any context */
extern struct grid bench_grids[2];
extern struct device *bench_parent;

/* grid_low: the rows that are low while the columns in driven are low and all
 * others open; *cols becomes the columns that are low. */
u8 grid_low(struct grid *g, u8 driven, u8 *cols);
void grid_set(struct grid *g, int row, int col, bool down);
bool grid_restless(struct grid *g); /* a level changes by itself */

int lines_init(void);
void lines_exit(void);
void lines_work(bool on);      /* or fail */
int lines_spare(bool on);      /* without the lock */
void lines_sense(void);        /* under the lock: look for edges and deliver them */
void lines_fail(int n);        /* the next n readings fail */
int lines_print(char *b, int size);

int chip_init(void);
void chip_exit(void);
int chip_command(const char *word, int n); /* under the lock */
bool chip_interrupts(void);                /* under the lock: INTA is low */

/* A chip on the bus, all under the lock. */
struct i2c_msg;
struct expander {
	void (*reset)(void); /* as after power-on */
	void (*message)(struct i2c_msg *m);
	bool (*interrupts)(void);
};

extern const struct expander expander_tca, expander_pcf;
int chip_print(char *b, int size);

#endif
