# An instruction a line, and what it does. {32} and {64} are for that mode only.
    .text
    .globl _start
_start:
    mov (%eax), %ecx            # load
    movzbl 3(%eax), %ecx        # load
    cmove (%eax), %ecx          # load
    mov %ecx, 8(%eax)           # store
    movl $1, (%eax)             # store
    mov %ecx, %edx              # move
    mov $7, %edx                # move
    movzbl %cl, %edx            # move
    cmove %ecx, %edx            # move
    bswap %eax                  # move
    add %ecx, %edx              # arithmetic
    add (%eax), %edx            # arithmetic
    incl (%eax)                 # arithmetic
    cmp $1, %eax                # arithmetic
    lea 4(%eax, %ecx), %edx     # arithmetic
    sete %al                    # arithmetic
    imul %ecx, %edx             # arithmetic
    div %ecx                    # arithmetic
    jmp _start                  # branch
    je _start                   # branch
    call _start                 # call
    ret                         # call
    rep movsb                   # string
    stosl                       # string
    repne scasb                 # string
    fldl (%eax)                 # float
    faddp                       # float
    fwait                       # other
    movdqa %xmm0, %xmm1         # float
    movss (%eax), %xmm0         # float
    cvtsi2sd %eax, %xmm0        # float
    pxor %mm0, %mm1             # float
    vaddps %ymm0, %ymm1, %ymm2  # float
    ldmxcsr (%eax)              # float
    nop                         # padding
    nopw 0(%eax, %eax)          # padding
    int3                        # padding
    cpuid                       # other
    rdtsc                       # other
    mfence                      # other
    int $0x80                   # other
    ud2                         # other
    prefetcht0 (%eax)           # other
    lock xadd %ecx, (%eax)      # arithmetic
