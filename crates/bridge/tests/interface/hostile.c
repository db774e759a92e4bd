/* A client that makes requests of its own: a good one, with bytes changed, cut, made longer, or claimed to be longer than the memory is. */
#include "things-client.c"

static void quiet(int error, const char *text)
{
	(void)error;
	(void)text;
}

static uint32_t state;
static uint32_t number(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* A request as a client writes it, with something behind each kind of pointer. */
static void good(unsigned which)
{
	struct list third = {30, "three", NULL}, second = {20, NULL, &third}, first = {-10, "", &second};
	struct variant variant = {.kind = (int)(number() % 5), .after = -1};
	long numbers[20] = {0};
	char text[40] = "hello";
	switch (which % 8) {
	case 0: list_double(&first); break;
	case 1: vary(&variant); break;
	case 2: sum_of(numbers, 20); break;
	case 3: upper(text, sizeof text); break;
	case 4: words((const char *const[]){"a", "bb", NULL}); break;
	case 5: fill(text, sizeof text, 1); break;
	case 6: thing_value((struct thing *)(uintptr_t)number()); break;
	case 7: squares(numbers, 20, 3); break;
	}
}

int main(int count, char **arguments)
{
	unsigned requests = (unsigned)atoi(arguments[2]), errors = 0, dead = 0;
	/* Of xorshift, zero has no successor. */
	state = (uint32_t)atoi(arguments[count - 1]) * 2 + 1;
	things_connect(arguments[1]);
	things_on_error(quiet);
	for (unsigned i = 0; i < requests; i++) {
		good(i);
		struct ipc_connection *connection = ipc_own;
		if (!connection || connection->channel->turn & BIARCH_DEAD)
			continue;
		struct biarch_channel *channel = connection->channel;
		/* What was asked is still there, where the reply has not covered it. */
		uint32_t size = number() % 200;
		for (unsigned change = number() % 8; change; change--)
			connection->message[number() % 256] = (char)(number() % 3 ? number() : number() % 4);
		channel->address = number() % 4 ? number() % 50 : number();
		/* Not the one that ends the server, and not the one that waits for days. */
		if (channel->address < ipc_interface.functions && (channel->address >= ipc_interface.functions - 4))
			channel->address = 0;
		channel->count = number() % 8 ? size : number();
		channel->request = number();
		if (!biarch_give(channel, number() % 50 ? BIARCH_SERVER : number()) || !biarch_wait(channel, BIARCH_CLIENT, &connection->spin)) {
			dead++;
			continue;
		}
		errors += channel->status != 0;
	}
	printf("%u requests, %u errors, %u connections ended\n", requests, errors, dead);
	return 0;
}
