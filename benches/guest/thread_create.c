/* pthread_create and pthread_join. */
#include <pthread.h>

#include "measure.h"

static void *nothing(void *argument)
{
	return argument;
}

static void batch(unsigned count)
{
	while (count-- != 0) {
		pthread_t thread;

		errno = pthread_create(&thread, NULL, nothing, NULL);
		if (errno == 0)
			errno = pthread_join(thread, NULL);
		if (errno != 0)
			fail("pthread_create");
	}
}

int main(void)
{
	measure(batch);
	return 0;
}
