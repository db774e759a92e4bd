// Virtual machines: the layouts are those of 64-bit programs. Nothing is executed in them.
//# libc: static
#include <linux/kvm.h>
#include <sys/ioctl.h>
#include "expect.h"

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
    return finish();
}
