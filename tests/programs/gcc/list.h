struct list { struct list *next; char *word; };
struct list *list_push(struct list *list, const char *word);
void list_print(const struct list *list);
void list_free(struct list *list);
