// add_key, request_key, keyctl, in a session of its own.
#include "expect.h"

#define SESSION -3L // KEY_SPEC_SESSION_KEYRING

int main(void) {
    optional(syscall(SYS_keyctl, 999L, 0L, 0L, 0L, 0L));
    check("KEYCTL_JOIN_SESSION_KEYRING", syscall(SYS_keyctl, 1L, "biarch-test", 0L, 0L, 0L) > 0);
    int key = succeeds("add_key", syscall(SYS_add_key, "user", "biarch:one", "payload", 7L, SESSION));
    fails("add_key, no such type", syscall(SYS_add_key, "nosuchtype", "x", "x", 1L, SESSION), ENODEV);
    fails("add_key, type nowhere", syscall(SYS_add_key, forbidden(), "x", "x", 1L, SESSION), EFAULT);
    fails("add_key, description nowhere", syscall(SYS_add_key, "user", forbidden(), "x", 1L, SESSION), EFAULT);
    fails("add_key, payload nowhere", syscall(SYS_add_key, "user", "x", forbidden(), 1L, SESSION), EFAULT);
    fails("add_key, nothing in it", syscall(SYS_add_key, "user", "x", 0L, 0L, SESSION), EINVAL);
    fails("add_key, far too much", syscall(SYS_add_key, "user", "x", "x", 1L << 20, SESSION), EINVAL);
    fails("add_key, no such keyring", syscall(SYS_add_key, "user", "x", "x", 1L, 0x7ffffff0L), ENOKEY);
    equal("request_key", syscall(SYS_request_key, "user", "biarch:one", 0L, 0L), key);
    fails("request_key of none", syscall(SYS_request_key, "user", "biarch:none", 0L, 0L), ENOKEY);
    fails("request_key nowhere", syscall(SYS_request_key, forbidden(), "biarch:one", 0L, 0L), EFAULT);
    fails("request_key, no such type", syscall(SYS_request_key, "nosuchtype", "biarch:one", 0L, 0L), ENOKEY);

    char text[128] = "";
    equal("KEYCTL_READ", syscall(SYS_keyctl, 11L, (long)key, text, (long)sizeof text, 0L), 7);
    check("the payload", !strcmp(text, "payload") || expect_absent);
    fails("KEYCTL_READ nowhere", syscall(SYS_keyctl, 11L, (long)key, forbidden(), 128L, 0L), EFAULT);
    equal("KEYCTL_SEARCH", syscall(SYS_keyctl, 10L, SESSION, "user", "biarch:one", 0L), key);
    succeeds("KEYCTL_UPDATE", syscall(SYS_keyctl, 2L, (long)key, "new", 3L, 0L));
    equal("KEYCTL_READ, how much", syscall(SYS_keyctl, 11L, (long)key, 0L, 0L, 0L), 3);
    check("KEYCTL_DESCRIBE", syscall(SYS_keyctl, 6L, (long)key, text, (long)sizeof text, 0L) > 10 && strstr(text, "biarch:one"));
    succeeds("KEYCTL_SETPERM", syscall(SYS_keyctl, 5L, (long)key, 0x3f3f0000L, 0L, 0L));
    succeeds("KEYCTL_SET_TIMEOUT", syscall(SYS_keyctl, 15L, (long)key, 1000L, 0L, 0L));
    succeeds("KEYCTL_UNLINK", syscall(SYS_keyctl, 9L, (long)key, SESSION, 0L, 0L));
    fails("KEYCTL_SEARCH of what is gone", syscall(SYS_keyctl, 10L, SESSION, "user", "biarch:one", 0L), ENOKEY);
    fails("no such operation", syscall(SYS_keyctl, 999L, 0L, 0L, 0L, 0L), EOPNOTSUPP);
    return finish();
}
