/* Writes a picture and reads it again, whole and damaged; errors leave libpng by longjmp(3), by its own jmp_buf and by one of the program's. Prints the
 * same with the 64-bit library. With an argument only by the program's: in a server the library's is not here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 23
#define HEIGHT 11

struct file {
	unsigned char bytes[1 << 16];
	size_t size, at, calls;
};

struct state {
	jmp_buf out;
	int warnings;
	char text[100];
};

static int remote;

/* libpng does not say how long a row is, so rows are in memory that both sides see. */
static void *row_new(size_t size)
{
	void *(*alloc)(void *, size_t) = (void *(*)(void *, size_t))dlsym(RTLD_DEFAULT, "biarch_alloc");
	void *(*library)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "biarch_library_png16");
	return alloc && library ? alloc(library(), size) : malloc(size);
}

static void fail(png_structp png, png_const_charp text)
{
	struct state *state = png_get_error_ptr(png);
	snprintf(state->text, sizeof state->text, "%s", text);
	if (remote)
		longjmp(state->out, 1);
	png_longjmp(png, 1);
}

static void warn(png_structp png, png_const_charp text)
{
	struct state *state = png_get_error_ptr(png);
	state->warnings += strlen(text) > 0;
}

static void append(png_structp png, png_bytep data, size_t size)
{
	struct file *file = png_get_io_ptr(png);
	if (file->size + size > sizeof file->bytes)
		png_error(png, "the file is full");
	memcpy(file->bytes + file->size, data, size);
	file->size += size;
	file->calls++;
}

static void flush(png_structp png)
{
	(void)png;
}

static void take(png_structp png, png_bytep data, size_t size)
{
	struct file *file = png_get_io_ptr(png);
	file->calls++;
	if (file->at + size > file->size)
		png_error(png, "the file has ended");
	memcpy(data, file->bytes + file->at, size);
	file->at += size;
}

static int passes;
static void written(png_structp png, png_uint_32 row, int pass)
{
	(void)png;
	passes += (int)row * 10 + pass;
}

static int write_picture(struct file *file, struct state *state)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, state, fail, warn);
	png_infop info = png_create_info_struct(png);
	unsigned char *row = row_new(WIDTH * 3);
	if (remote ? setjmp(state->out) : setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return 0;
	}
	png_set_write_fn(png, file, append, flush);
	png_set_write_status_fn(png, written);
	png_set_IHDR(png, info, WIDTH, HEIGHT, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_text texts[] = {
		{.compression = PNG_TEXT_COMPRESSION_NONE, .key = "Title", .text = "a bridge", .text_length = 8},
		{.compression = PNG_TEXT_COMPRESSION_zTXt, .key = "Comment", .text = "long, long, long, long, long, long", .text_length = 34},
	};
	png_set_text(png, info, texts, 2);
	png_time time = {2024, 2, 29, 12, 30, 59};
	png_set_tIME(png, info, &time);
	png_set_gAMA(png, info, 1 / 2.2);
	png_set_pHYs(png, info, 3000, 4000, PNG_RESOLUTION_METER);
	png_write_info(png, info);
	for (int y = 0; y < HEIGHT; y++) {
		for (int x = 0; x < WIDTH * 3; x++)
			row[x] = (unsigned char)(x * y + x % 3);
		png_write_row(png, row);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return png == NULL && info == NULL;
}

static int read_picture(struct file *file, struct state *state, int show)
{
	file->at = 0;
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, state, fail, warn);
	png_infop info = png_create_info_struct(png);
	unsigned char *row = row_new(WIDTH * 3);
	if (remote ? setjmp(state->out) : setjmp(png_jmpbuf(png))) {
		png_destroy_read_struct(&png, &info, NULL);
		return 0;
	}
	png_set_read_fn(png, file, take);
	png_read_info(png, info);
	png_uint_32 width, height;
	int depth, colour, interlace;
	png_get_IHDR(png, info, &width, &height, &depth, &colour, &interlace, NULL, NULL);
	unsigned long sum = 0;
	size_t size = png_get_rowbytes(png, info);
	for (png_uint_32 y = 0; y < height && size == WIDTH * 3; y++) {
		png_read_row(png, row, NULL);
		for (size_t x = 0; x < size; x++)
			sum = sum * 31 + row[x];
	}
	png_read_end(png, info);
	if (show) {
		double gamma = 0;
		png_uint_32 x = 0, y = 0;
		int unit = -1;
		png_timep time = NULL;
		png_textp texts = NULL;
		int count = png_get_text(png, info, &texts, NULL);
		png_get_gAMA(png, info, &gamma);
		png_get_pHYs(png, info, &x, &y, &unit);
		png_get_tIME(png, info, &time);
		printf("%u %u %d %d %d %lu\n%.4f %u %u %d %d:%d:%d", width, height, depth, colour, interlace, sum, gamma, x, y, unit, time->hour, time->minute, time->second);
		for (int i = 0; i < count; i++)
			printf(" %s=%s (%zu, %d)", texts[i].key, texts[i].text, texts[i].text_length, texts[i].compression);
		puts("");
	}
	png_destroy_read_struct(&png, &info, NULL);
	return 1;
}

int main(int count, char **words)
{
	(void)words;
	remote = count > 1;
	static struct file file, damaged;
	struct state state = {.warnings = 0};
	printf("%s %u\n", png_get_libpng_ver(NULL), png_access_version_number());
	int done = write_picture(&file, &state);
	printf("%d %zu %d %d\n", done, file.size, file.calls > 20, passes);
	printf("%d\n", read_picture(&file, &state, 1));
	/* Each byte wrong, and each end too early. */
	unsigned long wrong = 0, failed = 0, letters = 0;
	for (size_t at = 0; at < file.size; at++) {
		memcpy(&damaged, &file, sizeof file);
		damaged.bytes[at] ^= 0x21;
		state.text[0] = 0;
		wrong += !read_picture(&damaged, &state, 0);
		letters += strlen(state.text);
		memcpy(&damaged, &file, sizeof file);
		damaged.size = at;
		failed += !read_picture(&damaged, &state, 0);
		letters += strlen(state.text);
	}
	printf("%lu %lu %lu %d %s\n", wrong, failed, letters, state.warnings, state.text);
	printf("%d\n", png_create_read_struct("99.0", &state, fail, warn) == NULL);
	return 0;
}
