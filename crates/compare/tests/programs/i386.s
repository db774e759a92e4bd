    .text
    .globl _start
_start:
    push %ebx                   # stack
    pushl 8(%esp)               # stack
    pusha                       # stack
    mov 8(%esp), %eax           # stack
    mov -8(%ebp), %eax          # load
    mov %esp, %ebp              # move
    mov %eax, -8(%ebp)          # stack
    leave                       # stack
    lea 0(%esi), %esi           # padding
    mov %esi, %esi              # padding
    call *8(%eax)               # call
    mov %gs:0x14, %eax          # load
    endbr32                     # other
    orl $0, (%esp)              # arithmetic
