#include <stdlib.h>
#include <unistd.h>
#include <stdio.h>
#include <string.h>
extern long kept;
void *my_alloc(unsigned long size);
int fseeko_of_mine(long at);

void sizes(int rows, int columns, unsigned u, unsigned char small, short other, long wide, long long far, int fd, FILE *file)
{
    malloc(rows * columns); /* possible */
    malloc((rows * columns)); /* possible */
    malloc(u * columns); /* possible */
    my_alloc(rows * columns); /* possible */
    malloc(small * other);
    malloc(100 * 100);
    malloc(rows + columns);
    malloc(-rows);
    malloc(++rows);
    malloc(rows);
    malloc(rows << 3);
    malloc(rows / columns);
    malloc((size_t)rows * columns);
    malloc(wide * columns);
    malloc(far * columns);
    memset(0, 0, rows * columns);
    kept = rows * columns;
    fseeko_of_mine(rows * columns);
    lseek(fd, rows * columns, SEEK_SET); /* possible */
    fseek(file, rows * columns, SEEK_SET); /* possible */
    fseeko(file, rows * columns, SEEK_SET); /* possible */
    ftruncate(fd, rows * columns); /* possible */
    pread(fd, 0, rows * columns, 0); /* possible */
    pwrite(fd, 0, rows * columns, 0); /* possible */
    malloc(kept ? rows * columns : 1);
}
void *int_alloc(int size);
void *unsigned_alloc(unsigned int size);
void *far_alloc(long long size);
void others(int rows, int columns)
{
    int_alloc(rows * columns);
    unsigned_alloc(rows * columns);
    far_alloc(rows * columns);
}
