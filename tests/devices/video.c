/* Cameras without hardware (vivid), one with buffers of one plane and one with buffers of several: buffers, controls, events. */
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "said.h"

#define INTEGER (V4L2_CID_USER_BASE | 0xf002)
#define INTEGER64 (V4L2_CID_USER_BASE | 0xf003)
#define STRING (V4L2_CID_USER_BASE | 0xf005)
#define ARRAY (V4L2_CID_USER_BASE | 0xf008)

enum { BUFFERS = 3, MOST = 8 };

static unsigned int type;
static int several;

static int recent(const struct timeval *time)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	long age = (long)now.tv_sec - (long)time->tv_sec;
	/* It is when the picture should have come, which may be a little later. */
	return age >= -1 && age < 60 && time->tv_usec < 1000000;
}

static void buffer(struct v4l2_buffer *one, struct v4l2_plane *planes, int index, int memory)
{
	memset(one, 0, sizeof *one);
	memset(planes, 0, MOST * sizeof *planes);
	one->type = type;
	one->memory = memory;
	one->index = index;
	if (several) {
		one->m.planes = planes;
		one->length = MOST;
	}
}

static void show(const char *what, int result, const struct v4l2_buffer *one, const struct v4l2_plane *planes)
{
	printf("%s: %s", what, said(result));
	if (result == 0) {
		printf(", index %u, flags %x, used %u, length %u", one->index, one->flags & ~V4L2_BUF_FLAG_TIMESTAMP_MASK, one->bytesused, one->length);
		for (unsigned int i = 0; several && i < one->length && i < MOST; i++)
			printf(" [%u of %u]", planes[i].bytesused, planes[i].length);
		if (several)
			printf(", planes where they were %d", one->m.planes == planes);
	}
	puts("");
}

static void format(int camera)
{
	struct v4l2_format format;
	memset(&format, 0, sizeof format);
	format.type = type;
	int result = ioctl(camera, VIDIOC_G_FMT, &format);
	printf("format: %s\n", said(result));
	if (several) {
		format.fmt.pix_mp.width = 320;
		format.fmt.pix_mp.height = 180;
		format.fmt.pix_mp.pixelformat = V4L2_PIX_FMT_NV16M;
		result = ioctl(camera, VIDIOC_S_FMT, &format);
		printf("set: %s, %ux%u, %.4s, %u planes, %u %u\n", said(result), format.fmt.pix_mp.width, format.fmt.pix_mp.height,
		       (char *)&format.fmt.pix_mp.pixelformat, format.fmt.pix_mp.num_planes, format.fmt.pix_mp.plane_fmt[0].sizeimage,
		       format.fmt.pix_mp.plane_fmt[1].sizeimage);
	} else {
		format.fmt.pix.width = 320;
		format.fmt.pix.height = 180;
		format.fmt.pix.pixelformat = V4L2_PIX_FMT_YUYV;
		result = ioctl(camera, VIDIOC_S_FMT, &format);
		printf("set: %s, %ux%u, %.4s, %u\n", said(result), format.fmt.pix.width, format.fmt.pix.height, (char *)&format.fmt.pix.pixelformat,
		       format.fmt.pix.sizeimage);
	}
}

static void reserve(int camera, int count, int memory)
{
	struct v4l2_requestbuffers wanted = {.count = count, .type = type, .memory = memory};
	int result = ioctl(camera, VIDIOC_REQBUFS, &wanted);
	printf("buffers: %s, %u\n", said(result), wanted.count);
}

static void further(int camera)
{
	struct v4l2_create_buffers more;
	memset(&more, 0, sizeof more);
	more.count = 1;
	more.memory = V4L2_MEMORY_MMAP;
	more.format.type = type;
	ioctl(camera, VIDIOC_G_FMT, &more.format);
	int result = ioctl(camera, VIDIOC_CREATE_BUFS, &more);
	printf("further: %s, %u from %u\n", said(result), more.count, more.index);
}

