    .syntax unified
    .arch armv7-a
    .fpu neon
    .text
    .globl _start
    .type _start, %function
    .thumb
    .thumb_func
_start:
    ldr r0, [r1]                @ load
    ldrb.w r0, [r1, #3]         @ load
    ldm r0, {r1, r2}            @ load
    str r0, [r1, #4]            @ store
    strd r0, r1, [r2]           @ store
    ldr r0, [sp, #8]            @ stack
    str r0, [sp, #8]            @ stack
    push {r4, lr}               @ stack
    pop {r4, pc}                @ call
    pop {r4}                    @ stack
    mov r0, r1                  @ move
    movw r0, #1234              @ move
    uxtb r0, r1                 @ move
    add r0, r1, r2              @ arithmetic
    cmp r0, #1                  @ arithmetic
    mul r0, r1, r0              @ arithmetic
    b _start                    @ branch
    beq.w _start                @ branch
    cbz r0, next                @ branch
    bx r3                       @ branch
next:
    bl _start                   @ call
    blx r3                      @ call
    bx lr                       @ call
    vadd.f64 d0, d1, d2         @ float
    vldr d0, [r0]               @ float
    vmov r0, s0                 @ float
    vadd.i32 q0, q1, q2         @ float
    vld1.8 {d0}, [r0]           @ float
    nop                         @ padding
    nop.w                       @ padding
    dmb sy                      @ other
    svc #0                      @ other
    mrc p15, 0, r0, c13, c0, 3  @ other
    .arm
words:
    ldr r0, [r1]                @ load
    str r0, [sp, #4]            @ stack
    movne r0, r1                @ move
    addeq r0, r1, r2            @ arithmetic
    bls words                  @ branch
    blt words                  @ branch
    bleq words                 @ call
    bx lr                       @ call
    pop {r4, pc}                @ call
    vadd.f32 s0, s1, s2         @ float
    vand q0, q1, q2             @ float
    vldr d0, [r0]               @ float
    nop                         @ padding
    .word 0x12345678            @ data
