/* Where it shows that something is not known, more may not be what it seems: in what names that, and in no other function. */
#include <Xm/nowhere.h>
#include <stdlib.h>
Widget *known;
struct widget { Widget *parent; int depth; };
void take(Widget *widget);
typedef Widget *widget_t;
char **names(int count) { return malloc(count * 4); } /* certain */
char **refused(int count) { other_t *other = 0; return malloc(count * 4); } /* probable */
char **of_member(struct widget *of) { return malloc(of->depth * 4); } /* probable */
char **taken(int count) { take(0); return malloc(count * 4); } /* probable */
char **of_type(int count) { widget_t it; return malloc(count * 4); } /* probable */
int inner(void) { return missing_here; }
char **calls(int count) { return malloc((count + inner()) * 4); } /* certain */