static void stream(int camera, int memory)
{
	struct v4l2_buffer one;
	struct v4l2_plane planes[MOST];
	void *data[BUFFERS][2] = {{0}};
	size_t length[BUFFERS][2] = {{0}};
	int count = several ? 2 : 1;
	reserve(camera, BUFFERS - 1, memory);
	if (memory == V4L2_MEMORY_MMAP)
		further(camera);
	int buffers = memory == V4L2_MEMORY_MMAP ? BUFFERS : BUFFERS - 1;
	for (int i = 0; i < buffers; i++) {
		buffer(&one, planes, i, memory);
		int result = ioctl(camera, VIDIOC_QUERYBUF, &one);
		show("asked", result, &one, planes);
		for (int p = 0; p < count; p++) {
			length[i][p] = several ? planes[p].length : one.length;
			if (memory == V4L2_MEMORY_MMAP)
				data[i][p] = mmap(NULL, length[i][p], PROT_READ, MAP_SHARED, camera, several ? planes[p].m.mem_offset : one.m.offset);
			else {
				length[i][p] = 256 * 1024;
				data[i][p] = mmap(NULL, length[i][p], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			}
			printf("mapped %d\n", data[i][p] != MAP_FAILED);
		}
		buffer(&one, planes, i, memory);
		if (several)
			one.length = count;
		for (int p = 0; memory == V4L2_MEMORY_USERPTR && p < count; p++)
			if (several) {
				planes[p].m.userptr = (unsigned long)data[i][p];
				planes[p].length = length[i][p];
			} else {
				one.m.userptr = (unsigned long)data[i][p];
				one.length = length[i][p];
			}
		if (i == 0) {
			result = ioctl(camera, VIDIOC_PREPARE_BUF, &one);
			show("prepared", result, &one, planes);
		}
		result = ioctl(camera, VIDIOC_QBUF, &one);
		show("queued", result, &one, planes);
	}
	printf("on: %s\n", said(ioctl(camera, VIDIOC_STREAMON, &type)));
	for (int i = 0; i < 4; i++) {
		buffer(&one, planes, 0, memory);
		int result = ioctl(camera, VIDIOC_DQBUF, &one);
		unsigned int index = one.index;
		one.flags &= ~(V4L2_BUF_FLAG_KEYFRAME | V4L2_BUF_FLAG_PFRAME | V4L2_BUF_FLAG_BFRAME);
		one.index = 0;
		show("taken", result, &one, planes);
		one.index = index;
		int there = several ? planes[0].m.userptr == (unsigned long)data[index][0] : one.m.userptr == (unsigned long)data[index][0];
		printf("recent %d, place %d\n", recent(&one.timestamp), memory == V4L2_MEMORY_MMAP || there);
		if (several)
			one.length = count;
		result = ioctl(camera, VIDIOC_QBUF, &one);
		printf("again: %s\n", said(result));
	}
	/* What is wrong. */
	buffer(&one, planes, 99, memory);
	printf("no such buffer: %s\n", said(ioctl(camera, VIDIOC_QUERYBUF, &one)));
	if (several) {
		buffer(&one, planes, 0, memory);
		one.length = MOST + 1;
		printf("too many planes: %s\n", said(ioctl(camera, VIDIOC_QUERYBUF, &one)));
		one.length = 1;
		printf("too few planes: %s\n", said(ioctl(camera, VIDIOC_QUERYBUF, &one)));
		one.length = 2;
		one.m.planes = nowhere;
		printf("planes nowhere: %s\n", said(ioctl(camera, VIDIOC_QUERYBUF, &one)));
		one.length = 0;
		one.m.planes = NULL;
		printf("no planes: %s\n", said(ioctl(camera, VIDIOC_QUERYBUF, &one)));
	}
	printf("nowhere: %s\n", said(ioctl(camera, VIDIOC_QBUF, nowhere)));
	printf("off: %s\n", said(ioctl(camera, VIDIOC_STREAMOFF, &type)));
	for (int i = 0; i < buffers; i++)
		for (int p = 0; p < count; p++)
			munmap(data[i][p], length[i][p]);
	reserve(camera, 0, memory);
}

static void controls(int camera)
{
	char text[64] = "unset";
	uint32_t numbers[1024];
	struct v4l2_ext_control some[4];
	struct v4l2_ext_controls list;
	memset(some, 0, sizeof some);
	memset(&list, 0, sizeof list);
	list.which = V4L2_CTRL_WHICH_CUR_VAL;
	list.count = 3;
	list.controls = some;
	some[0].id = INTEGER;
	some[0].value = 42;
	some[1].id = INTEGER64;
	some[1].value64 = -5000000000;
	some[2].id = STRING;
	some[2].size = sizeof text;
	some[2].string = text;
	struct v4l2_query_ext_ctrl asked;
	memset(&asked, 0, sizeof asked);
	asked.id = STRING;
	int result = ioctl(camera, VIDIOC_QUERY_EXT_CTRL, &asked);
	printf("string: %s, %s, %lld to %lld\n", said(result), asked.name, (long long)asked.minimum, (long long)asked.maximum);
	snprintf(text, sizeof text, "%*s", (int)asked.maximum, "set");
	printf("set: %s, %u\n", said(ioctl(camera, VIDIOC_S_EXT_CTRLS, &list)), list.error_idx);
	memset(text, 0, sizeof text);
	some[0].value = 0;
	some[1].value64 = 0;
	result = ioctl(camera, VIDIOC_G_EXT_CTRLS, &list);
	printf("got: %s, %d, %lld, '%s', %u, where they were %d %d\n", said(result), some[0].value, (long long)some[1].value64, text, list.error_idx,
	       list.controls == some, some[2].string == text);
	/* Too little room: how much is needed. */
	some[2].size = 1;
	result = ioctl(camera, VIDIOC_G_EXT_CTRLS, &list);
	printf("no room: %s, %u, of %u\n", said(result), some[2].size, list.error_idx);
	some[2].size = sizeof text;
	some[2].string = nowhere;
	printf("nowhere: %s, of %u\n", said(ioctl(camera, VIDIOC_G_EXT_CTRLS, &list)), list.error_idx);
	some[0].value = 1 << 30;
	list.count = 1;
	printf("tried: %s, %d\n", said(ioctl(camera, VIDIOC_TRY_EXT_CTRLS, &list)), some[0].value);
	some[1].id = 1;
	list.count = 2;
	printf("no such control: %s, of %u\n", said(ioctl(camera, VIDIOC_TRY_EXT_CTRLS, &list)), list.error_idx);
	list.count = 100000;
	printf("too many: %s\n", said(ioctl(camera, VIDIOC_G_EXT_CTRLS, &list)));
	list.count = 2;
	list.controls = nowhere;
	printf("list nowhere: %s\n", said(ioctl(camera, VIDIOC_G_EXT_CTRLS, &list)));
	memset(&asked, 0, sizeof asked);
	asked.id = ARRAY;
	result = ioctl(camera, VIDIOC_QUERY_EXT_CTRL, &asked);
	printf("array: %s, %u of %u\n", said(result), asked.elems, asked.elem_size);
	if (result == 0 && asked.elems * asked.elem_size <= sizeof numbers) {
		memset(some, 0, sizeof some);
		some[0].id = ARRAY;
		some[0].size = asked.elems * asked.elem_size;
		some[0].p_u32 = numbers;
		list.count = 1;
		list.controls = some;
		result = ioctl(camera, VIDIOC_G_EXT_CTRLS, &list);
		printf("got: %s, %x\n", said(result), numbers[0]);
	}
}

static void events(int camera)
{
	struct v4l2_event_subscription wanted = {.type = V4L2_EVENT_CTRL, .id = V4L2_CID_BRIGHTNESS, .flags = V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK};
	printf("subscribe: %s\n", said(ioctl(camera, VIDIOC_SUBSCRIBE_EVENT, &wanted)));
	struct v4l2_event event;
	struct v4l2_control control = {V4L2_CID_BRIGHTNESS, 17};
	printf("set: %s\n", said(ioctl(camera, VIDIOC_S_CTRL, &control)));
	control.value = 18;
	ioctl(camera, VIDIOC_S_CTRL, &control);
	struct pollfd ready = {camera, POLLPRI, 0};
	int polled = poll(&ready, 1, 1000);
	printf("poll: %d %x\n", polled, ready.revents & POLLPRI);
	memset(&event, 0x55, sizeof event);
	int result = ioctl(camera, VIDIOC_DQEVENT, &event);
	struct timeval time = {event.timestamp.tv_sec, event.timestamp.tv_nsec / 1000};
	printf("event: %s, type %u, id %x, changes %u, type %u, value %d, %d to %d, recent %d, %u wait\n", said(result), event.type, event.id,
	       event.u.ctrl.changes, event.u.ctrl.type, event.u.ctrl.value, event.u.ctrl.minimum, event.u.ctrl.maximum, recent(&time), event.pending);
	fcntl(camera, F_SETFL, O_NONBLOCK);
	while (ioctl(camera, VIDIOC_DQEVENT, &event) == 0)
		;
	printf("no more: %s\n", strerrorname_np(errno));
	fcntl(camera, F_SETFL, 0);
}

int main(void)
{
	for (int device = 0; device < 2; device++) {
		char path[32];
		snprintf(path, sizeof path, "/dev/video%d", device);
		int camera = open(path, O_RDWR);
		struct v4l2_capability able;
		int result = ioctl(camera, VIDIOC_QUERYCAP, &able);
		several = (able.device_caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0;
		type = several ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
		printf("%s: %s, %s, several planes %d\n", path, said(result), able.card, several);
		format(camera);
		stream(camera, V4L2_MEMORY_MMAP);
		stream(camera, V4L2_MEMORY_USERPTR);
		controls(camera);
		events(camera);
		close(camera);
	}
	return 0;
}
