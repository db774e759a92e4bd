// SPDX-License-Identifier: GPL-2.0-only
/*
 * irqlat: how long an interrupt takes from the moment at which it is due until its handler runs.
 *
 * Three interrupts are made to follow each other on one processor:
 *
 *   first   the timer's. It is due when the counter reaches the compare value: on arm64 both are read in the handler, on x86,
 *           where the deadline is gone by then, it is the time for which the hrtimer was programmed.
 *   second  an interrupt that the processor sends to itself (irq_work) in the first handler, which goes on for hold_us: it is due
 *           while the first is handled, and waits for its end, for Linux does not nest interrupts.
 *   third   the same, from the second handler.
 *
 * Then interrupts are masked for masked_us at a time, while a cycle counter overflows. Its interrupt waits for the end of that, or
 * does not, where it is an NMI: always on x86, and on arm64 with irqchip.gicv3_pseudo_nmi=1.
 *
 * The measurement runs while the module is loaded; its result is in debugfs, in irqlat/summary and irqlat/samples.
 */
#define pr_fmt(format) KBUILD_MODNAME ": " format

#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>
#endif

static unsigned int samples = 1000;
module_param(samples, uint, 0444);
MODULE_PARM_DESC(samples, "how often the three interrupts are measured, up to 100000");
static unsigned int period_us = 1000;
module_param(period_us, uint, 0444);
MODULE_PARM_DESC(period_us, "from one time to the next, 100 to 100000");
static unsigned int hold_us = 20;
module_param(hold_us, uint, 0444);
MODULE_PARM_DESC(hold_us, "how long the first and the second handler take, up to 100");
static unsigned int masked_us = 500;
module_param(masked_us, uint, 0444);
MODULE_PARM_DESC(masked_us, "how long interrupts are masked while a counter overflows, up to 5000; 0 leaves that out");
static unsigned int cpu;
module_param(cpu, uint, 0444);
MODULE_PARM_DESC(cpu, "the processor");

/* What else the timer's interrupt was for is no measurement of ours: so far apart compare value and expiry may be. */
#define SAME_NS 5000
/* Cycles from one overflow to the next: 100 us at 1 GHz. */
#define CYCLES 100000
#define MASKED_TIMES 100

enum series { FIRST, SECOND, SECOND_VECTOR, THIRD, THIRD_VECTOR, SERIES };

static const char *const titles[SERIES] = {
	[FIRST] = "first, from the compare value",
	[SECOND] = "second, from its request",
	[SECOND_VECTOR] = "second, from the end of the first handler",
	[THIRD] = "third, from its request",
	[THIRD_VECTOR] = "third, from the end of the second handler",
};

static u32 *taken[SERIES];
static unsigned int count, shared;
static u64 requested, handled;
static struct hrtimer timer;
static DECLARE_COMPLETION(done);
static struct dentry *directory;

/* Overflows of the counter. */
static struct {
	int missing; /* the error, where there is no such counter */
	bool masked;
	unsigned int during, after, nmi;
	u64 due, latest; /* cycles since it began to count */
} counter;

static void keep(enum series series, u64 ns)
{
	taken[series][count] = min_t(u64, ns, U32_MAX);
}

#ifdef CONFIG_ARM64
#define CLOCK "the generic timer's counter and compare value"

/* The kernel uses the virtual timer, or, as a host, the physical one; the registers of the other are off. */
static u64 late(u64 expiry)
{
	u64 ticks;

	isb();
	if (read_sysreg(cntv_ctl_el0) & ARCH_TIMER_CTRL_ENABLE)
		ticks = read_sysreg(cntvct_el0) - read_sysreg(cntv_cval_el0);
	else
		ticks = read_sysreg(cntpct_el0) - read_sysreg(cntp_cval_el0);
	return mul_u64_u64_div_u64(ticks, NSEC_PER_SEC, arch_timer_get_cntfrq());
}
#else
#define CLOCK "the time for which the hrtimer was programmed"

static u64 late(u64 expiry)
{
	return ktime_get_ns() - expiry;
}
#endif

static ktime_t period(void)
{
	return ns_to_ktime((u64)period_us * NSEC_PER_USEC);
}

static void third_handler(struct irq_work *work)
{
	u64 now = ktime_get_ns();

	keep(THIRD, now - requested);
	keep(THIRD_VECTOR, now - handled);
	count++;
}

static struct irq_work third = IRQ_WORK_INIT_HARD(third_handler);

static void second_handler(struct irq_work *work)
{
	u64 now = ktime_get_ns();

	keep(SECOND, now - requested);
	keep(SECOND_VECTOR, now - handled);
	requested = ktime_get_ns();
	irq_work_queue(&third);
	udelay(hold_us);
	handled = ktime_get_ns();
}

static struct irq_work second = IRQ_WORK_INIT_HARD(second_handler);

static enum hrtimer_restart first_handler(struct hrtimer *self)
{
	u64 expiry = ktime_to_ns(hrtimer_get_expires(self));
	u64 ns = late(expiry), after = ktime_get_ns() - expiry;

