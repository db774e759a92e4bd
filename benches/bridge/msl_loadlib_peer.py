"""f(int, int) of a 32-bit library by msl-loadlib: prints the nanoseconds, the median of many. Both sides import this file."""

import sys

from msl.loadlib import Client64, Server32


class Server(Server32):
    def __init__(self, host, port, library):
        super().__init__(library, "cdll", host, port)

    def f(self, a, b):
        return self.lib.f(a, b)


def main():
    import statistics
    import time

    client = Client64(__file__, library=sys.argv[1])
    times = []
    for i in range(300):
        start = time.perf_counter_ns()
        assert client.request32("f", i, 2) == i + 2
        times.append(time.perf_counter_ns() - start)
    client.shutdown_server32()
    print(statistics.median(times[50:]))


if __name__ == "__main__":
    main()
