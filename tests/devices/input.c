/* Events of an input device: uinput makes one, evdev reads it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EVENT ((long)sizeof(struct input_event))

/* Where nothing is, and the compiler does not know. */
static void *volatile nowhere = (void *)16;

/* What a call returned, in events and bytes left over, since their size is not that of the other word size. */
static const char *events(long result)
{
	static char text[4][64];
	static int next;
	char *to = text[next++ % 4];
	if (result < 0)
		snprintf(to, sizeof *text, "%s", strerrorname_np(errno));
	else
		snprintf(to, sizeof *text, "%ld events and %ld bytes", result / EVENT, result % EVENT);
	return to;
}

static struct input_event event(int type, int code, int value)
{
	struct input_event event;
	memset(&event, 0, sizeof event);
	event.type = type;
	event.code = code;
	event.value = value;
	return event;
}

static void show(const struct input_event *event, int count)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	for (int i = 0; i < count; i++) {
		long age = (long)(uint32_t)now.tv_sec - (long)(uint32_t)event[i].input_event_sec;
		printf(" %d/%d/%d%s", event[i].type, event[i].code, event[i].value,
		       age >= 0 && age < 60 && event[i].input_event_usec < 1000000 ? "" : " at a wrong time");
	}
	puts("");
}

static int open_event_device(int uinput)
{
	char name[32] = "", path[320];
	if (ioctl(uinput, UI_GET_SYSNAME(sizeof name), name) < 0) {
		printf("no name: %s\n", strerrorname_np(errno));
		exit(1);
	}
	snprintf(path, sizeof path, "/sys/devices/virtual/input/%s", name);
	DIR *directory = opendir(path);
	for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
		if (!strncmp(entry->d_name, "event", 5)) {
			snprintf(path, sizeof path, "/dev/input/%s", entry->d_name);
			int fd = open(path, O_RDWR | O_NONBLOCK);
			if (fd < 0)
				printf("%s: %s\n", path, strerrorname_np(errno));
			closedir(directory);
			return fd;
		}
	printf("%s has no event device\n", path);
	exit(1);
}

static void choose(int uinput)
{
	ioctl(uinput, UI_SET_EVBIT, EV_KEY);
	ioctl(uinput, UI_SET_KEYBIT, KEY_A);
	ioctl(uinput, UI_SET_KEYBIT, KEY_B);
	ioctl(uinput, UI_SET_EVBIT, EV_REL);
	ioctl(uinput, UI_SET_RELBIT, REL_X);
	ioctl(uinput, UI_SET_RELBIT, REL_Y);
	ioctl(uinput, UI_SET_EVBIT, EV_ABS);
	ioctl(uinput, UI_SET_ABSBIT, ABS_X);
	ioctl(uinput, UI_SET_EVBIT, EV_LED);
	ioctl(uinput, UI_SET_LEDBIT, LED_CAPSL);
}

static int make(void)
{
	int uinput = open("/dev/uinput", O_RDWR | O_NONBLOCK);
	if (uinput < 0) {
		printf("/dev/uinput: %s\n", strerrorname_np(errno));
		exit(1);
	}
	choose(uinput);
	struct uinput_setup setup = {.id = {BUS_VIRTUAL, 0x1234, 0x5678, 9}, .name = "made", .ff_effects_max = 0};
	struct uinput_abs_setup axis = {.code = ABS_X, .absinfo = {.minimum = -100, .maximum = 100, .fuzz = 0, .flat = 3}};
	if (ioctl(uinput, UI_ABS_SETUP, &axis) || ioctl(uinput, UI_DEV_SETUP, &setup) || ioctl(uinput, UI_DEV_CREATE)) {
		printf("not made: %s\n", strerrorname_np(errno));
		exit(1);
	}
	return uinput;
}

static void press(int uinput, int key, int value)
{
	struct input_event both[2] = {event(EV_KEY, key, value), event(EV_SYN, SYN_REPORT, 0)};
	printf("press %d/%d: %s\n", key, value, events(write(uinput, both, sizeof both)));
}

