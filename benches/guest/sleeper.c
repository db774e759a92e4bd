/* hello that stays: it says when it is up, and is looked at then. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	if (puts("hello") < 0 || fflush(stdout) != 0)
		return 1;
	for (;;)
		pause();
}
