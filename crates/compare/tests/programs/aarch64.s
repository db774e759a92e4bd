    .arch armv8.2-a+sve
    .text
    .globl _start
    .type _start, %function
_start:
    ldr x0, [x1]                // load
    ldrsw x0, [x1, #4]          // load
    ldp x0, x1, [x2]            // load
    ldar x0, [x1]               // load
    str w0, [x1, #8]            // store
    stlr x0, [x1]               // store
    stp x29, x30, [sp, #-32]!   // stack
    ldr x0, [sp, #8]            // stack
    str x0, [x29, #8]           // stack
    mov x0, x1                  // move
    mov x0, #1234               // move
    movk x0, #1, lsl #16        // move
    csel x0, x1, x2, eq         // move
    sxtw x0, w1                 // move
    add x0, x1, x2              // arithmetic
    cmp x0, #1                  // arithmetic
    madd x0, x1, x2, x3         // arithmetic
    sbc x0, x1, x2              // arithmetic
    adrp x0, _start             // arithmetic
    b _start                    // branch
    b.eq _start                 // branch
    cbz x0, _start              // branch
    tbnz x0, #3, _start         // branch
    br x0                       // branch
    bl _start                   // call
    blr x0                      // call
    ret                         // call
    fadd d0, d1, d2             // float
    ldr q0, [x0]                // float
    add v0.4s, v1.4s, v2.4s     // float
    fmov x0, d0                 // float
    ptrue p0.b                  // float
    nop                         // padding
    dmb ish                     // other
    svc #0                      // other
    mrs x0, tpidr_el0           // other
    hint #34                    // other
    ldadd x0, x1, [x2]          // other
    cas x0, x1, [x2]            // other
    prfm pldl1keep, [x0]        // other
    .word 0x12345678            // data
