#include <fcntl.h>
#include <unistd.h>

#include "measure.h"

static void batch(unsigned count)
{
	while (count-- != 0) {
		int file = open("/etc/passwd", O_RDONLY);

		if (file < 0 || close(file) != 0)
			fail("open");
	}
}

int main(void)
{
	measure(batch);
	return 0;
}
