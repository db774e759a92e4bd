/* USB devices by usbfs, as libusb uses it: a storage device, a tablet and a sound card that QEMU emulates. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <linux/usbdevice_fs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static long number(const char *device, const char *file, int base)
{
	char path[300], text[32] = "";
	snprintf(path, sizeof path, "/sys/bus/usb/devices/%s/%s", device, file);
	FILE *from = fopen(path, "r");
	if (from == NULL)
		return -1;
	if (fgets(text, sizeof text, from) == NULL)
		*text = '\0';
	fclose(from);
	return strtol(text, NULL, base);
}

static int open_device(long vendor, long product)
{
	DIR *devices = opendir("/sys/bus/usb/devices");
	for (struct dirent *entry; devices != NULL && (entry = readdir(devices)) != NULL;)
		if (number(entry->d_name, "idVendor", 16) == vendor && number(entry->d_name, "idProduct", 16) == product) {
			char path[64];
			snprintf(path, sizeof path, "/dev/bus/usb/%03ld/%03ld", number(entry->d_name, "busnum", 10), number(entry->d_name, "devnum", 10));
			closedir(devices);
			return open(path, O_RDWR);
		}
	printf("there is no %04lx:%04lx\n", vendor, product);
	exit(1);
}

/* Without looking for it each time. */
static int open_again(long vendor, long product)
{
	static char path[64];
	if (*path == '\0') {
		char link[32];
		int device = open_device(vendor, product);
		snprintf(link, sizeof link, "/proc/self/fd/%d", device);
		path[readlink(link, path, sizeof path - 1)] = '\0';
		close(device);
	}
	return open(path, O_RDWR);
}

static const char *said(int result)
{
	return result == 0 ? "0" : strerrorname_np(errno);
}

static void show(const char *what, const struct usbdevfs_urb *urb)
{
	printf("%s: status %d, %d of %d bytes, %d errors\n", what, urb->status, urb->actual_length, urb->buffer_length, urb->error_count);
}

static struct usbdevfs_urb *reaped(int device)
{
	struct usbdevfs_urb *urb = (void *)-1;
	int result = ioctl(device, USBDEVFS_REAPURB, &urb);
	if (result != 0)
		printf("reap: %s\n", said(result));
	return urb;
}

/* A transfer that asks for the descriptor of the device. */
struct control {
	struct usbdevfs_urb urb;
	unsigned char data[8 + 18];
};

static void ask(struct control *control)
{
	static const unsigned char setup[8] = {0x80, USB_REQ_GET_DESCRIPTOR, 0, USB_DT_DEVICE, 0, 0, 18, 0};
	memset(control, 0, sizeof *control);
	memcpy(control->data, setup, sizeof setup);
	control->urb.type = USBDEVFS_URB_TYPE_CONTROL;
	control->urb.buffer = control->data;
	control->urb.buffer_length = sizeof control->data;
	control->urb.usercontext = control;
}

