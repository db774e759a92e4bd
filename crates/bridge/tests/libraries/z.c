/* Compresses and expands, in one piece and as a stream whose memory the program allocates. */
#include <zlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int allocated, freed;
static void *allocate(void *opaque, unsigned items, unsigned size) { allocated += *(int *)opaque; return calloc(items, size); }
static void release(void *opaque, void *address) { freed += *(int *)opaque; free(address); }

int main(void)
{
	static unsigned char text[300000], packed[400000], again[300000];
	unsigned seed = 1;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 28 ? "abcdefgh"[seed >> 16 & 7] : seed >> 20);
	uLong crc = crc32(0, NULL, 0), adler = adler32(0, NULL, 0);
	printf("%lx %lx %lx\n", crc32(crc, text, sizeof text), adler32(adler, text, sizeof text), crc32_combine(1, 2, 1000));
	printf("%s %lu\n", zlibVersion(), compressBound(1000000));

	uLongf size = sizeof packed, back = sizeof again;
	int status = compress2(packed, &size, text, sizeof text, 9);
	printf("compress %d %lu %lx\n", status, size, crc32(0, packed, (uInt)size));
	status = uncompress(again, &back, packed, size);
	printf("uncompress %d %lu %d\n", status, back, memcmp(text, again, sizeof text));
	packed[size / 2] ^= 0x55;
	back = sizeof again;
	printf("damaged %d\n", uncompress(again, &back, packed, size));
	back = 10;
	printf("too small %d %s\n", uncompress(again, &back, packed, size), zError(Z_BUF_ERROR));

	int one = 1;
	z_stream out = {.zalloc = allocate, .zfree = release, .opaque = &one};
	printf("init %d\n", deflateInit2(&out, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY));
	out.next_in = text;
	out.next_out = packed;
	do {
		size_t left = sizeof text - out.total_in;
		out.avail_in = left < 7000 ? (uInt)left : 7000;
		out.avail_out = 1000;
		status = deflate(&out, out.total_in + out.avail_in == sizeof text ? Z_FINISH : Z_NO_FLUSH);
	} while (status == Z_OK);
	printf("deflate %d %lu %lu %s %ld\n", status, out.total_in, out.total_out, out.msg ? out.msg : "-", (long)(out.next_out - packed));
	printf("crc %lx\n", crc32(0, packed, (uInt)out.total_out));
	printf("end %d\n", deflateEnd(&out));

	z_stream in = {.zalloc = allocate, .zfree = release, .opaque = &one, .next_in = packed, .avail_in = (uInt)out.total_out};
	printf("init %d\n", inflateInit2(&in, 15 + 32));
	in.next_out = again;
	do {
		in.avail_out = 5000;
		status = inflate(&in, Z_NO_FLUSH);
	} while (status == Z_OK);
	printf("inflate %d %lu %d\n", status, in.total_out, memcmp(text, again, sizeof text));
	printf("end %d\n", inflateEnd(&in));
	in = (z_stream){.next_in = text, .avail_in = 100, .next_out = again, .avail_out = 100};
	status = inflateInit(&in);
	status = inflate(&in, Z_FINISH);
	printf("no zlib %d %s\n", status, in.msg);
	inflateEnd(&in);
	printf("memory %d\n", allocated > 5 && allocated == freed);

	gzFile file = gzopen("/dev/null", "wb");
	printf("printf %d\n", gzprintf(file, "%s %d %ld %5.2f\n", "text", -3, 70000L, 2.5));
	printf("close %d\n", gzclose(file));
	return 0;
}
