// Numbers that have a name and nothing behind it, on a 64-bit kernel.
#include "expect.h"

int main(void) {
    static const struct { int number; const char *name; } calls[] = {
        {17, "break"}, {31, "stty"}, {32, "gtty"}, {35, "ftime"}, {44, "prof"}, {53, "lock"}, {56, "mpx"}, {58, "ulimit"},
        {98, "profil"}, {112, "idle"}, {113, "vm86old"}, {127, "create_module"}, {130, "get_kernel_syms"}, {134, "bdflush"},
        {137, "afs_syscall"}, {149, "_sysctl"}, {166, "vm86"}, {167, "query_module"}, {169, "nfsservctl"}, {188, "getpmsg"},
        {189, "putpmsg"}, {222, "222"}, {223, "223"}, {251, "251"}, {273, "vserver"}, {285, "285"}, {387, "387"}, {415, "415"},
        {511, "511"}, {512, "512"}, {100000, "100000"}, {-1, "-1"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) fails(calls[i].name, syscall(calls[i].number, 0, 0, 0, 0, 0, 0), ENOSYS);
    return finish();
}