/* What is there to be read. */
static void drain(const char *what, int device)
{
	struct input_event got[64];
	long result = read(device, got, sizeof got);
	printf("%s: %s", what, events(result));
	show(got, result < 0 ? 0 : result / EVENT);
}

static void whole(int uinput, int device)
{
	struct input_event many[5] = {event(EV_KEY, KEY_A, 1), event(EV_REL, REL_X, -7), event(EV_ABS, ABS_X, 55), event(EV_SYN, SYN_REPORT, 0)};
	printf("write: %s\n", events(write(uinput, many, 4 * EVENT)));
	struct pollfd ready = {device, POLLIN, 0};
	int polled = poll(&ready, 1, 1000);
	printf("poll: %d %x\n", polled, ready.revents);
	drain("all", device);
	drain("nothing", device);
	polled = poll(&ready, 1, 0);
	printf("poll: %d\n", polled);
	/* Room for one and a half, and for none. */
	press(uinput, KEY_A, 0);
	char some[100];
	printf("too small: %s\n", events(read(device, some, EVENT - 1)));
	printf("a byte: %s\n", events(read(device, some, 1)));
	printf("nothing asked for: %s\n", events(read(device, some, 0)));
	memset(some, 0x55, sizeof some);
	long result = read(device, some, EVENT + 7);
	printf("one and a half: %s", events(result));
	struct input_event one;
	memcpy(&one, some, sizeof one);
	show(&one, 1);
	int touched = 0;
	for (long at = EVENT; at < (long)sizeof some; at++)
		touched += some[at] != 0x55;
	printf("behind it: %d\n", touched);
	drain("the rest", device);
	printf("nothing asked for of nothing: %s\n", events(read(device, some, 0)));
	printf("written too small: %s\n", events(write(uinput, many, EVENT - 1)));
	printf("nothing written: %s\n", events(write(uinput, many, 0)));
	printf("written one and a half: %s\n", events(write(uinput, many, EVENT + EVENT / 2)));
	printf("device written too small: %s\n", events(write(device, many, EVENT - 1)));
	drain("half a packet", device);
	many[0] = event(EV_SYN, SYN_REPORT, 0);
	write(uinput, many, EVENT);
	drain("its end", device);
}

static void pieces(int uinput, int device)
{
	struct input_event out[4] = {event(EV_REL, REL_X, 1), event(EV_REL, REL_Y, 2), event(EV_KEY, KEY_B, 1), event(EV_SYN, SYN_REPORT, 0)};
	struct iovec from[4] = {{out, EVENT}, {NULL, 0}, {out + 1, 2 * EVENT}, {out + 3, EVENT}};
	printf("writev: %s\n", events(writev(uinput, from, 4)));
	struct input_event in[8];
	memset(in, 0, sizeof in);
	struct iovec to[3] = {{in, EVENT}, {in + 1, EVENT + 5}, {in + 4, 4 * EVENT}};
	long result = readv(device, to, 3);
	printf("readv: %s", events(result));
	show(in, 2);
	drain("after it", device);
	printf("readv of nothing: %s\n", events(readv(device, to, 3)));
	struct iovec empty[2] = {{NULL, 0}, {in, 0}};
	printf("readv to nowhere: %s\n", events(readv(device, empty, 2)));
	printf("readv, no array: %s\n", events(readv(device, nowhere, 2)));
	printf("readv, none: %s\n", events(readv(device, to, 0)));
	struct iovec negative[2] = {{in, EVENT}, {in, (size_t)-1}};
	printf("readv, negative: %s\n", events(readv(device, negative, 2)));
	struct iovec small[2] = {{in, EVENT - 1}, {in, EVENT}};
	printf("readv, too small: %s\n", events(readv(device, small, 2)));
	press(uinput, KEY_B, 0);
	printf("preadv2: %s", events(preadv2(device, to, 1, -1, 0)));
	show(in, 1);
	printf("preadv2, flags: %s\n", events(preadv2(device, to, 1, -1, RWF_NOWAIT)));
	printf("pread: %s\n", events(pread(device, in, sizeof in, 0)));
	printf("pwrite: %s\n", events(pwrite(uinput, out, EVENT, 0)));
	drain("left", device);
}

