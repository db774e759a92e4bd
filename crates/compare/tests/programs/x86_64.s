    .text
    .globl _start
_start:
    push %rbx                   # stack
    pop %rbx                    # stack
    mov 8(%rsp), %rax           # stack
    mov %rax, 8(%rsp)           # stack
    mov -8(%rbp), %rax          # load
    mov %rsp, %rbp              # move
    mov -8(%rbp), %rax          # stack
    pop %rbp                    # stack
    mov -8(%rbp), %rax          # stack
    xor %ebp, %ebp              # arithmetic
    mov -8(%rbp), %rax          # load
    leave                       # stack
    add 8(%rsp), %rax           # arithmetic
    mov %eax, %eax              # move
    movslq %eax, %rcx           # move
    movslq (%rax), %rcx         # load
    movabs $0x1122334455667788, %rax # move
    call *%rax                  # call
    jmp *8(%rsp)                # branch
    syscall                     # other
    endbr64                     # other
    mov %fs:0x28, %rax          # load
    andn %eax, %ecx, %edx       # arithmetic
    cqo                         # arithmetic
    xchg %ax, %ax               # padding
    .byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 # padding
    .byte 0, 0                  # padding
    .byte 0x06                  # data