static void controls(int device)
{
	struct control one;
	ask(&one);
	printf("submit: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	struct usbdevfs_urb *urb = reaped(device);
	printf("the same %d, its context %d\n", urb == &one.urb, urb->usercontext == &one);
	show("descriptor", urb);
	for (int at = 8; at < 26; at++)
		printf(" %02x", one.data[at]);
	puts("");
	/* Many at once, from the heap. */
	enum { MANY = 64 };
	struct control *many = calloc(MANY, sizeof *many);
	int submitted = 0, back = 0;
	for (int i = 0; i < MANY; i++) {
		ask(&many[i]);
		submitted += ioctl(device, USBDEVFS_SUBMITURB, &many[i].urb) == 0;
	}
	for (int i = 0; i < submitted; i++) {
		urb = reaped(device);
		struct control *of = urb->usercontext;
		back += of >= many && of < many + MANY && urb == &of->urb && urb->status == 0 && !memcmp(of->data, one.data, sizeof one.data);
		of->urb.status = -1;
	}
	printf("%d submitted, %d came back\n", submitted, back);
	printf("no more: %s\n", said(ioctl(device, USBDEVFS_REAPURBNDELAY, &urb)));
	free(many);
	/* Synchronous ones. */
	struct usbdevfs_ctrltransfer transfer = {0x80, USB_REQ_GET_DESCRIPTOR, USB_DT_DEVICE << 8, 0, 18, 1000, one.data};
	printf("control: %d\n", ioctl(device, USBDEVFS_CONTROL, &transfer));
	/* In a child that the transfer was not submitted by. */
	ask(&one);
	ioctl(device, USBDEVFS_SUBMITURB, &one.urb);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		urb = reaped(device);
		printf("in a child: %d, status %d, %d bytes\n", urb == &one.urb, urb->status, urb->actual_length);
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	printf("and in its parent: %s\n", said(ioctl(device, USBDEVFS_REAPURBNDELAY, &urb)));
}

static void mistakes(int device)
{
	struct control one;
	struct usbdevfs_urb *urb;
	printf("NULL: %s", said(ioctl(device, USBDEVFS_SUBMITURB, NULL)));
	printf(" %s\n", said(ioctl(device, USBDEVFS_REAPURBNDELAY, NULL)));
	printf("never submitted: %s\n", said(ioctl(device, USBDEVFS_DISCARDURB, &one)));
	printf("NULL: %s\n", said(ioctl(device, USBDEVFS_DISCARDURB, NULL)));
	ask(&one);
	one.urb.endpoint = 0x7f;
	printf("no such endpoint: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	ask(&one);
	one.urb.type = 9;
	printf("no such type: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	ask(&one);
	one.urb.flags = 1u << 31;
	printf("no such flag: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	ask(&one);
	one.urb.buffer = (void *)16;
	printf("no such buffer: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	ask(&one);
	one.urb.buffer_length = 4;
	printf("too short: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	ask(&one);
	printf("submit: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &one.urb)));
	printf("nowhere to: %s\n", said(ioctl(device, USBDEVFS_REAPURB, (void *)16)));
	printf("it is gone: %s\n", said(ioctl(device, USBDEVFS_REAPURBNDELAY, &urb)));
	int null = open("/dev/null", O_RDWR);
	printf("no device: %s", said(ioctl(null, USBDEVFS_SUBMITURB, &one.urb)));
	printf(" %s", said(ioctl(null, USBDEVFS_DISCARDURB, &one.urb)));
	printf(" %s\n", said(ioctl(null, USBDEVFS_REAPURB, &urb)));
	printf("closed: %s\n", said(ioctl(-1, USBDEVFS_REAPURB, &urb)));
	close(null);
}

/* An endpoint of the device, by its type and direction, from its descriptors. */
static unsigned char endpoint(int device, int type, int direction)
{
	unsigned char descriptors[4096];
	ssize_t length = pread(device, descriptors, sizeof descriptors, 0);
	for (ssize_t at = 0; at + 7 <= length && descriptors[at] != 0; at += descriptors[at])
		if (descriptors[at + 1] == USB_DT_ENDPOINT && (descriptors[at + 3] & 3) == type && (descriptors[at + 2] & 0x80) == direction)
			return descriptors[at + 2];
	puts("there is no such endpoint");
	exit(1);
}

/* A SCSI INQUIRY: a command, its data and its status, all three on their way at once. */
static void storage(void)
{
	int device = open_device(0x46f4, 0x0001);
	unsigned interface = 0;
	unsigned char out = endpoint(device, USB_ENDPOINT_XFER_BULK, 0), in = endpoint(device, USB_ENDPOINT_XFER_BULK, 0x80);
	printf("claim: %s\n", said(ioctl(device, USBDEVFS_CLAIMINTERFACE, &interface)));
	unsigned char command[31] = {'U', 'S', 'B', 'C', 1, 2, 3, 4, 36, 0, 0, 0, 0x80, 0, 6, 0x12, 0, 0, 0, 36};
	unsigned char data[64] = "", status[13] = "";
	struct usbdevfs_urb urbs[3] = {
		{.type = USBDEVFS_URB_TYPE_BULK, .endpoint = out, .buffer = command, .buffer_length = sizeof command},
		{.type = USBDEVFS_URB_TYPE_BULK, .endpoint = in, .buffer = data, .buffer_length = sizeof data},
		{.type = USBDEVFS_URB_TYPE_BULK, .endpoint = in, .buffer = status, .buffer_length = sizeof status},
	};
	for (int i = 0; i < 3; i++) {
		urbs[i].usercontext = (void *)(uintptr_t)(0x80000000u + (unsigned)i);
		printf("submit: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &urbs[i])));
	}
	for (int i = 0; i < 3; i++) {
		struct usbdevfs_urb *urb = reaped(device);
		printf("%d %d\n", (int)(urb - urbs), (int)((uintptr_t)urb->usercontext - 0x80000000u));
		show("bulk", urb);
	}
	printf("%.8s|%.16s|%.4s %02x%02x%02x%02x %d\n", data + 8, data + 16, status, status[4], status[5], status[6], status[7], status[12]);
	/* The same with calls that wait. */
	struct usbdevfs_bulktransfer bulk[3] = {{out, sizeof command, 1000, command}, {in, 36, 1000, data}, {in, sizeof status, 1000, status}};
	for (int i = 0; i < 3; i++)
		printf("bulk: %d\n", ioctl(device, USBDEVFS_BULK, &bulk[i]));
	struct usbdevfs_ioctl other = {0, USBDEVFS_DISCONNECT, NULL};
	printf("release: %s\n", said(ioctl(device, USBDEVFS_RELEASEINTERFACE, &interface)));
	printf("disconnect: %s\n", said(ioctl(device, USBDEVFS_IOCTL, &other)));
	other.ifno = 77;
	printf("no such interface: %s\n", said(ioctl(device, USBDEVFS_IOCTL, &other)));
	close(device);
}

/* One that never has anything to say. */
static void tablet(void)
{
	int device = open_device(0x0627, 0x0001);
	unsigned interface = 0;
	unsigned char report[8], in = endpoint(device, USB_ENDPOINT_XFER_INT, 0x80);
	struct usbdevfs_urb urb = {.type = USBDEVFS_URB_TYPE_INTERRUPT, .endpoint = in, .buffer = report, .buffer_length = sizeof report}, *done;
	printf("claim: %s\n", said(ioctl(device, USBDEVFS_CLAIMINTERFACE, &interface)));
	for (int i = 0; i < 3; i++) {
		printf("submit: %s", said(ioctl(device, USBDEVFS_SUBMITURB, &urb)));
		printf(", reap: %s", said(ioctl(device, USBDEVFS_REAPURBNDELAY, &done)));
		printf(", discard: %s", said(ioctl(device, USBDEVFS_DISCARDURB, &urb)));
		printf(", again: %s\n", said(ioctl(device, USBDEVFS_DISCARDURB, &urb)));
		done = reaped(device);
		printf("%d ", done == &urb);
		show("interrupt", done);
	}
	close(device);
}

/* Closed with a transfer on its way, more often than there are places for transfers, in every way of closing. */
static void closed(void)
{
	enum { TIMES = 5000 };
	static unsigned char report[8];
	static struct usbdevfs_urb urb;
	int submitted = 0, error = 0, kept;
	for (int i = 0; i < TIMES; i++) {
		int device = open_again(0x0627, 0x0001);
		urb = (struct usbdevfs_urb){.type = USBDEVFS_URB_TYPE_INTERRUPT, .endpoint = 0x81, .buffer = report, .buffer_length = sizeof report};
		unsigned interface = 0;
		ioctl(device, USBDEVFS_CLAIMINTERFACE, &interface);
		if (ioctl(device, USBDEVFS_SUBMITURB, &urb) == 0)
			submitted++;
		else
			error = errno;
		if (i % 4 == 0)
			dup2(1, device);
		else if (i % 4 == 1)
			close_range(device, device, 0);
		if (i % 4 != 1)
			close(device);
	}
	printf("closed: %d submitted, %s\n", submitted, error ? strerrorname_np(error) : "no error");
	/* One that stays open by another number. */
	int device = open_again(0x0627, 0x0001);
	unsigned interface = 0;
	struct usbdevfs_urb *done;
	ioctl(device, USBDEVFS_CLAIMINTERFACE, &interface);
	printf("submit: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, &urb)));
	kept = dup(device);
	close(device);
	printf("discard: %s\n", said(ioctl(kept, USBDEVFS_DISCARDURB, &urb)));
	done = reaped(kept);
	printf("%d ", done == &urb);
	show("kept", done);
	close(kept);
}

/* Packets at fixed times. */
static void sound(void)
{
	enum { PACKETS = 4, LENGTH = 192 };
	int device = open_device(0x46f4, 0x0002);
	unsigned interface = 1;
	struct usbdevfs_setinterface alternative = {1, 1};
	unsigned char out = endpoint(device, USB_ENDPOINT_XFER_ISOC, 0);
	printf("claim: %s", said(ioctl(device, USBDEVFS_CLAIMINTERFACE, &interface)));
	printf(", set: %s\n", said(ioctl(device, USBDEVFS_SETINTERFACE, &alternative)));
	struct usbdevfs_urb *urb = calloc(1, sizeof *urb + 129 * sizeof urb->iso_frame_desc[0]);
	unsigned char *samples = calloc(129, LENGTH);
	urb->type = USBDEVFS_URB_TYPE_ISO;
	urb->flags = USBDEVFS_URB_ISO_ASAP;
	urb->endpoint = out;
	urb->buffer = samples;
	urb->usercontext = samples;
	for (int i = 0; i < 129; i++)
		urb->iso_frame_desc[i].length = LENGTH;
	for (int packets = 0; packets <= 129; packets += 129) {
		urb->number_of_packets = packets;
		urb->buffer_length = packets * LENGTH;
		printf("%d packets: %s\n", packets, said(ioctl(device, USBDEVFS_SUBMITURB, urb)));
	}
	urb->number_of_packets = PACKETS;
	urb->buffer_length = PACKETS * LENGTH;
	for (int i = 0; i < PACKETS; i++)
		urb->iso_frame_desc[i].actual_length = urb->iso_frame_desc[i].status = 0xdead;
	printf("submit: %s\n", said(ioctl(device, USBDEVFS_SUBMITURB, urb)));
	struct usbdevfs_urb *done = reaped(device);
	printf("%d %d, status %d, %d packets\n", done == urb, done->usercontext == samples, done->status, done->number_of_packets);
	for (int i = 0; i <= PACKETS; i++)
		printf("packet %d: %u %u %u\n", i, urb->iso_frame_desc[i].length, urb->iso_frame_desc[i].actual_length, urb->iso_frame_desc[i].status);
	free(samples);
	free(urb);
	close(device);
}

enum { EACH = 100, THREADS = 3 };

static void *submit_all(void *device)
{
	struct control *controls = calloc(EACH, sizeof *controls);
	for (int i = 0; i < EACH; i++) {
		ask(&controls[i]);
		while (ioctl(*(int *)device, USBDEVFS_SUBMITURB, &controls[i].urb) != 0)
			usleep(1000);
		/* Some are too late to be stopped. */
		if (i % 3 == 0)
			ioctl(*(int *)device, USBDEVFS_DISCARDURB, &controls[i].urb);
	}
	return NULL;
}

static void threads(int device)
{
	pthread_t ids[THREADS];
	int ended = 0, wrong = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&ids[i], NULL, submit_all, &device);
	for (int i = 0; i < THREADS * EACH; i++) {
		struct usbdevfs_urb *urb = reaped(device);
		struct control *of = urb->usercontext;
		wrong += &of->urb != urb || (urb->status != 0 && urb->status != -ENOENT && urb->status != -ECONNRESET);
		ended++;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	printf("%d ended, %d wrong\n", ended, wrong);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	int device = open_device(0x46f4, 0x0001);
	controls(device);
	mistakes(device);
	threads(device);
	close(device);
	storage();
	tablet();
	closed();
	sound();
	return 0;
}