static void bad(int uinput, int device)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + 4096, 4096, PROT_NONE);
	printf("write nowhere: %s\n", events(write(uinput, nowhere, 4 * EVENT)));
	struct input_event two[2] = {event(EV_KEY, KEY_A, 1), event(EV_SYN, SYN_REPORT, 0)};
	memcpy(page + 4096 - 2 * EVENT - 3, two, sizeof two);
	printf("write to the end of memory: %s\n", events(write(uinput, page + 4096 - 2 * EVENT - 3, 4 * EVENT)));
	drain("what was before it", device);
	press(uinput, KEY_A, 0);
	printf("read to nowhere: %s\n", events(read(device, nowhere, EVENT)));
	drain("after it", device);
	int reader = open("/dev/null", O_WRONLY);
	printf("not for reading: %s\n", events(read(reader, page, EVENT)));
	close(reader);
	printf("closed: %s\n", events(read(reader, page, EVENT)));
	munmap(page, 8192);
}

static void nothing(int signal)
{
	(void)signal;
}

static void waits(int uinput, int device)
{
	fcntl(device, F_SETFL, 0);
	struct sigaction action = {.sa_handler = nothing};
	sigaction(SIGALRM, &action, NULL);
	struct itimerval soon = {{0, 0}, {0, 50000}};
	setitimer(ITIMER_REAL, &soon, NULL);
	drain("interrupted", device);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		drain("a child waits", device);
		fflush(stdout);
		_exit(0);
	}
	usleep(100000);
	struct input_event both[2] = {event(EV_KEY, KEY_A, 1), event(EV_SYN, SYN_REPORT, 0)};
	long result = write(uinput, both, sizeof both);
	waitpid(child, NULL, 0);
	printf("pressed: %s\n", events(result));
	press(uinput, KEY_A, 0);
	drain("all of it", device);
	fcntl(device, F_SETFL, O_NONBLOCK);
}

