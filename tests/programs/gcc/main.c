#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "list.h"

static void *worker(void *argument) {
    double *sum = argument;
    for (int i = 1; i < 100000; i++) *sum += sqrt((double)i);
    return NULL;
}

int main(int argc, char **argv) {
    struct list *list = NULL;
    for (int i = 1; i < argc; i++) list = list_push(list, argv[i]);
    list_print(list);
    list_free(list);
    pthread_t threads[4];
    double sums[4] = {0};
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, worker, &sums[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%.6f %zu %zu %lld\n", sums[3], sizeof(long), sizeof(void *), 1LL << 40);
    return argc;
}
