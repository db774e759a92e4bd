/* Parses a document, with handlers that get the program's own data. */
#include <expat.h>
#include <stdio.h>
#include <string.h>

struct state { int depth, elements; size_t characters; XML_Parser parser; };

static void start(void *user, const XML_Char *name, const XML_Char **attributes)
{
	struct state *state = user;
	state->depth++;
	state->elements++;
	for (; *attributes; attributes += 2)
		if (state->elements < 10)
			printf("%*s%s %s=%s, line %lu\n", state->depth, "", name, attributes[0], attributes[1], (unsigned long)XML_GetCurrentLineNumber(state->parser));
}

static void end(void *user, const XML_Char *name)
{
	struct state *state = user;
	state->depth -= name[0] != 0;
}

static void characters(void *user, const XML_Char *text, int length)
{
	struct state *state = user;
	for (int i = 0; i < length; i++)
		state->characters += text[i] != ' ';
}

int main(void)
{
	struct state state = {0};
	XML_Parser parser = state.parser = XML_ParserCreate("UTF-8");
	XML_SetUserData(parser, &state);
	XML_SetElementHandler(parser, start, end);
	XML_SetCharacterDataHandler(parser, characters);
	printf("%s", XML_ExpatVersion());
	XML_Expat_Version version = XML_ExpatVersionInfo();
	printf(" %d\n", version.major);
	const char *begin = "<list>\n";
	int status = XML_Parse(parser, begin, (int)strlen(begin), 0);
	for (int i = 0; i < 2000 && status; i++) {
		char text[100];
		int length = snprintf(text, sizeof text, "<item number=\"%d\" kind='&lt;%c'>some text %d</item>\n", i, 'a' + i % 26, i);
		status = XML_Parse(parser, text, length, 0);
	}
	printf("%d\n", XML_Parse(parser, "</list>", 7, 1));
	printf("%d %d %zu\n", state.depth, state.elements, state.characters);
	XML_ParserReset(parser, NULL);
	printf("%d", XML_Parse(parser, "<a><b></a>", 10, 1));
	printf(" %s %lu\n", XML_ErrorString(XML_GetErrorCode(parser)), (unsigned long)XML_GetCurrentColumnNumber(parser));
	XML_ParserFree(parser);
	return 0;
}
