/* A sound card without hardware (snd-dummy) by its ioctls, as alsa-lib uses them: streams, the mixer, timers, MIDI. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <sound/asound.h>

#include "said.h"

static int opened(const char *path, int flags)
{
	int fd = open(path, flags);
	printf("%s: %s\n", path, fd < 0 ? said(fd) : "open");
	if (fd < 0)
		exit(1);
	return fd;
}

static struct snd_interval *interval(struct snd_pcm_hw_params *params, int which)
{
	return &params->intervals[which - SNDRV_PCM_HW_PARAM_FIRST_INTERVAL];
}

static void any(struct snd_pcm_hw_params *params)
{
	memset(params, 0, sizeof *params);
	memset(params->masks, 0xff, sizeof params->masks);
	for (int i = SNDRV_PCM_HW_PARAM_FIRST_INTERVAL; i <= SNDRV_PCM_HW_PARAM_LAST_INTERVAL; i++)
		interval(params, i)->max = UINT32_MAX;
	params->rmask = ~0U;
	params->fifo_size = 77;
}

static void mask(struct snd_pcm_hw_params *params, int which, int value)
{
	struct snd_mask *mask = &params->masks[which - SNDRV_PCM_HW_PARAM_FIRST_MASK];
	memset(mask, 0, sizeof *mask);
	mask->bits[value / 32] = 1U << value % 32;
}

static void exact(struct snd_pcm_hw_params *params, int which, unsigned int value)
{
	struct snd_interval *one = interval(params, which);
	memset(one, 0, sizeof *one);
	one->min = one->max = value;
	one->integer = 1;
}

static void range(struct snd_pcm_hw_params *params, const char *name, int which)
{
	printf(" %s %u to %u", name, interval(params, which)->min, interval(params, which)->max);
}

static void show_params(struct snd_pcm_hw_params *params)
{
	range(params, "channels", SNDRV_PCM_HW_PARAM_CHANNELS);
	range(params, "rate", SNDRV_PCM_HW_PARAM_RATE);
	range(params, "period", SNDRV_PCM_HW_PARAM_PERIOD_SIZE);
	range(params, "buffer", SNDRV_PCM_HW_PARAM_BUFFER_SIZE);
	printf(" info %x bits %u rate %u/%u fifo %lu\n", params->info, params->msbits, params->rate_num, params->rate_den,
	       (unsigned long)params->fifo_size);
}

static void show_status(const char *what, int pcm)
{
	struct snd_pcm_status status;
	memset(&status, 0x55, sizeof status);
	int result = ioctl(pcm, SNDRV_PCM_IOCTL_STATUS, &status);
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	long age = (long)now.tv_sec - (long)status.tstamp.tv_sec;
	printf("%s: %s, state %d, application %lu, available %lu of %lu, delay %ld, over %lu, suspended %d", what, said(result), status.state,
	       (unsigned long)status.appl_ptr, (unsigned long)status.avail, (unsigned long)status.avail_max, (long)status.delay,
	       (unsigned long)status.overrange, status.suspended_state);
	printf(", now %d\n", (age >= 0 && age < 60 && status.tstamp.tv_nsec < 1000000000) || status.tstamp.tv_sec == 0);
}

static int set_up(int pcm, int access, struct snd_pcm_hw_params *params)
{
	any(params);
	mask(params, SNDRV_PCM_HW_PARAM_ACCESS, access);
	mask(params, SNDRV_PCM_HW_PARAM_FORMAT, SNDRV_PCM_FORMAT_S16_LE);
	exact(params, SNDRV_PCM_HW_PARAM_CHANNELS, 2);
	exact(params, SNDRV_PCM_HW_PARAM_RATE, 48000);
	exact(params, SNDRV_PCM_HW_PARAM_PERIOD_SIZE, 1024);
	exact(params, SNDRV_PCM_HW_PARAM_BUFFER_SIZE, 8192);
	return ioctl(pcm, SNDRV_PCM_IOCTL_HW_PARAMS, params);
}

static void software(const char *what, int pcm, unsigned long start, unsigned long stop, unsigned long silence)
{
	struct snd_pcm_sw_params params;
	memset(&params, 0, sizeof params);
	params.tstamp_mode = SNDRV_PCM_TSTAMP_ENABLE;
	params.period_step = 1;
	params.avail_min = 1024;
	params.start_threshold = start;
	params.stop_threshold = stop;
	params.silence_size = silence;
	params.proto = SNDRV_PCM_VERSION;
	params.tstamp_type = SNDRV_PCM_TSTAMP_TYPE_MONOTONIC;
	params.boundary = 99;
	int result = ioctl(pcm, SNDRV_PCM_IOCTL_SW_PARAMS, &params);
	/* As large as a long can hold. */
	unsigned long boundary = 8192;
	while (boundary * 2 <= (unsigned long)(~0UL >> 1) - 8192)
		boundary *= 2;
	printf("%s: %s, the boundary %s\n", what, said(result), params.boundary == boundary ? "is right" : params.boundary == 99 ? "is not there" : "is wrong");
}

