/* in a function */
__asm__ volatile("pushl %%ebx\n\tpopl %%ebx" : : : "memory"); /* here */
