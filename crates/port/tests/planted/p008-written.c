#include <linux/fs.h>
#include <sys/ioctl.h>
typedef unsigned int PLANT_blocks;
struct PLANT_disk { int file; PLANT_blocks count; };
extern struct PLANT_disk PLANT_disk;
/* in a function */
ioctl(PLANT_disk.file, BLKGETSIZE, &PLANT_disk.count); /* here */