/* Another program reads, which asks nothing before. */
static void executed(const char *program, int uinput, int device)
{
	press(uinput, KEY_B, 1);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		char number[16];
		snprintf(number, sizeof number, "%d", device);
		execl(program, program, "read", number, (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	press(uinput, KEY_B, 0);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(device, 0);
		execl(program, program, "read", "0", (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	drain("left", device);
}

/* One process makes a device, and another that has opened nothing gets its descriptor. */
static void received(void)
{
	int pair[2];
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} control;
	memset(&control, 0, sizeof control);
	char byte = 0;
	struct iovec one = {&byte, 1};
	struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		int descriptors[2];
		descriptors[1] = make();
		descriptors[0] = open_event_device(descriptors[1]);
		press(descriptors[1], KEY_A, 1);
		fflush(stdout);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof descriptors);
		memcpy(CMSG_DATA(&control.head), descriptors, sizeof descriptors);
		sendmsg(pair[1], &message, 0);
		_exit(0);
	}
	recvmsg(pair[0], &message, 0);
	int descriptors[2];
	memcpy(descriptors, CMSG_DATA(&control.head), sizeof descriptors);
	waitpid(child, NULL, 0);
	drain("received", descriptors[0]);
	close(descriptors[0]);
	close(descriptors[1]);
	close(pair[0]);
	close(pair[1]);
}

static void asked(int device)
{
	struct input_id id;
	int version = 0, result = ioctl(device, EVIOCGVERSION, &version);
	printf("version: %d %d\n", result, version);
	result = ioctl(device, EVIOCGID, &id);
	printf("id: %d %x %x %x %x\n", result, id.bustype, id.vendor, id.product, id.version);
	char name[64] = "";
	result = ioctl(device, EVIOCGNAME(sizeof name), name);
	printf("name: %d %s\n", result, name);
	unsigned char bits[8] = {0};
	result = ioctl(device, EVIOCGBIT(0, sizeof bits), bits);
	printf("kinds: %d %02x %02x %02x %02x\n", result == sizeof(long), bits[0], bits[1], bits[2], bits[3]);
	/* In longs, as many as there is room for. */
	memset(bits, 0x55, sizeof bits);
	result = ioctl(device, EVIOCGBIT(EV_REL, 3), bits);
	printf("3 bytes: %d %02x %02x\n", result, bits[0], bits[3]);
	unsigned char keys[KEY_CNT / 8];
	result = ioctl(device, EVIOCGBIT(EV_KEY, sizeof keys), keys);
	printf("keys: %d %02x\n", result, keys[KEY_A / 8]);
	struct input_absinfo axis;
	result = ioctl(device, EVIOCGABS(ABS_X), &axis);
	printf("axis: %d %d, %d to %d, %d\n", result, axis.value, axis.minimum, axis.maximum, axis.flat);
	memset(bits, 0, sizeof bits);
	result = ioctl(device, EVIOCGKEY(sizeof bits), bits);
	printf("keys: %d %02x\n", result, bits[3]);
	int clock = CLOCK_MONOTONIC;
	printf("clock: %d\n", ioctl(device, EVIOCSCLOCKID, &clock));
}

/* The time is of the clock that was asked for. */
static void monotonic(int uinput, int device)
{
	struct input_event two[2];
	struct timespec now;
	press(uinput, KEY_A, 1);
	long result = read(device, two, sizeof two);
	clock_gettime(CLOCK_MONOTONIC, &now);
	long age = (long)now.tv_sec - (long)two[0].input_event_sec;
	printf("monotonic: %s, %d\n", events(result), age >= 0 && age < 60);
}

/* Lamps go the other way. */
static void lamps(int uinput, int device)
{
	struct input_event lamp[2] = {event(EV_LED, LED_CAPSL, 1), event(EV_SYN, SYN_REPORT, 0)};
	printf("lamp: %s\n", events(write(device, lamp, sizeof lamp)));
	struct input_event got[4];
	long result = read(uinput, got, sizeof got);
	printf("its device: %s", events(result));
	for (long i = 0; i * EVENT < result; i++)
		printf(" %d/%d/%d", got[i].type, got[i].code, got[i].value);
	puts("");
	printf("no more: %s\n", events(read(uinput, got, sizeof got)));
	printf("too small: %s\n", events(read(uinput, got, EVENT - 1)));
}

/* As it was done before Linux 4.5. */
static void legacy(void)
{
	int uinput = open("/dev/uinput", O_RDWR | O_NONBLOCK);
	choose(uinput);
	struct uinput_user_dev user;
	memset(&user, 0, sizeof user);
	strcpy(user.name, "legacy");
	user.id.vendor = 0x4321;
	user.absmin[ABS_X] = -5;
	user.absmax[ABS_X] = 5;
	printf("%zu bytes\n", sizeof user);
	long result = write(uinput, &user, sizeof user - 1);
	printf("too small: %ld %s\n", result, strerrorname_np(errno));
	result = write(uinput, &user, sizeof user);
	printf("described: %ld\n", result);
	struct input_event early = event(EV_SYN, SYN_REPORT, 0);
	result = write(uinput, &early, sizeof early);
	printf("too early: %ld %s\n", result, strerrorname_np(errno));
	struct input_event got;
	result = read(uinput, &got, sizeof got);
	printf("read too early: %ld %s\n", result, strerrorname_np(errno));
	printf("made: %d\n", ioctl(uinput, UI_DEV_CREATE));
	int device = open_event_device(uinput);
	struct input_absinfo axis;
	int asked = ioctl(device, EVIOCGABS(ABS_X), &axis);
	printf("axis: %d %d to %d\n", asked, axis.minimum, axis.maximum);
	/* As many bytes as a description, and now they are events. */
	struct input_event many[sizeof user / sizeof(struct input_event) + 1];
	for (size_t i = 0; i < sizeof many / sizeof *many; i++)
		many[i] = event(EV_SYN, SYN_REPORT, 0);
	many[0] = event(EV_KEY, KEY_A, 1);
	result = write(uinput, many, sizeof user);
	printf("of its size: %ld\n", result);
	drain("got", device);
	printf("destroyed: %d\n", ioctl(uinput, UI_DEV_DESTROY));
	drain("gone", device);
	printf("a byte of it: %s\n", events(read(device, &got, 1)));
	close(device);
	close(uinput);
}

/* What the device was told, to be said when all is done: the other thread goes on meanwhile. */
static char felt[1024];

static void note(const char *format, ...)
{
	va_list arguments;
	size_t length = strlen(felt);
	va_start(arguments, format);
	vsnprintf(felt + length, sizeof felt - length, format, arguments);
	va_end(arguments);
}

static void *feel(void *uinput_)
{
	int uinput = *(int *)uinput_;
	struct input_event wanted;
	while (read(uinput, &wanted, sizeof wanted) == EVENT) {
		if (wanted.type == EV_UINPUT && wanted.code == UI_FF_UPLOAD) {
			struct uinput_ff_upload upload = {.request_id = wanted.value};
			int begun = ioctl(uinput, UI_BEGIN_FF_UPLOAD, &upload);
			struct ff_effect *effect = &upload.effect;
			note("upload: %d, %x %d, %d ms, wave %x, period %d, magnitude %d, fades in %d ms, %u samples\n", begun, effect->type, effect->id,
			       effect->replay.length, effect->u.periodic.waveform, effect->u.periodic.period, effect->u.periodic.magnitude,
			       effect->u.periodic.envelope.attack_length, effect->u.periodic.custom_len);
			note("before: %x\n", upload.old.type);
			upload.retval = 0;
			note("uploaded: %d\n", ioctl(uinput, UI_END_FF_UPLOAD, &upload));
		} else if (wanted.type == EV_UINPUT && wanted.code == UI_FF_ERASE) {
			struct uinput_ff_erase erase = {.request_id = wanted.value};
			int begun = ioctl(uinput, UI_BEGIN_FF_ERASE, &erase);
			note("erase: %d, %u\n", begun, erase.effect_id);
			erase.retval = 0;
			note("erased: %d\n", ioctl(uinput, UI_END_FF_ERASE, &erase));
			break;
		} else if (wanted.type == EV_FF) {
			note("play: %d %d\n", wanted.code, wanted.value);
		}
	}
	return NULL;
}

static void force(void)
{
	int uinput = open("/dev/uinput", O_RDWR);
	ioctl(uinput, UI_SET_EVBIT, EV_FF);
	ioctl(uinput, UI_SET_FFBIT, FF_PERIODIC);
	ioctl(uinput, UI_SET_FFBIT, FF_SINE);
	struct uinput_setup setup = {.id = {BUS_VIRTUAL, 1, 2, 3}, .name = "force", .ff_effects_max = 4};
	ioctl(uinput, UI_DEV_SETUP, &setup);
	printf("force: %d\n", ioctl(uinput, UI_DEV_CREATE));
	int device = open_event_device(uinput);
	pthread_t other;
	pthread_create(&other, NULL, feel, &uinput);
	struct ff_effect effect;
	memset(&effect, 0, sizeof effect);
	effect.type = FF_PERIODIC;
	effect.id = -1;
	effect.replay.length = 300;
	effect.u.periodic.waveform = FF_SINE;
	effect.u.periodic.period = 20;
	effect.u.periodic.magnitude = -1234;
	effect.u.periodic.envelope.attack_length = 17;
	int result = ioctl(device, EVIOCSFF, &effect);
	printf("effect: %d, %d\n", result, effect.id);
	struct input_event play = event(EV_FF, effect.id, 3);
	printf("played: %s\n", events(write(device, &play, sizeof play)));
	result = ioctl(device, EVIOCRMFF, (long)effect.id);
	pthread_join(other, NULL);
	printf("removed: %d\n%s", result, felt);
	close(device);
	close(uinput);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "read")) {
		drain("executed", atoi(argv[2]));
		return 0;
	}
	received();
	int uinput = make();
	int device = open_event_device(uinput);
	whole(uinput, device);
	pieces(uinput, device);
	bad(uinput, device);
	waits(uinput, device);
	executed(argv[0], uinput, device);
	lamps(uinput, device);
	drain("lamps are read as well", device);
	asked(device);
	monotonic(uinput, device);
	close(device);
	close(uinput);
	legacy();
	force();
	return 0;
}
