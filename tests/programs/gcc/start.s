    .globl _start
_start:
    mov $4, %eax
    mov $1, %ebx
    mov $text, %ecx
    mov $6, %edx
    int $0x80
    mov $1, %eax
    mov $42, %ebx
    int $0x80
    .data
text: .ascii "bare!\n"
