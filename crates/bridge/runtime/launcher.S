/* The launcher's file, inside the runtime. */
	.section .rodata
	.globl biarch_launcher, biarch_launcher_end
	.hidden biarch_launcher, biarch_launcher_end
biarch_launcher:
	.incbin LAUNCHER
biarch_launcher_end:
	.section .note.GNU-stack, "", @progbits
