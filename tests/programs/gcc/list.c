#include "list.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list *list_push(struct list *list, const char *word) {
    struct list *new = malloc(sizeof *new);
    new->next = list;
    new->word = strdup(word);
    return new;
}
void list_print(const struct list *list) {
    for (; list; list = list->next) printf("%s ", list->word);
    putchar('\n');
}
void list_free(struct list *list) {
    while (list) {
        struct list *next = list->next;
        free(list->word);
        free(list);
        list = next;
    }
}
