// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GPIO chip: rows R1 to R8 and columns C1 to C8 of the first grid, LIGHT, which
 * leads nowhere, and INTA, the interrupt of the expander. It can fail, as one does
 * whose bus is cut.
 *
 * Another one of two lines, the spare, can be taken away whole, even while a program
 * holds it. The lines of that have no names: once a chip was removed that way, Linux
 * 6.1 keeps its shell, and falls over it when the next one brings names.
 *
 * Interrupts are the module's own and outlive the chips.
 */
#include <linux/gpio/driver.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/random.h>

#include "bench.h"

enum { ROW = 0, COL = ROW + WIRES, LIGHT = COL + WIRES, INTA, LINES, SPARE = 2 };

static const char *const names[LINES] = {
	"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8",
	"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "LIGHT", "INTA",
};

static struct line {
	bool output, value;  /* value: what it drives */
	bool level;          /* what was last seen of it */
	bool masked;
	unsigned int pull;   /* PIN_CONFIG_BIAS_... */
	unsigned int edges;  /* IRQ_TYPE_EDGE_... */
	unsigned int turns;  /* how often its direction was set */
} lines[LINES + SPARE];

static struct gpio_chip gc, spare;
static bool dead, spared;
static int irqs, failures;
static unsigned int shorts, readings;
static DECLARE_BITMAP(pending, LINES);

static u8 columns(bool value)
{
	u8 mask = 0;
	int i;

	for (i = 0; i < WIRES; i++)
		if (lines[COL + i].output && lines[COL + i].value == value)
			mask |= BIT(i);
	return mask;
}

/* floating: what an input reads that nothing pulls. */
static bool floating(const struct line *l)
{
	switch (l->pull) {
	case PIN_CONFIG_BIAS_PULL_UP:
		return true;
	case PIN_CONFIG_BIAS_PULL_DOWN:
		return false;
	}
	return get_random_u32() & 1;
}

static bool level(int i, u8 low)
{
	struct line *l = &lines[i];

	if (l->output)
		return l->value;
	if (i < COL && low & BIT(i))
		return false;
	if (i == INTA && chip_interrupts())
		return false;
	return floating(l);
}

/* sagging: open columns that are pulled down. A key that joins one to a row holds that
 * at half the supply, between two pulls alike: taken for low, the worse reading. */
static u8 sagging(void)
{
	u8 mask = 0;
	int i;

	for (i = 0; i < WIRES; i++)
		if (!lines[COL + i].output && lines[COL + i].pull == PIN_CONFIG_BIAS_PULL_DOWN)
			mask |= BIT(i);
	return mask;
}

static u8 rows(void)
{
	u8 cols;

	grid_low(&bench_grids[0], columns(false), &cols);
	if (cols & columns(true)) /* two outputs against each other */
		shorts++;
	return grid_low(&bench_grids[0], columns(false) | sagging(), &cols);
}

static void deliver(struct irq_work *work)
{
	unsigned long flags;
	int i;

	for (i = 0; i < LINES; i++) {
		bool due;

		spin_lock_irqsave(&bench_lock, flags);
		due = __test_and_clear_bit(i, pending);
		spin_unlock_irqrestore(&bench_lock, flags);
		if (due)
			generic_handle_irq(irqs + i);
	}
}

static DEFINE_IRQ_WORK(delivery, deliver);

void lines_sense(void)
{
	u8 low = rows();
	int i;

	for (i = 0; i < LINES; i++) {
		struct line *l = &lines[i];
		bool was = l->level, now;

		if (l->output || l->pull == PIN_CONFIG_BIAS_DISABLE)
			continue;
		now = level(i, low);
		l->level = now;
		if (now == was || l->masked || !(l->edges & (now ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING)))
			continue;
		__set_bit(i, pending);
	}
	if (!bitmap_empty(pending, LINES))
		irq_work_queue(&delivery);
}

static int get(struct gpio_chip *c, unsigned int i)
{
	unsigned long flags;
	int v;

	spin_lock_irqsave(&bench_lock, flags);
	readings++;
	v = dead ? -ENODEV : failures > 0 ? -EIO : level(i, rows());
	failures -= failures > 0;
	spin_unlock_irqrestore(&bench_lock, flags);
	return v;
}