/* What is asked is not set. */
static void synchronise(const char *what, int pcm, unsigned int flags, unsigned long application, unsigned long minimum)
{
	struct snd_pcm_sync_ptr at;
	memset(&at, 0x55, sizeof at);
	at.flags = flags;
	at.c.control.appl_ptr = application;
	at.c.control.avail_min = minimum;
	int result = ioctl(pcm, SNDRV_PCM_IOCTL_SYNC_PTR, &at);
	if (result < 0)
		printf("%s: %s\n", what, said(result));
	else
		printf("%s: state %d, suspended %d, application %lu, minimum %lu, hardware %s\n", what, at.s.status.state,
		       at.s.status.suspended_state, (unsigned long)at.c.control.appl_ptr, (unsigned long)at.c.control.avail_min,
		       at.s.status.hw_ptr <= at.c.control.appl_ptr ? "behind" : "ahead");
}

static void play(void)
{
	int pcm = opened("/dev/snd/pcmC0D0p", O_RDWR);
	struct snd_pcm_info info;
	int result = ioctl(pcm, SNDRV_PCM_IOCTL_INFO, &info);
	printf("info: %s, %s, %s, %u\n", said(result), info.id, info.name, info.subdevices_count);
	show_status("not set up", pcm);
	software("not set up", pcm, 1, 8192, 0);
	int16_t sound[2 * 8192];
	for (int i = 0; i < 2 * 8192; i++)
		sound[i] = i;
	struct snd_xferi some = {77, sound, 100};
	result = ioctl(pcm, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &some);
	printf("not set up: %s\n", said(result));
	struct snd_pcm_hw_params params;
	any(&params);
	result = ioctl(pcm, SNDRV_PCM_IOCTL_HW_REFINE, &params);
	printf("all: %s", said(result));
	show_params(&params);
	any(&params);
	exact(&params, SNDRV_PCM_HW_PARAM_RATE, 1);
	printf("too slow: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_HW_REFINE, &params)));
	printf("nowhere: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_HW_PARAMS, nowhere)));
	result = set_up(pcm, SNDRV_PCM_ACCESS_RW_INTERLEAVED, &params);
	printf("set up: %s", said(result));
	show_params(&params);
	software("on demand", pcm, 4096, 8192, 0);
	software("silence in between", pcm, 4096, 8192, 16384);
	software("starts late", pcm, 4096, ~0UL >> 1, 0);
	struct snd_pcm_channel_info channel = {.channel = 1};
	result = ioctl(pcm, SNDRV_PCM_IOCTL_CHANNEL_INFO, &channel);
	printf("channel: %s, %ld, %u, %u\n", said(result), (long)channel.offset, channel.first, channel.step);
	channel.channel = 9;
	printf("no channel: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_CHANNEL_INFO, &channel)));
	printf("prepare: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_PREPARE)));
	show_status("prepared", pcm);
	some.frames = 3000;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &some);
	printf("written: %s, %ld\n", said(result), (long)some.result);
	show_status("not started", pcm);
	long delay = 0x55;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_DELAY, &delay);
	printf("delay: %s, %ld\n", said(result), delay);
	synchronise("asked", pcm, SNDRV_PCM_SYNC_PTR_APPL | SNDRV_PCM_SYNC_PTR_AVAIL_MIN, 1, 1);
	synchronise("with the hardware", pcm, SNDRV_PCM_SYNC_PTR_HWSYNC | SNDRV_PCM_SYNC_PTR_APPL | SNDRV_PCM_SYNC_PTR_AVAIL_MIN, 1, 1);
	synchronise("set", pcm, 0, 2500, 2048);
	synchronise("beyond", pcm, 0, ~0UL, 2048);
	synchronise("asked again", pcm, SNDRV_PCM_SYNC_PTR_APPL | SNDRV_PCM_SYNC_PTR_AVAIL_MIN, 1, 1);
	unsigned long back = 500;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_REWIND, &back);
	printf("rewind: %s, %ld\n", said(result), (long)back);
	back = 100000;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_REWIND, &back);
	printf("rewind all: %s, %ld\n", said(result), (long)back);
	unsigned long ahead = 200;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_FORWARD, &ahead);
	printf("forward: %s, %ld\n", said(result), (long)ahead);
	show_status("moved", pcm);
	struct snd_xferi bad = {77, nowhere, 100};
	result = ioctl(pcm, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &bad);
	printf("from nowhere: %s\n", said(result));
	printf("nowhere: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_WRITEI_FRAMES, nowhere)));
	/* The pages with the positions are for 64-bit programs, and ALSA does without them. */
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, pcm, SNDRV_PCM_MMAP_OFFSET_STATUS);
	printf("status page: %d\n", sizeof(long) == 8 ? page != MAP_FAILED : page == MAP_FAILED && errno == ENXIO);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, pcm, SNDRV_PCM_MMAP_OFFSET_CONTROL);
	printf("control page: %d\n", sizeof(long) == 8 ? page != MAP_FAILED : page == MAP_FAILED && errno == ENXIO);
	/* Played to the end. */
	printf("prepare: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_PREPARE)));
	some.frames = 5000;
	some.result = 77;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &some);
	printf("written: %s, %ld\n", said(result), (long)some.result);
	some.frames = 8192;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &some);
	printf("written, and waited: %s, %ld\n", said(result), (long)some.result);
	printf("drain: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_DRAIN)));
	struct snd_pcm_status status;
	memset(&status, 0, sizeof status);
	status.audio_tstamp_data = 1;
	result = ioctl(pcm, SNDRV_PCM_IOCTL_STATUS_EXT, &status);
	printf("drained: %s, state %d, application %lu\n", said(result), status.state, (unsigned long)status.appl_ptr);
	printf("free: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_HW_FREE)));
	/* A buffer for each channel, which the card has not. */
	printf("separate: %s\n", said(set_up(pcm, SNDRV_PCM_ACCESS_RW_NONINTERLEAVED, &params)));
	printf("set up: %s\n", said(set_up(pcm, SNDRV_PCM_ACCESS_RW_INTERLEAVED, &params)));
	printf("prepare: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_PREPARE)));
	void *both[2] = {sound, sound + 8192};
	struct snd_xfern apart = {77, both, 4000};
	result = ioctl(pcm, SNDRV_PCM_IOCTL_WRITEN_FRAMES, &apart);
	printf("written apart: %s\n", said(result));
	printf("drop: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_DROP)));
	close(pcm);
}

static void record(void)
{
	int pcm = opened("/dev/snd/pcmC0D0c", O_RDWR);
	struct snd_pcm_hw_params params;
	int result = set_up(pcm, SNDRV_PCM_ACCESS_RW_INTERLEAVED, &params);
	printf("set up: %s\n", said(result));
	software("at once", pcm, 1, 8192, 0);
	printf("prepare: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_PREPARE)));
	int16_t sound[2 * 1024];
	struct snd_xferi some = {77, sound, 1000};
	result = ioctl(pcm, SNDRV_PCM_IOCTL_READI_FRAMES, &some);
	printf("read: %s, %ld\n", said(result), (long)some.result);
	synchronise("read", pcm, SNDRV_PCM_SYNC_PTR_APPL | SNDRV_PCM_SYNC_PTR_AVAIL_MIN, 1, 1);
	printf("drop: %s\n", said(ioctl(pcm, SNDRV_PCM_IOCTL_DROP)));
	close(pcm);
}

static void show_element(int control, struct snd_ctl_elem_id id)
{
	struct snd_ctl_elem_info info;
	memset(&info, 0, sizeof info);
	info.id = id;
	int result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_INFO, &info);
	printf("%s: %s, type %d, access %x, %u values", info.id.name, said(result), info.type, info.access, info.count);
	if (info.type == SNDRV_CTL_ELEM_TYPE_INTEGER || info.type == SNDRV_CTL_ELEM_TYPE_BOOLEAN)
		printf(", %ld to %ld by %ld", info.value.integer.min, info.value.integer.max, info.value.integer.step);
	if (info.type == SNDRV_CTL_ELEM_TYPE_INTEGER64)
		printf(", %lld to %lld by %lld", info.value.integer64.min, info.value.integer64.max, info.value.integer64.step);
	if (info.type == SNDRV_CTL_ELEM_TYPE_ENUMERATED)
		printf(", %u is %s of %u", info.value.enumerated.item, info.value.enumerated.name, info.value.enumerated.items);
	puts("");
}

static void change(int control, struct snd_ctl_elem_id id, long one, long two)
{
	struct snd_ctl_elem_value value;
	memset(&value, 0, sizeof value);
	value.id = id;
	value.value.integer.value[0] = one;
	value.value.integer.value[1] = two;
	int result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_WRITE, &value);
	printf("write %ld %ld: %s\n", one, two, said(result));
	memset(&value, 0x55, sizeof value);
	value.id = id;
	value.indirect = 0;
	memset((char *)&value + sizeof id, 0, sizeof(int));
	result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_READ, &value);
	printf("read: %s", said(result));
	if (result == 0)
		printf(", %ld %ld", value.value.integer.value[0], value.value.integer.value[1]);
	puts("");
}

static struct snd_ctl_elem_id named(const char *name)
{
	struct snd_ctl_elem_id id;
	memset(&id, 0, sizeof id);
	id.iface = SNDRV_CTL_ELEM_IFACE_MIXER;
	strcpy((char *)id.name, name);
	return id;
}

static void mixer(void)
{
	int control = opened("/dev/snd/controlC0", O_RDWR);
	struct snd_ctl_elem_id ids[64];
	struct snd_ctl_elem_list list;
	memset(&list, 0, sizeof list);
	list.space = 64;
	list.pids = ids;
	int result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_LIST, &list);
	printf("elements: %s, %u of %u\n", said(result), list.used, list.count);
	for (unsigned int i = 0; i < list.used; i++)
		show_element(control, ids[i]);
	change(control, named("Master Volume"), 55, -7);
	change(control, named("Master Volume"), 1000, -1000);
	change(control, named("Master Capture Switch"), 1, 0);
	change(control, named("No Such Volume"), 1, 0);
	struct snd_ctl_elem_value value;
	memset(&value, 0, sizeof value);
	value.id = named("Master Volume");
	memset((char *)&value + sizeof value.id, 1, 1);
	result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_READ, &value);
	/* The kernel looks at this of 32-bit programs only. */
	printf("indirect: %d\n", sizeof(long) == 8 ? result == 0 : result < 0 && errno == EINVAL);
	printf("nowhere: %s %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_READ, nowhere)), said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_INFO, nowhere)));
	/* Elements of one's own, of every kind. */
	struct snd_ctl_elem_info own;
	memset(&own, 0, sizeof own);
	own.id = named("Own Numbers");
	own.type = SNDRV_CTL_ELEM_TYPE_INTEGER;
	own.access = SNDRV_CTL_ELEM_ACCESS_READWRITE;
	own.count = 2;
	own.value.integer.min = -20;
	own.value.integer.max = 20;
	own.value.integer.step = 2;
	printf("add: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_ADD, &own)));
	own.value.integer.max = 30;
	printf("replace: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_REPLACE, &own)));
	show_element(control, own.id);
	change(control, own.id, -18, 30);
	memset(&own, 0, sizeof own);
	own.id = named("Own Large");
	own.type = SNDRV_CTL_ELEM_TYPE_INTEGER64;
	own.access = SNDRV_CTL_ELEM_ACCESS_READWRITE;
	own.count = 3;
	own.value.integer64.min = -5000000000;
	own.value.integer64.max = 5000000000;
	own.value.integer64.step = 1;
	printf("add large: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_ADD, &own)));
	show_element(control, own.id);
	memset(&value, 0, sizeof value);
	value.id = own.id;
	for (int i = 0; i < 3; i++)
		value.value.integer64.value[i] = 4000000000 + i;
	printf("write: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_WRITE, &value)));
	memset(&value.value, 0, sizeof value.value);
	result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_READ, &value);
	printf("read: %s, %lld %lld %lld\n", said(result), value.value.integer64.value[0], value.value.integer64.value[1],
	       value.value.integer64.value[2]);
	static const char names[] = "low\0middle\0high";
	memset(&own, 0, sizeof own);
	own.id = named("Own Choice");
	own.type = SNDRV_CTL_ELEM_TYPE_ENUMERATED;
	own.access = SNDRV_CTL_ELEM_ACCESS_READWRITE;
	own.count = 1;
	own.value.enumerated.items = 3;
	own.value.enumerated.names_ptr = (uintptr_t)names;
	own.value.enumerated.names_length = sizeof names;
	printf("add choice: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_ADD, &own)));
	for (unsigned int item = 0; item < 4; item++) {
		struct snd_ctl_elem_info info;
		memset(&info, 0, sizeof info);
		info.id = own.id;
		info.value.enumerated.item = item;
		result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_INFO, &info);
		printf("%u: %s, %s of %u\n", item, said(result), info.value.enumerated.name, info.value.enumerated.items);
	}
	memset(&value, 0, sizeof value);
	value.id = own.id;
	value.value.enumerated.item[0] = 2;
	printf("write: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_WRITE, &value)));
	memset(&value.value, 0, sizeof value.value);
	result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_READ, &value);
	printf("read: %s, %u\n", said(result), value.value.enumerated.item[0]);
	memset(&own, 0, sizeof own);
	own.id = named("Own Bytes");
	own.type = SNDRV_CTL_ELEM_TYPE_BYTES;
	own.access = SNDRV_CTL_ELEM_ACCESS_READWRITE;
	own.count = 300;
	printf("add bytes: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_ADD, &own)));
	memset(&value, 0, sizeof value);
	value.id = own.id;
	for (int i = 0; i < 300; i++)
		value.value.bytes.data[i] = i * 7;
	printf("write: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_WRITE, &value)));
	memset(&value.value, 0, sizeof value.value);
	result = ioctl(control, SNDRV_CTL_IOCTL_ELEM_READ, &value);
	printf("read: %s, %u %u\n", said(result), value.value.bytes.data[1], value.value.bytes.data[299]);
	const char *const added[] = {"Own Numbers", "Own Large", "Own Choice", "Own Bytes"};
	for (int i = 0; i < 4; i++) {
		struct snd_ctl_elem_id id = named(added[i]);
		printf("remove: %s\n", said(ioctl(control, SNDRV_CTL_IOCTL_ELEM_REMOVE, &id)));
	}
	close(control);
}

static void timers(void)
{
	int timer = opened("/dev/snd/timer", O_RDONLY);
	struct snd_timer_select select;
	memset(&select, 0, sizeof select);
	select.id.dev_class = SNDRV_TIMER_CLASS_GLOBAL;
	select.id.dev_sclass = SNDRV_TIMER_SCLASS_NONE;
	select.id.device = SNDRV_TIMER_GLOBAL_SYSTEM;
	struct snd_timer_info info;
	printf("not chosen: %s\n", said(ioctl(timer, SNDRV_TIMER_IOCTL_INFO, &info)));
	printf("choose: %s\n", said(ioctl(timer, SNDRV_TIMER_IOCTL_SELECT, &select)));
	memset(&info, 0x55, sizeof info);
	int result = ioctl(timer, SNDRV_TIMER_IOCTL_INFO, &info);
	printf("info: %s, %x, %d, %s, %s, %lu\n", said(result), info.flags, info.card, info.id, info.name, info.resolution);
	struct snd_timer_params params;
	memset(&params, 0, sizeof params);
	params.flags = SNDRV_TIMER_PSFLG_AUTO;
	params.ticks = 1;
	params.queue_size = 32;
	params.filter = 1 << SNDRV_TIMER_EVENT_TICK;
	printf("parameters: %s\n", said(ioctl(timer, SNDRV_TIMER_IOCTL_PARAMS, &params)));
	struct snd_timer_status status;
	memset(&status, 0x55, sizeof status);
	result = ioctl(timer, SNDRV_TIMER_IOCTL_STATUS, &status);
	/* The kernel has another number in mind for 32-bit programs. */
	printf("status: %d\n", sizeof(long) == 8 ? result == 0 && status.queue == 0 : result < 0 && errno == ENOTTY);
	struct snd_timer_ginfo global;
	memset(&global, 0, sizeof global);
	global.tid = select.id;
	result = ioctl(timer, SNDRV_TIMER_IOCTL_GINFO, &global);
	printf("of any: %d\n", sizeof(long) == 8 ? result == 0 : result < 0 && errno == ENOTTY);
	struct snd_timer_gparams period;
	memset(&period, 0, sizeof period);
	period.tid = select.id;
	period.period_num = 1;
	period.period_den = 1000;
	printf("period: %s\n", said(ioctl(timer, SNDRV_TIMER_IOCTL_GPARAMS, &period)));
	printf("start: %s\n", said(ioctl(timer, SNDRV_TIMER_IOCTL_START)));
	struct snd_timer_read tick;
	result = read(timer, &tick, sizeof tick);
	printf("tick: %s, %d\n", said(result), tick.ticks > 0);
	printf("stop: %s\n", said(ioctl(timer, SNDRV_TIMER_IOCTL_STOP)));
	close(timer);
}

static void midi(void)
{
	int port = opened("/dev/snd/midiC1D0", O_RDWR | O_NONBLOCK);
	struct snd_rawmidi_params params;
	memset(&params, 0, sizeof params);
	params.stream = SNDRV_RAWMIDI_STREAM_OUTPUT;
	params.buffer_size = 8192;
	params.avail_min = 64;
	params.no_active_sensing = 1;
	printf("parameters: %s\n", said(ioctl(port, SNDRV_RAWMIDI_IOCTL_PARAMS, &params)));
	params.buffer_size = 1;
	printf("too small: %s\n", said(ioctl(port, SNDRV_RAWMIDI_IOCTL_PARAMS, &params)));
	struct snd_rawmidi_status status;
	memset(&status, 0, sizeof status);
	status.stream = SNDRV_RAWMIDI_STREAM_OUTPUT;
	int result = ioctl(port, SNDRV_RAWMIDI_IOCTL_STATUS, &status);
	printf("status: %s, %zu, %zu over\n", said(result), (size_t)status.avail, (size_t)status.xruns);
	status.stream = SNDRV_RAWMIDI_STREAM_INPUT;
	result = ioctl(port, SNDRV_RAWMIDI_IOCTL_STATUS, &status);
	printf("status: %s, %zu, %zu over\n", said(result), (size_t)status.avail, (size_t)status.xruns);
	status.stream = 7;
	printf("no stream: %s\n", said(ioctl(port, SNDRV_RAWMIDI_IOCTL_STATUS, &status)));
	close(port);
}

int main(void)
{
	play();
	record();
	mixer();
	timers();
	midi();
	return 0;
}
