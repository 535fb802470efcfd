// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/shoeboard-bench: one command a write, counted from 1 as on the wires, and the
 * state of everything as text to read.
 *
 *   key GRID ROW COL DOWN      moves a key; grid 1 is on the GPIO chip, 2 on the expander
 *   bounce GRID US             of the contacts that move from now on
 *   diodes GRID ON             every key has one, or none
 *   ground GRID ROW ON         the row's wire touches ground
 *   breakrow|breakcol GRID N ON
 *   spike GRID ROW US          pulls the row low for so long
 *   lines ON                   the GPIO chip works, or answers no more
 *   spare ON                   the spare chip comes or goes
 *   fail N                     the next N readings of a GPIO line fail
 *   chip 0|1|2                 the expander is an MCP23017, a TCA9555 or a PCF8575
 *   reset 0, gone ON, bank1 0, nak N, hang N, wire 0|1|2 (whole, broken, grounded)
 */
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "bench.h"

DEFINE_SPINLOCK(bench_lock);
struct grid bench_grids[2];
struct device *bench_parent;

static struct platform_device *parent;
static struct hrtimer restless;
static DEFINE_MUTEX(plugging);

/* look senses every quarter of a millisecond while a level changes by itself. */
static enum hrtimer_restart look(struct hrtimer *t)
{
	unsigned long flags;
	bool again;

	spin_lock_irqsave(&bench_lock, flags);
	lines_sense();
	again = grid_restless(&bench_grids[0]) || grid_restless(&bench_grids[1]);
	spin_unlock_irqrestore(&bench_lock, flags);
	hrtimer_forward_now(t, ns_to_ktime(250 * NSEC_PER_USEC));
	return again ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

static void bit(u8 *mask, int n, bool on)
{
	*mask = on ? *mask | BIT(n - 1) : *mask & ~BIT(n - 1);
}

static int wires(struct grid *g, const char *word, int n, int a)
{
	if (n < 1 || n > WIRES)
		return -EINVAL;
	if (!strcmp(word, "ground"))
		bit(&g->ground, n, a);
	else if (!strcmp(word, "breakrow"))
		bit(&g->no_row, n, a);
	else if (!strcmp(word, "breakcol"))
		bit(&g->no_col, n, a);
	else if (!strcmp(word, "spike"))
		g->spikes[n - 1] = ktime_add_us(ktime_get(), a);
	else
		return -EINVAL;
	return 0;
}

static int grid_command(const char *word, int grid, const int *a)
{
	struct grid *g;

	if (grid < 1 || grid > 2)
		return -EINVAL;
	g = &bench_grids[grid - 1];
	if (!strcmp(word, "bounce"))
		g->bounce_us = a[0];
	else if (!strcmp(word, "diodes"))
		g->diodes = a[0];
	else if (strcmp(word, "key"))
		return wires(g, word, a[0], a[1]);
	else if (a[0] < 1 || a[0] > WIRES || a[1] < 1 || a[1] > WIRES)
		return -EINVAL;
	else
		grid_set(g, a[0] - 1, a[1] - 1, a[2]);
	return 0;
}

static int command(const char *word, int n, const int *a)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&bench_lock, flags);
	if (!strcmp(word, "fail")) {
		lines_fail(n);
		err = 0;
	} else if (!strcmp(word, "lines")) {
		lines_work(n);
		err = 0;
	} else {
		err = chip_command(word, n);
		if (err)
			err = grid_command(word, n, a);
	}
	lines_sense();
	spin_unlock_irqrestore(&bench_lock, flags);
	hrtimer_start(&restless, ns_to_ktime(250 * NSEC_PER_USEC), HRTIMER_MODE_REL);
	return err;
}

static ssize_t bench_write(struct file *f, const char __user *user, size_t size, loff_t *pos)
{
	char text[64] = "", word[16];
	int n, a[3] = { 0 }, err;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, user, size))
		return -EFAULT;
	if (sscanf(text, "%15s %d %d %d %d", word, &n, &a[0], &a[1], &a[2]) < 2)
		return -EINVAL;
	mutex_lock(&plugging);
	if (!strcmp(word, "spare"))
		err = lines_spare(n);
	else
		err = command(word, n, a);
	mutex_unlock(&plugging);
	return err ? err : size;
}

static ssize_t bench_read(struct file *f, char __user *user, size_t size, loff_t *pos)
{
	char *b = kmalloc(PAGE_SIZE, GFP_KERNEL);
	unsigned long flags;
	ssize_t n;

	if (!b)
		return -ENOMEM;
	spin_lock_irqsave(&bench_lock, flags);
	n = lines_print(b, PAGE_SIZE);
	n += chip_print(b + n, PAGE_SIZE - n);
	spin_unlock_irqrestore(&bench_lock, flags);
	n = simple_read_from_buffer(user, size, pos, b, n);
	kfree(b);
	return n;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = bench_read, .write = bench_write };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "shoeboard-bench", .fops = &fops };

static int __init bench_init(void)
{
	int err;

	hrtimer_init(&restless, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	restless.function = look;
	parent = platform_device_register_simple("shoeboard-bench", -1, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	bench_parent = &parent->dev;
	err = lines_init();
	if (err)
		goto no_lines;
	err = chip_init();
	if (err)
		goto no_chip;
	err = misc_register(&misc);
	if (!err)
		return 0;
	chip_exit();
no_chip:
	lines_exit();
no_lines:
	platform_device_unregister(parent);
	return err;
}

static void __exit bench_exit(void)
{
	misc_deregister(&misc);
	hrtimer_cancel(&restless);
	chip_exit();
	lines_exit();
	platform_device_unregister(parent);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Keypads that are not there, for the tests of shoeboard");
