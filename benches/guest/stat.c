/* libc's stat: statx, whose structure is the same in both widths. */
#include <sys/stat.h>

#include "measure.h"

static void batch(unsigned count)
{
	struct stat buffer;

	while (count-- != 0)
		if (stat("/etc/passwd", &buffer) != 0)
			fail("stat");
}

int main(void)
{
	measure(batch);
	return 0;
}
