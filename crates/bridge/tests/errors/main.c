/* Each call is an error that says which; what is right in between is not. */
#include "errors.h"
#include "errors-biarch.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void note(const struct biarch_error *error, void *context)
{
	++*(int *)context;
	printf("%d %s %s\n", error->status, error->function, error->argument ? error->argument : "-");
}

static int answer(const char *question, int *answer)
{
	int length = (int)strlen(question);
	*answer += 10;
	return length;
}

int main(void)
{
	int errors = 0;
	biarch_on_error(note, &errors);
	printf("%ld %ld\n", fits(-5), fits(2147483647));
	errno = 0;
	long wrong = fits(2147483648);
	printf("%ld %d\n", wrong, errno == EIO);
	printf("%d\n", below(4294967295));
	below(4294967296);
	static unsigned char own[] = {1, 2, 3};
	keep(own, 3);
	unsigned char *shared = biarch_alloc(biarch_library_errors(), 1 << 20);
	memset(shared, 1, 1 << 20);
	keep(shared, 1 << 20);
	shared[7] = 5;
	printf("%d\n", kept());
	printf("%d\n", present(&(int){4}));
	present(NULL);
	printf("%d\n", wild() == NULL);
	left_out(3);
	printf("%d %d\n", length("abc", 2), length("abc", -1));
	length("abc", 1L << 33);
	struct sized large = {1L << 40, NULL}, small = {-4, &(struct sized){3, &small}};
	in_structure(&large);
	printf("%ld\n", in_structure(&small));
	printf("%d\n", ask(answer, 0));
	printf("%d\n", ask(answer, 1));
	printf("%d\n", measure(sizeof(struct sized)));
	measure(3);
	printf("%d errors\n", errors);
	biarch_free(biarch_library_errors(), shared);
	return 0;
}
