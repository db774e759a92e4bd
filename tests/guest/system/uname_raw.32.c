// Three generations of uname(2), and sysinfo(2) with its units.
#include "expect.h"
#include <sys/personality.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

int main(void) {
    struct { char name[6][65]; } now;
    struct { char name[5][65]; char after; } older = {.after = 77};
    struct { char name[5][9]; char after; } oldest = {.after = 77};
    succeeds("uname", syscall(SYS_uname, &now));
    succeeds("olduname", syscall(SYS_olduname, &older));
    succeeds("oldolduname", syscall(SYS_oldolduname, &oldest));
    check("no further", older.after == 77 && oldest.after == 77);
    int same = 1;
    for (int i = 0; i < 5; i++) same &= !strcmp(now.name[i], older.name[i]) && !strncmp(now.name[i], oldest.name[i], 8) && strlen(oldest.name[i]) <= 8;
    check("the same names", same);
    check("Linux", !strcmp(now.name[0], "Linux"));
    say("machine %s", now.name[4]);
    long persona = must(syscall(SYS_personality, 0xffffffff));
    must(syscall(SYS_personality, (persona & ~0xff) | PER_LINUX32));
    must(syscall(SYS_uname, &now));
    must(syscall(SYS_olduname, &older));
    must(syscall(SYS_oldolduname, &oldest));
    say("machine of PER_LINUX32 %s %s %s", now.name[4], older.name[4], oldest.name[4]);
    must(syscall(SYS_personality, persona));
    fails("uname nowhere", syscall(SYS_uname, forbidden()), EFAULT);
    fails("olduname nowhere", syscall(SYS_olduname, forbidden()), EFAULT);
    fails("olduname null", syscall(SYS_olduname, 0), EFAULT);
    fails("oldolduname nowhere", syscall(SYS_oldolduname, forbidden()), EFAULT);
    fails("oldolduname null", syscall(SYS_oldolduname, 0), EFAULT);

    struct sysinfo info;
    equal("size of struct sysinfo", sizeof info, 64);
    memset(&info, 0xff, sizeof info);
    succeeds("sysinfo", syscall(SYS_sysinfo, &info));
    long long memory = (long long)info.totalram * info.mem_unit;
    FILE *meminfo = fopen("/proc/meminfo", "r");
    long long total = 0;
    if (meminfo && fscanf(meminfo, "MemTotal: %lld", &total) == 1) check("all of the memory", memory / 1024 == total);
    check("the unit is a byte or a page", info.mem_unit == 1 || info.mem_unit == 4096);
    check("no larger than needed", info.mem_unit == 1 || memory >= 1LL << 32 || (long long)info.totalswap * 4096 >= 1LL << 32);
    check("plausible", info.freeram <= info.totalram && info.procs > 0 && info.uptime > 0 && info._f[7] == 0);
    fails("sysinfo nowhere", syscall(SYS_sysinfo, forbidden()), EFAULT);

    unsigned cpu = 77777, node = 77777;
    succeeds("getcpu", syscall(SYS_getcpu, &cpu, &node, 0));
    check("a processor", cpu < 77777 && node < 77777);
    char bytes[64] = {0}, zeroes[64] = {0};
    equal("getrandom", syscall(SYS_getrandom, bytes, sizeof bytes, 0), 64);
    check("not zeroes", memcmp(bytes, zeroes, 64));
    fails("getrandom with an unknown flag", syscall(SYS_getrandom, bytes, 1, 0x100), EINVAL);
    return finish();
}
