#include <unistd.h>
/* in a function */
execl("/bin/ls", "ls", "-l", 0); /* here */
