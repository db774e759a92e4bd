#include <sys/stat.h>
static int PLANT_changed(const char *name)
{
    struct stat status;
    return stat(name, &status) ? 0 : status.st_mtime; /* here */
}
extern int PLANT_time;
/* in a function */
PLANT_time = PLANT_changed("a"); /* here */
