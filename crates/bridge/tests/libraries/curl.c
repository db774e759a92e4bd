/* libcurl reads files: options of all kinds by one variadic function, callbacks with the program's data. Prints the same with the 64-bit library. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sink {
	unsigned long bytes, sum, calls, most;
};

static size_t take(char *data, size_t size, size_t count, void *user)
{
	struct sink *sink = user;
	sink->calls++;
	for (size_t i = 0; i < size * count; i++)
		sink->sum = sink->sum * 31 + (unsigned char)data[i];
	sink->bytes += size * count;
	/* Less than all ends the transfer. */
	return sink->most && sink->bytes > sink->most ? 0 : size * count;
}

static size_t give(char *data, size_t size, size_t count, void *user)
{
	unsigned long *left = user;
	size_t given = *left < size * count ? *left : size * count;
	memset(data, 'u', given);
	*left -= given;
	return given;
}

static int progress(void *user, curl_off_t total, curl_off_t now, curl_off_t up, curl_off_t up_now)
{
	curl_off_t *last = user;
	(void)total;
	(void)up;
	(void)up_now;
	*last = now;
	return 0;
}

int main(void)
{
	char path[] = "/tmp/biarch-curl-XXXXXX", url[100], error[CURL_ERROR_SIZE] = "";
	int file = mkstemp(path);
	for (int i = 0; i < 100000; i++)
		dprintf(file, "%d\n", i);
	close(file);
	snprintf(url, sizeof url, "file://%s", path);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	printf("%d\n", strncmp(curl_version(), "libcurl/", 8));
	CURL *curl = curl_easy_init();
	struct sink sink = {0, 0, 0, 0};
	curl_off_t last = -1;
	CURLcode set[] = {
		curl_easy_setopt(curl, CURLOPT_URL, url),
		curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take),
		curl_easy_setopt(curl, CURLOPT_WRITEDATA, &sink),
		curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L),
		curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress),
		curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &last),
		curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 20000L),
		curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)1 << 40),
	};
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		printf("%d ", set[i]);
	CURLcode done = curl_easy_perform(curl);
	printf("%d %lu %lu %d %d\n", done, sink.bytes, sink.sum, sink.calls > 3, last > 0);
	sink = (struct sink){0, 0, 0, 50000};
	done = curl_easy_perform(curl);
	printf("%d %s %d\n", done, curl_easy_strerror(done), sink.bytes > 50000);
	sink = (struct sink){0, 0, 0, 0};
	curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)588880);
	done = curl_easy_perform(curl);
	printf("%d %lu %lu\n", done, sink.bytes, sink.sum);
	curl_easy_reset(curl);
	curl_easy_setopt(curl, CURLOPT_URL, "file:///no/such/file");
	done = curl_easy_perform(curl);
	printf("%d %s\n", done, curl_easy_strerror(done));
	unsigned long left = 70000;
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
	curl_easy_setopt(curl, CURLOPT_READDATA, &left);
	done = curl_easy_perform(curl);
	printf("%d %lu %d\n", done, left, curl_easy_setopt(curl, (CURLoption)19999, 1L) == CURLE_UNKNOWN_OPTION);
	char *escaped = curl_easy_escape(curl, "a b/\xc3\xa9", 0);
	printf("%s", escaped);
	curl_free(escaped);
	curl_easy_cleanup(curl);
	FILE *again = fopen(path, "r");
	fseek(again, 0, SEEK_END);
	printf(" %ld%s\n", ftell(again), error);
	fclose(again);
	unlink(path);
	curl_global_cleanup();
	return 0;
}
