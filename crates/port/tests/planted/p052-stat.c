#include <sys/time.h>
#include <sys/types.h>
#include <sys/socket.h>
extern int PLANT_socket;
/* in a function */
struct timeval PLANT_sent;
gettimeofday(&PLANT_sent, 0);
sendto(PLANT_socket, &PLANT_sent, sizeof PLANT_sent, 0, 0, 0); /* here */
