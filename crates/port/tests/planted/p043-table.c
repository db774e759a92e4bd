typedef long (*PLANT_handler)(long);
static int PLANT_work(int with)
{
    return with + 1;
}
struct PLANT_command { const char *name; PLANT_handler run; };
extern struct PLANT_command PLANT_commands[4];
/* in a function */
PLANT_commands[0].run = (PLANT_handler)PLANT_work; /* here */