	if (count >= samples) {
		complete(&done);
		return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(self, period());
	if (abs((s64)(ns - after)) > SAME_NS) {
		/* Many, where something else always comes first: that must end as well. */
		if (++shared >= 10 * samples) {
			complete(&done);
			return HRTIMER_NORESTART;
		}
		return HRTIMER_RESTART;
	}
	keep(FIRST, ns);
	requested = ktime_get_ns();
	irq_work_queue(&second);
	udelay(hold_us);
	handled = ktime_get_ns();
	return HRTIMER_RESTART;
}

static void start_timer(void *unused)
{
	hrtimer_start(&timer, period(), HRTIMER_MODE_REL_PINNED_HARD);
}

static int measure_nested(void)
{
	int error;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&timer, first_handler, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = first_handler;
#endif
	error = smp_call_function_single(cpu, start_timer, NULL, 1);
	if (!error)
		error = wait_for_completion_killable(&done);
	hrtimer_cancel(&timer);
	irq_work_sync(&second);
	irq_work_sync(&third);
	return error;
}

static void overflowed(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	u64 cycles = local64_read(&event->count), waited = cycles - counter.due;

	if (READ_ONCE(counter.masked))
		counter.during++;
	else
		counter.after++;
	if (in_nmi())
		counter.nmi++;
	counter.latest = max(counter.latest, waited);
	/* As perf goes on: in step, or, where whole periods went by, anew. */
	counter.due = (waited < CYCLES ? counter.due : cycles) + CYCLES;
}

static long measure_masked(void *unused)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attributes),
		.sample_period = CYCLES,
		.pinned = 1,
	};
	struct perf_event *event;
	int at;

	counter.due = CYCLES;
	event = perf_event_create_kernel_counter(&attributes, cpu, NULL, overflowed, NULL);
	if (IS_ERR(event)) {
		counter.missing = PTR_ERR(event);
		return 0;
	}
	for (at = 0; at < MASKED_TIMES; at++) {
		unsigned long flags;

		local_irq_save(flags);
		WRITE_ONCE(counter.masked, true);
		udelay(masked_us);
		WRITE_ONCE(counter.masked, false);
		local_irq_restore(flags);
		usleep_range(100, 200);
	}
	perf_event_release_kernel(event);
	return 0;
}

static int compare(const void *a, const void *b)
{
	u32 one = *(const u32 *)a, other = *(const u32 *)b;

	return (one > other) - (one < other);
}

static int summary_show(struct seq_file *file, void *unused)
{
	int series;

	seq_printf(file, "irqlat 1: processor %u, each %u us, handlers of %u us; the first is measured by " CLOCK "\n", cpu, period_us, hold_us);
	seq_printf(file, "%u of each; %u timer interrupts were left out, for they were due for something else\n", count, shared);
	seq_puts(file, "nanoseconds                                       min       p50       p99       max\n");
	for (series = 0; count && series < SERIES; series++) {
		u32 *sorted = vmalloc(array_size(count, sizeof(*sorted)));

		if (!sorted)
			return -ENOMEM;
		memcpy(sorted, taken[series], array_size(count, sizeof(*sorted)));
		sort(sorted, count, sizeof(*sorted), compare, NULL);
		seq_printf(file, "%-43s%10u%10u%10u%10u\n", titles[series], sorted[0], sorted[count / 2],
			   sorted[count - 1 - count / 100], sorted[count - 1]);
		vfree(sorted);
	}
	if (!masked_us)
		return 0;
	if (counter.missing) {
		seq_printf(file, "masked interrupts: there is no counter of cycles that interrupts here (%d)\n", counter.missing);
		return 0;
	}
	seq_printf(file, "interrupts masked %u times for %u us: %u overflows handled meanwhile, %u later; %u as NMI; the latest %llu cycles late\n",
		   MASKED_TIMES, masked_us, counter.during, counter.after, counter.nmi, counter.latest);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(summary);

static void *samples_start(struct seq_file *file, loff_t *at)
{
	return *at < count ? at : NULL;
}

static void *samples_next(struct seq_file *file, void *item, loff_t *at)
{
	++*at;
	return samples_start(file, at);
}

static void samples_stop(struct seq_file *file, void *item)
{
}

static int samples_show(struct seq_file *file, void *item)
{
	loff_t at = *(loff_t *)item;
	int series;

	for (series = 0; series < SERIES; series++)
		seq_printf(file, "%u%c", taken[series][at], series + 1 < SERIES ? '\t' : '\n');
	return 0;
}

static const struct seq_operations samples_sops = {
	.start = samples_start,
	.next = samples_next,
	.stop = samples_stop,
	.show = samples_show,
};
DEFINE_SEQ_ATTRIBUTE(samples);

static void release(void)
{
	int series;

	for (series = 0; series < SERIES; series++)
		vfree(taken[series]);
}

static int __init irqlat_init(void)
{
	int series, error;

	if (!samples || samples > 100000 || period_us < 100 || period_us > 100000 || hold_us > 100 || masked_us > 5000) {
		pr_err("samples is 1 to 100000, period_us 100 to 100000, hold_us up to 100, masked_us up to 5000\n");
		return -EINVAL;
	}
	if (2 * hold_us >= period_us) {
		pr_err("period_us has to be more than twice hold_us\n");
		return -EINVAL;
	}
	for (series = 0; series < SERIES; series++) {
		/* One more: the timer looks at the count before the third interrupt has changed it. */
		taken[series] = vzalloc(array_size(samples + 1, sizeof(u32)));
		if (!taken[series]) {
			release();
			return -ENOMEM;
		}
	}
	cpus_read_lock();
	error = cpu < nr_cpu_ids && cpu_online(cpu) ? measure_nested() : -ENODEV;
	cpus_read_unlock();
	if (!error && masked_us)
		error = work_on_cpu(cpu, measure_masked, NULL);
	if (error) {
		release();
		return error;
	}
	directory = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("summary", 0444, directory, NULL, &summary_fops);
	debugfs_create_file("samples", 0444, directory, NULL, &samples_fops);
	return 0;
}

static void __exit irqlat_exit(void)
{
	debugfs_remove(directory);
	release();
}

module_init(irqlat_init);
module_exit(irqlat_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Latency of interrupts from the timer's compare value");
