// Virtual machines: most layouts are those of 64-bit programs; of a few, a 32-bit program has others.
//# libc: static
#include <linux/kvm.h>
#include <sys/ioctl.h>
#include "expect.h"

// Puts real-mode instructions at 0x1000 and executes them; why that ended.
static int executed(int vcpu, struct kvm_run *run, char *memory, const void *code, size_t length) {
    struct kvm_sregs sregs;
    memcpy(memory + 0x1000, code, length);
    must(ioctl(vcpu, KVM_GET_SREGS, &sregs));
    sregs.cs.base = sregs.cs.selector = sregs.ds.base = sregs.ds.selector = 0;
    must(ioctl(vcpu, KVM_SET_SREGS, &sregs));
    must(ioctl(vcpu, KVM_SET_REGS, &(struct kvm_regs){.rip = 0x1000, .rflags = 2}));
    return ioctl(vcpu, KVM_RUN, 0) < 0 ? -errno : (int)run->exit_reason;
}

int main(void) {
    int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), vm = kvm < 0 ? -1 : ioctl(kvm, KVM_CREATE_VM, 0);
    int vcpu = vm < 0 ? -1 : ioctl(vm, KVM_CREATE_VCPU, 0);
    // Without the device, the right to open it, or a processor that may be used: nothing is to be seen.
    expect_absent = vcpu < 0;
    equal("version", ioctl(kvm, KVM_GET_API_VERSION, 0), KVM_API_VERSION);
    check("memory can be given", ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_USER_MEMORY) > 0);
    int size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
    check("size of what is shared", size >= (int)sizeof(struct kvm_run));
    struct kvm_run *run = mmap(0, size < 1 ? 4096 : size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu, 0);
    check("shared", run != MAP_FAILED);
    void *memory = must(mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    struct kvm_userspace_memory_region region = {.memory_size = 65536, .userspace_addr = (uintptr_t)memory};
    succeeds("memory", ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region));
    region.userspace_addr++;
    region.slot = 1;
    region.guest_phys_addr = 1 << 20;
    fails("memory between pages", ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), EINVAL);
    struct kvm_regs regs = {.rax = 0x1122334455667788, .rip = 0x1000, .rflags = 2}, again = {0};
    succeeds("registers, set", ioctl(vcpu, KVM_SET_REGS, &regs));
    succeeds("registers", ioctl(vcpu, KVM_GET_REGS, &again));
    check("are as they were set", again.rax == regs.rax && again.rip == regs.rip && again.rflags == regs.rflags);
    fails("registers to nowhere", ioctl(vcpu, KVM_GET_REGS, forbidden()), EFAULT);
    struct kvm_msr_list list = {0};
    fails("no room for a list", ioctl(kvm, KVM_GET_MSR_INDEX_LIST, &list), E2BIG);
    check("how much it needs", list.nmsrs > 0);

    // Which pages were written. The other half of the pointer's union is no part of a 32-bit program's pointer.
    static const unsigned char write_3000[] = {0xc6, 0x06, 0x00, 0x30, 0x01, 0xf4};
    struct kvm_enable_cap by_hand = {.cap = KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2, .args = {1}};
    succeeds("what is dirty is cleared by hand", ioctl(vm, KVM_ENABLE_CAP, &by_hand));
    region = (struct kvm_userspace_memory_region){.flags = KVM_MEM_LOG_DIRTY_PAGES, .memory_size = 65536, .userspace_addr = (uintptr_t)memory};
    succeeds("a log of written pages", ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region));
    equal("it halts", executed(vcpu, run, memory, write_3000, sizeof write_3000), KVM_EXIT_HLT);
    uint64_t bitmap[2] = {0, 0x77};
    struct kvm_dirty_log dirty = {.padding2 = sizeof(void *) == 4 ? (uint64_t)0x55 << 32 : 0};
    dirty.padding2 |= (uintptr_t)bitmap;
    succeeds("which", ioctl(vm, KVM_GET_DIRTY_LOG, &dirty));
    check("the one that was written", bitmap[0] & 1 << 3);
    equal("no more than there is", bitmap[1], 0x77);
    struct kvm_clear_dirty_log clear = {.num_pages = 16, .padding2 = dirty.padding2};
    succeeds("clear", ioctl(vm, KVM_CLEAR_DIRTY_LOG, &clear));
    bitmap[0] = 0;
    succeeds("again", ioctl(vm, KVM_GET_DIRTY_LOG, &dirty));
    equal("none", bitmap[0], 0);
    dirty.padding2 = (uintptr_t)forbidden();
    executed(vcpu, run, memory, write_3000, sizeof write_3000);
    fails("which, to nowhere", ioctl(vm, KVM_GET_DIRTY_LOG, &dirty), EFAULT);

    // Signals that are not blocked while it runs.
    static const unsigned char forever[] = {0xeb, 0xfe};
    struct { struct kvm_signal_mask head; unsigned char set[8]; } mask = {.head = {.len = 8}};
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    must(sigprocmask(SIG_BLOCK, &usr1, 0));
    memcpy(mask.head.sigset, (uint64_t[]){0}, 8);
    succeeds("signals", ioctl(vcpu, KVM_SET_SIGNAL_MASK, &mask));
    must(raise(SIGUSR1));
    equal("one ends it", executed(vcpu, run, memory, forever, sizeof forever), -EINTR);
    must(sigpending(&usr1));
    check("and is still there", sigismember(&usr1, SIGUSR1) == 1);
    mask.head.len = 4;
    fails("half of the signals", ioctl(vcpu, KVM_SET_SIGNAL_MASK, &mask), EINVAL);
    succeeds("as before", ioctl(vcpu, KVM_SET_SIGNAL_MASK, 0));

    // Which registers the program answers for.
    static const unsigned char read_174[] = {0x66, 0xb9, 0x74, 0x01, 0, 0, 0x0f, 0x32, 0xf4};
    static unsigned char none[8];
    struct kvm_enable_cap by_program = {.cap = KVM_CAP_X86_USER_SPACE_MSR, .args = {KVM_MSR_EXIT_REASON_FILTER}};
    succeeds("the program answers", ioctl(vm, KVM_ENABLE_CAP, &by_program));
    struct kvm_msr_filter filter = {.ranges = {[15] = {.flags = KVM_MSR_FILTER_READ, .nmsrs = 1, .base = 0x174, .bitmap = none}}};
    succeeds("for one", ioctl(vm, KVM_X86_SET_MSR_FILTER, &filter));
    equal("which is read", executed(vcpu, run, memory, read_174, sizeof read_174), KVM_EXIT_X86_RDMSR);
    check("by that number", expect_absent || run->msr.index == 0x174);
    filter.ranges[15].bitmap = forbidden();
    fails("a filter from nowhere", ioctl(vm, KVM_X86_SET_MSR_FILTER, &filter), EFAULT);
    return finish();
}
