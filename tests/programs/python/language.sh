#!/usr/bin/env python3.11
"""A tour of the standard library's system side, in one process."""
import array, asyncio, concurrent.futures, ctypes, decimal, hashlib, json, lzma, math, mmap, multiprocessing, os, random, select, shutil, signal, socket, sqlite3, struct, subprocess, sys, tempfile, threading, time, zlib

print(sys.maxsize, struct.calcsize("P"), sys.byteorder, ctypes.sizeof(ctypes.c_longlong), ctypes.alignment(ctypes.c_longlong))
print(2**200, 10**50 // 7, math.factorial(30), decimal.Decimal(2).sqrt(), repr(0.1 + 0.2), hash(2**61), round(2.675, 2))
random.seed(5)
data = random.randbytes(1 << 20)
print(hashlib.sha256(data).hexdigest(), hashlib.blake2b(data).hexdigest()[:16], zlib.crc32(data), len(lzma.compress(data)))
print(subprocess.run(["sh", "-c", "cat; exit 3"], input=b"through cat", capture_output=True))
print(subprocess.run("kill -SEGV $$", shell=True).returncode)
r, w = os.pipe()
if (pid := os.fork()) == 0:
    os.write(w, b"from the child")
    os._exit(9)
print(os.read(r, 100), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
total = 0
lock = threading.Lock()
def add():
    global total
    for _ in range(20000):
        with lock:
            total += 1
threads = [threading.Thread(target=add) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(total)
hits = []
signal.signal(signal.SIGALRM, lambda *a: hits.append(a[0]))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
while len(hits) < 5:
    signal.pause()
signal.setitimer(signal.ITIMER_REAL, 0)
print(hits, signal.sigtimedwait([signal.SIGUSR1], 0.05))
server = socket.create_server(("127.0.0.1", 0))
def serve():
    with server.accept()[0] as c:
        while chunk := c.recv(4096):
            c.sendall(chunk.upper())
threading.Thread(target=serve, daemon=True).start()
with socket.create_connection(server.getsockname()) as c:
    c.sendall(b"over tcp")
    print(c.recv(100), c.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE), c.gettimeout())
a, b = socket.socketpair()
f = os.open("passed", os.O_RDWR | os.O_CREAT)
socket.send_fds(a, [b"fd"], [f])
message, fds, flags, _ = socket.recv_fds(b, 10, 2)
os.write(fds[0], b"written through a passed descriptor")
print(message, flags, open("passed").read())
with mmap.mmap(-1, 1 << 20) as m:
    m[:5] = b"hello"; m.resize(2 << 20); print(m[:5], len(m))
libc = ctypes.CDLL(None)
libc.qsort.restype = None
ints = (ctypes.c_int * 5)(5, 1, 4, 2, 3)
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
libc.qsort(ints, 5, 4, compare(lambda x, y: x[0] - y[0]))
print(list(ints), libc.abs(-7), ctypes.c_double.from_buffer_copy(struct.pack("d", math.pi)).value)
async def main():
    async def echo(reader, writer):
        writer.write((await reader.readline()).upper()); await writer.drain(); writer.close()
    s = await asyncio.start_server(echo, "127.0.0.1", 0)
    async def client(n):
        reader, writer = await asyncio.open_connection(*s.sockets[0].getsockname())
        writer.write(b"client %d\n" % n); answer = await reader.read(); writer.close(); return answer
    print(await asyncio.gather(*(client(n) for n in range(20))))
    p = await asyncio.create_subprocess_exec("seq", "3", stdout=subprocess.PIPE)
    print(await p.communicate(), p.returncode)
    try:
        await asyncio.wait_for(asyncio.sleep(9), 0.05)
    except asyncio.TimeoutError:
        print("timed out")
asyncio.run(main())
def square(n): return n * n
with multiprocessing.Pool(3) as pool:
    print(sum(pool.map(square, range(1000))))
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda n: len(zlib.compress(data[n::16])) > 0, range(16))))
with sqlite3.connect("db") as db:
    db.execute("create table t (a integer, b text)"); db.executemany("insert into t values (?, ?)", ((i, str(i)) for i in range(5000)))
    print(db.execute("select count(*), sum(a), max(b) from t").fetchone())
os.truncate("passed", 5 << 30); s = os.stat("passed"); print(s.st_size, os.sysconf("SC_PAGESIZE"), os.statvfs(".").f_bsize)
os.utime("passed", ns=(1, 2147483647123456789)); print(os.stat("passed").st_mtime_ns); os.unlink("passed")
os.makedirs("a/b"); shutil.copytree("a", "c"); os.symlink("x", "a/l"); print(sorted((e.name, e.is_dir()) for e in os.scandir("a")), shutil.disk_usage("/").total > 0)
poll = select.epoll(); poll.register(r, select.EPOLLIN); os.write(w, b"x"); print(poll.poll(1) == [(r, select.EPOLLIN)])
print(time.strftime("%F %T", time.gmtime(4e9)), time.clock_getres(time.CLOCK_MONOTONIC), time.localtime(0).tm_year)
shutil.rmtree("a"); shutil.rmtree("c"); os.unlink("db")
os.kill(os.getpid(), signal.SIGTERM)
