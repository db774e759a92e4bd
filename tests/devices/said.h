// What the programs of this directory print of a result, the same for both word sizes.
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Where nothing is, and the compiler does not know. */
static void *volatile nowhere = (void *)16;

/* A number, or the name of the errno. Of up to four in one printf(3). */
static const char *said(long result)
{
	static char text[4][32];
	static int next;
	char *to = text[next++ % 4];
	if (result < 0)
		snprintf(to, sizeof *text, "%s", strerrorname_np(errno));
	else
		snprintf(to, sizeof *text, "%ld", result);
	return to;
}
