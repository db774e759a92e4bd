/* The start of the server, calls with words, and what callbacks arrive at: i386 (cdecl), and ARM with the VFP's argument registers (AAPCS-VFP). */
	.section .note.GNU-stack,"",%progbits
	.text

#ifdef __i386__
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %eip
	xorl %ebp, %ebp
	movl %esp, %eax
	andl $-16, %esp
	subl $8, %esp
	pushl %edx
	pushl %eax
	call biarch_start
	hlt
	.cfi_endproc
	.size _start, . - _start

/* void biarch_call_words(uint32_t function, const uint32_t *words, uint32_t count, uint32_t *result, uint32_t kind) */
	.globl biarch_call_words
	.hidden biarch_call_words
	.type biarch_call_words, @function
biarch_call_words:
	.cfi_startproc
	pushl %ebp
	.cfi_def_cfa_offset 8
	.cfi_offset %ebp, -8
	movl %esp, %ebp
	.cfi_def_cfa_register %ebp
	pushl %esi
	.cfi_offset %esi, -12
	pushl %edi
	.cfi_offset %edi, -16
	movl 16(%ebp), %ecx
	movl 12(%ebp), %esi
	leal 0(,%ecx,4), %eax
	subl %eax, %esp
	andl $-16, %esp
	movl %esp, %edi
	rep movsl
	call *8(%ebp)
	movl 20(%ebp), %ecx
	movl %eax, (%ecx)
	movl %edx, 4(%ecx)
	cmpl $0, 24(%ebp)
	je 1f
	fstpt 8(%ecx)
	/* A function that returns a structure has taken its hidden argument from the stack. */
1:	leal -8(%ebp), %esp
	popl %edi
	popl %esi
	popl %ebp
	.cfi_def_cfa %esp, 4
	ret
	.cfi_endproc
	.size biarch_call_words, . - biarch_call_words

/* From a thunk: on the stack its number, the return address, the words. */
	.globl biarch_thunk_entry
	.hidden biarch_thunk_entry
	.type biarch_thunk_entry, @function
biarch_thunk_entry:
	.cfi_startproc
	.cfi_def_cfa_offset 8
	pushl %ebp
	.cfi_def_cfa_offset 12
	.cfi_offset %ebp, -12
	movl %esp, %ebp
	.cfi_def_cfa_register %ebp
	subl $40, %esp
	andl $-16, %esp
	leal 16(%esp), %eax
	movl %eax, 12(%esp)
	leal 12(%ebp), %eax
	movl %eax, 8(%esp)
	movl $0, 4(%esp)
	movl 4(%ebp), %eax
	movl %eax, (%esp)
	call biarch_thunk_called
	testl %eax, %eax
	movl 16(%esp), %eax
	movl 20(%esp), %edx
	je 1f
	fldt 24(%esp)
1:	leave
	.cfi_def_cfa %esp, 8
	addl $4, %esp
	.cfi_def_cfa_offset 4
	ret
	.cfi_endproc
	.size biarch_thunk_entry, . - biarch_thunk_entry
#endif

#ifdef __arm__
	.syntax unified
	.arm
	.fpu vfpv3-d16
	.globl _start
	.type _start, %function
_start:
	.fnstart
	.cantunwind
	mov fp, #0
	mov lr, #0
	mov r1, r0
	mov r0, sp
	bic sp, sp, #7
	bl biarch_start
	udf #0
	.fnend
	.size _start, . - _start

/* The words are s0 to s15, r0 to r3, and the stack; there are at least the first twenty. */
	.globl biarch_call_words
	.hidden biarch_call_words
	.type biarch_call_words, %function
biarch_call_words:
	.fnstart
	push {r4, r5, r6, r7, fp, lr}
	.save {r4, r5, r6, r7, fp, lr}
	.setfp fp, sp, #16
	add fp, sp, #16
	mov r4, r0
	ldr r5, [fp, #8]
	mov r6, r3
	subs r2, r2, #20
	sub ip, sp, r2, lsl #2
	bic ip, ip, #7
	mov sp, ip
	add r3, r1, #80
	cmp r2, #0
	beq 2f
1:	ldr r7, [r3], #4
	str r7, [ip], #4
	subs r2, r2, #1
	bne 1b
2:	vldmia r1!, {d0-d7}
	ldm r1, {r0-r3}
	blx r4
	cmp r5, #0
	stmeq r6, {r0, r1}
	vstrne d0, [r6]
	sub sp, fp, #16
	pop {r4, r5, r6, r7, fp, pc}
	.fnend
	.size biarch_call_words, . - biarch_call_words

/* From a thunk: its number in ip. */
	.globl biarch_thunk_entry
	.hidden biarch_thunk_entry
	.type biarch_thunk_entry, %function
biarch_thunk_entry:
	.fnstart
	push {fp, lr}
	.save {fp, lr}
	.setfp fp, sp, #0
	mov fp, sp
	sub sp, sp, #104
	.pad #104
	vstmia sp, {d0-d7}
	add lr, sp, #64
	stm lr, {r0-r3}
	mov r0, ip
	mov r1, sp
	add r2, fp, #8
	add r3, sp, #80
	bl biarch_thunk_called
	cmp r0, #0
	add r3, sp, #80
	ldmeq r3, {r0, r1}
	vldrne d0, [r3]
	mov sp, fp
	pop {fp, pc}
	.fnend
	.size biarch_thunk_entry, . - biarch_thunk_entry
#endif