static int get_direction(struct gpio_chip *c, unsigned int i)
{
	return lines[i].output ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static void drive(unsigned int i, bool output, bool value, bool turn)
{
	unsigned long flags;

	spin_lock_irqsave(&bench_lock, flags);
	lines[i].output = output;
	lines[i].value = value;
	lines[i].turns += turn;
	lines_sense();
	spin_unlock_irqrestore(&bench_lock, flags);
}

static int direction_input(struct gpio_chip *c, unsigned int i)
{
	drive(i, false, false, true);
	return 0;
}

static int direction_output(struct gpio_chip *c, unsigned int i, int value)
{
	drive(i, true, value, true);
	return 0;
}

static void set(struct gpio_chip *c, unsigned int i, int value)
{
	drive(i, lines[i].output, value, false);
}

/* set_config knows pulls only: open drains are left to gpiolib, as on a Pi. */
static int set_config(struct gpio_chip *c, unsigned int i, unsigned long config)
{
	unsigned int what = pinconf_to_config_param(config);
	unsigned long flags;

	if (what != PIN_CONFIG_BIAS_PULL_UP && what != PIN_CONFIG_BIAS_PULL_DOWN && what != PIN_CONFIG_BIAS_DISABLE)
		return -ENOTSUPP;
	spin_lock_irqsave(&bench_lock, flags);
	lines[i].pull = what;
	lines[i].level = level(i, rows());
	spin_unlock_irqrestore(&bench_lock, flags);
	return 0;
}

static int request(struct gpio_chip *c, unsigned int i)
{
	return dead ? -ENODEV : 0;
}

static int to_irq(struct gpio_chip *c, unsigned int i)
{
	return irqs + i;
}

static void mask(struct irq_data *d)
{
	lines[d->irq - irqs].masked = true;
}

static void unmask(struct irq_data *d)
{
	lines[d->irq - irqs].masked = false;
}

static int set_type(struct irq_data *d, unsigned int type)
{
	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	lines[d->irq - irqs].edges = type;
	return 0;
}

static struct irq_chip irqchip = {
	.name = "shoeboard-bench",
	.irq_mask = mask,
	.irq_unmask = unmask,
	.irq_set_type = set_type,
};

static int add(void)
{
	int i;

	for (i = 0; i < LINES; i++) /* as those of a Raspberry Pi from GPIO9 on after a reset */
		lines[i].pull = PIN_CONFIG_BIAS_PULL_DOWN;
	gc = (struct gpio_chip){
		.label = "shoeboard-bench", .parent = bench_parent, .owner = THIS_MODULE,
		.base = -1, .ngpio = LINES, .names = names, .request = request,
		.get = get, .set = set, .get_direction = get_direction, .direction_input = direction_input,
		.direction_output = direction_output, .set_config = set_config, .to_irq = to_irq,
	};
	return gpiochip_add_data(&gc, NULL);
}

void lines_work(bool on)
{
	dead = !on;
}

/* The spare: nothing is on its lines, and they read high. */
static int spare_get(struct gpio_chip *c, unsigned int i)
{
	return 1;
}

static int spare_input(struct gpio_chip *c, unsigned int i)
{
	return 0;
}

static int spare_output(struct gpio_chip *c, unsigned int i, int value)
{
	return 0;
}

static int spare_to_irq(struct gpio_chip *c, unsigned int i)
{
	return irqs + LINES + i;
}

int lines_spare(bool on)
{
	int err = 0;

	if (on == spared)
		return 0;
	if (!on)
		gpiochip_remove(&spare);
	spare = (struct gpio_chip){
		.label = "shoeboard-spare", .parent = bench_parent, .owner = THIS_MODULE, .base = -1, .ngpio = SPARE,
		.get = spare_get, .direction_input = spare_input, .direction_output = spare_output, .to_irq = spare_to_irq,
	};
	if (on)
		err = gpiochip_add_data(&spare, NULL);
	spared = on && !err;
	return err;
}

void lines_fail(int n)
{
	failures = n;
}

int lines_print(char *b, int size)
{
	int i, n = scnprintf(b, size, "shorts %u\nreadings %u\n", shorts, readings);

	for (i = 0; i < LINES; i++)
		n += scnprintf(b + n, size - n, "%s %s %d turns %u\n", names[i],
			       lines[i].output ? "out" : "in", lines[i].value, lines[i].turns);
	return n;
}

int lines_init(void)
{
	int i;

	irqs = irq_alloc_descs(-1, 0, LINES + SPARE, NUMA_NO_NODE);
	if (irqs < 0)
		return irqs;
	for (i = 0; i < LINES + SPARE; i++) {
		irq_set_chip_and_handler(irqs + i, &irqchip, handle_simple_irq);
		irq_modify_status(irqs + i, IRQ_NOREQUEST | IRQ_NOAUTOEN, IRQ_NOPROBE);
	}
	return add();
}

void lines_exit(void)
{
	gpiochip_remove(&gc);
	lines_spare(false);
	irq_work_sync(&delivery);
	irq_free_descs(irqs, LINES + SPARE);
}
