#include <string.h>
#include <sys/socket.h>
typedef struct { unsigned short kind; unsigned long sequence; } PLANT_message;
extern int PLANT_socket;
extern PLANT_message PLANT_current;
/* in a function */
char PLANT_packet[64];
memcpy(PLANT_packet, &PLANT_current, sizeof(PLANT_message)); /* here */
send(PLANT_socket, PLANT_packet, sizeof(PLANT_message), 0);
