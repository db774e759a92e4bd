/* The shortest program, for fork_exec. */
int main(void)
{
	return 0;
}
