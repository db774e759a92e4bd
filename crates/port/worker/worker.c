/* Parses C and C++ by libclang, and writes what `port` has to know of it.
 *
 * A process of its own, because biarch is a static program and cannot load a library, and because what makes clang crash, or
 * need too much memory, must cost one file and not the analysis.
 *
 * Reads requests from descriptor 0 and writes answers to descriptor 1, until the end of its input. A request is a number of
 * strings: the file, the arguments of clang. An answer is a number of records. Numbers are LEB128, strings a length and bytes;
 * crates/port/src/ast/decode.rs reads the same.
 *
 * argv[1]: the most memory, in MiB. argv[2]: the most seconds for one request. argv[3]: functions that look a symbol up by its name,
 * with commas between them. argv[4]...: libraries to try, until one can be loaded. */
#define _GNU_SOURCE
#include "libclang.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#define DEFINE(result, name, parameters) result (*name) parameters;
LIBCLANG(DEFINE)

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* ---- what is written ---- */

static unsigned char out[1 << 16];
static size_t out_length;

static void out_flush(void)
{
    for (size_t done = 0; done < out_length;) {
        ssize_t count = write(1, out + done, out_length - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            exit(1);
        done += (size_t)count;
    }
    out_length = 0;
}

static void put_byte(unsigned char byte)
{
    if (out_length == sizeof out)
        out_flush();
    out[out_length++] = byte;
}

/* The bytes of a number, at most. */
#define LONGEST 10

static void put(uint64_t value)
{
    if (sizeof out - out_length < LONGEST)
        out_flush();
    while (value >= 0x80) {
        out[out_length++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    out[out_length++] = (unsigned char)value;
}

/* Zigzag, so that small negative numbers are short. */
static void put_signed(int64_t value)
{
    put((uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_text(const char *text)
{
    size_t length = text ? strlen(text) : 0;
    put(length);
    if (length > sizeof out - out_length)
        out_flush();
    if (length > sizeof out)
        for (size_t i = 0; i < length; i++)
            put_byte((unsigned char)text[i]);
    else if (length) {
        memcpy(out + out_length, text, length);
        out_length += length;
    }
}

static void put_string(CXString string)
{
    put_text(clang_getCString(string));
    clang_disposeString(string);
}

/* What a record begins with. */
enum { END, FILE_NAME, TYPE, DECLARATION, NODE, UP, DIAGNOSTIC, INCLUSION, FAILURE, PROPERTY, MACRO, CONSTANT, SYMBOL };

/* ---- what has been written, by address ---- */

struct seen { const void *key[2]; int tag; unsigned number; };
static struct {
    struct seen *slots;
    size_t size, used;
    unsigned next[3];
} seen;
enum { SEEN_FILE, SEEN_TYPE, SEEN_DECLARATION };

static void seen_clear(void)
{
    if (!seen.slots) {
        seen.size = 1 << 12;
        if (!(seen.slots = calloc(seen.size, sizeof *seen.slots)))
            fail("worker", "no memory");
    }
    memset(seen.slots, 0, seen.size * sizeof *seen.slots);
    seen.used = 0;
    memset(seen.next, 0, sizeof seen.next);
}

static struct seen *seen_slot(struct seen *slots, size_t size, int tag, const void *a, const void *b)
{
    uint64_t hash = ((uintptr_t)a * 0x9e3779b97f4a7c15u ^ (uintptr_t)b * 0xc2b2ae3d27d4eb4fu) + (unsigned)tag;
    hash ^= hash >> 29;
    for (size_t at = hash * 0xbf58476d1ce4e5b9u >> 20;; at++) {
        struct seen *slot = &slots[at & (size - 1)];
        if (!slot->number || (slot->key[0] == a && slot->key[1] == b && slot->tag == tag))
            return slot;
    }
}

/* The number of this thing, from 1; *new says whether it has just been given. */
static unsigned seen_number(int tag, const void *a, const void *b, int *new)
{
    if (seen.used * 2 > seen.size) {
        struct seen *larger = calloc(seen.size * 2, sizeof *larger);
        if (!larger)
            fail("worker", "no memory");
        for (size_t i = 0; i < seen.size; i++) {
            struct seen *old = &seen.slots[i];
            if (old->number)
                *seen_slot(larger, seen.size * 2, old->tag, old->key[0], old->key[1]) = *old;
        }
        free(seen.slots);
        seen.slots = larger;
        seen.size *= 2;
    }
    struct seen *slot = seen_slot(seen.slots, seen.size, tag, a, b);
    *new = !slot->number;
    if (*new) {
        *slot = (struct seen){{a, b}, tag, ++seen.next[tag]};
        seen.used++;
    }
    return slot->number;
}

/* ---- files, places ---- */

static unsigned file_number(CXFile file)
{
    int new;
    if (!file)
        return 0;
    unsigned number = seen_number(SEEN_FILE, file, NULL, &new);
    if (new) {
        put_byte(FILE_NAME);
        put_string(clang_getFileName(file));
    }
    return number;
}

/* A place: the file, first and last offset as the reader of the file sees them; and, where a macro has made the text, the file and
 * offset at which the text is. */
struct place { unsigned file, start, end, macro_file, macro_start; };

/* clang's own mark of what a macro has made; clang_getSpellingLocation says where that is, and is slow. */
#define OF_MACRO 0x80000000u

/* The file that was asked for last: clang numbers places through all that it has read, so that one within the same file is as far from
 * its beginning as its number. */
static struct { CXFile file; const void *of; unsigned first; size_t size; } last;

static CXTranslationUnit unit;

/* Where the text of a macro is used, or the text itself is. */
static unsigned expansion(CXSourceLocation location, CXFile *file)
{
    unsigned offset;
    if (last.file && !(location.int_data & OF_MACRO) && location.ptr_data[0] == last.of && location.int_data - last.first <= last.size) {
        *file = last.file;
        return location.int_data - last.first;
    }
    clang_getExpansionLocation(location, file, NULL, NULL, &offset);
    if (*file && !(location.int_data & OF_MACRO)) {
        last.file = clang_getFileContents(unit, *file, &last.size) ? *file : NULL;
        last.of = location.ptr_data[0];
        last.first = location.int_data - offset;
    }
    return offset;
}

static struct place place(CXSourceRange range)
{
    struct place place = {0};
    CXFile file, other;
    CXSourceLocation start = clang_getRangeStart(range);
    place.start = expansion(start, &file);
    place.end = expansion(clang_getRangeEnd(range), &other);
    if (other != file || place.end < place.start)
        place.end = place.start;
    place.file = file_number(file);
    if (start.int_data & OF_MACRO) {
        clang_getSpellingLocation(start, &file, NULL, NULL, &place.macro_start);
        place.macro_file = file_number(file);
    }
    return place;
}

static void put_place(const struct place *place)
{
    put(place->file);
    put(place->start);
    put(place->end - place->start);
    put(place->macro_file);
    if (place->macro_file)
        put(place->macro_start);
}

/* ---- types and declarations: each is written before what refers to it, but for pointers in circles ---- */

static unsigned declaration_number(CXCursor cursor);

static unsigned type_number(CXType type)
{
    int new;
    if (type.kind == CXType_Invalid)
        return 0;
    unsigned number = seen_number(SEEN_TYPE, type.data[0], type.data[1], &new);
    if (!new)
        return number;
    CXType canonical = clang_getCanonicalType(type);
    int is_canonical = canonical.data[0] == type.data[0];
    unsigned canonical_number = is_canonical ? number : type_number(canonical);
    /* clang stands for what is no type by types that it takes for impossible where a size is asked for, and crashes: that of
     * __builtin_va_start, of a name that is overloaded. */
    int sized = canonical.kind != CXType_Unexposed && canonical.kind != CXType_Overload && canonical.kind != CXType_Dependent;
    CXType inner = {0};
    long long count = -1;
    unsigned declaration = 0;
    int is_function = 0;
    switch (type.kind) {
    case CXType_Pointer: case CXType_LValueReference: case CXType_RValueReference:
        inner = clang_getPointeeType(type);
        break;
    case CXType_ConstantArray: case CXType_Vector:
        count = clang_getNumElements(type);
        inner = clang_getElementType(type);
        break;
    case CXType_Complex: case CXType_IncompleteArray: case CXType_VariableArray: case CXType_DependentSizedArray:
        inner = clang_getElementType(type);
        break;
    case CXType_Elaborated:
        inner = clang_Type_getNamedType(type);
        break;
    case CXType_FunctionProto: case CXType_FunctionNoProto:
        inner = clang_getResultType(type);
        is_function = 1;
        break;
    case CXType_Record: case CXType_Enum: case CXType_Typedef:
        declaration = declaration_number(clang_getTypeDeclaration(type));
        break;
    }
    unsigned inner_number = type_number(inner);
    int arguments = is_function ? clang_getNumArgTypes(type) : 0;
    unsigned numbers[64];
    if (arguments > 64)
        arguments = 64;
    for (int i = 0; i < arguments; i++)
        numbers[i] = type_number(clang_getArgType(type, (unsigned)i));
    put_byte(TYPE);
    put(number);
    put((unsigned)type.kind);
    put_string(clang_getTypeSpelling(type));
    put(canonical_number);
    long long size = sized ? clang_Type_getSizeOf(type) : -1;
    put_signed(size);
    /* That of an array whose elements nobody has defined crashes. */
    put_signed(size >= 0 ? clang_Type_getAlignOf(type) : -1);
    put(inner_number);
    put_signed(count);
    put(declaration);
    put(clang_isConstQualifiedType(type));
    put(is_function ? clang_isFunctionTypeVariadic(type) : 0);
    put((unsigned)(arguments < 0 ? 0 : arguments));
    for (int i = 0; i < arguments; i++)
        put(numbers[i]);
    return number;
}

static int member(CXCursor cursor, CXClientData data)
{
    (void)data;
    declaration_number(cursor);
    return CXChildVisit_Continue;
}

static void put_attribute(CXCursor cursor, unsigned owner);

static int attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (cursor.kind >= CXCursor_FirstAttr && cursor.kind <= CXCursor_LastAttr)
        put_attribute(cursor, *(unsigned *)data);
    return CXChildVisit_Continue;
}

static int is_function(int kind)
{
    return kind == CXCursor_FunctionDecl || (kind >= CXCursor_CXXMethod && kind <= CXCursor_ConversionFunction && kind != CXCursor_Namespace && kind != CXCursor_LinkageSpec);
}

/* ---- what is looked up by its name ---- */

/* The functions that look a symbol up when the program runs: argv[3]. */
enum { LOOKUPS = 8 };
static const char *lookup_names[LOOKUPS];

static struct {
    /* Their numbers in this file, 0 where it does not declare them. */
    unsigned functions[LOOKUPS];
    /* How many calls of them are around what is being written. */
    unsigned calls;
    /* The literals in these calls, with their quotes. */
    CXString *literals;
    unsigned count, room;
} lookups;

static void lookups_clear(void)
{
    memset(lookups.functions, 0, sizeof lookups.functions);
    lookups.calls = 0;
    while (lookups.count)
        clang_disposeString(lookups.literals[--lookups.count]);
}

static void lookup_declared(const char *name, unsigned number)
{
    for (unsigned i = 0; name && i < LOOKUPS && lookup_names[i]; i++)
        if (!strcmp(name, lookup_names[i]))
            lookups.functions[i] = number;
}

static int is_lookup(unsigned declaration)
{
    for (unsigned i = 0; i < LOOKUPS; i++)
        if (declaration && lookups.functions[i] == declaration)
            return 1;
    return 0;
}

static void lookup_literal(CXCursor cursor)
{
    if (lookups.count == lookups.room) {
        unsigned room = lookups.room ? lookups.room * 2 : 16;
        CXString *larger = realloc(lookups.literals, room * sizeof *larger);
        if (!larger)
            fail("worker", "no memory");
        lookups.literals = larger;
        lookups.room = room;
    }
    lookups.literals[lookups.count++] = clang_getCursorSpelling(cursor);
}

static int is_looked_up(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    for (unsigned i = 0; length && i < lookups.count; i++) {
        const char *literal = clang_getCString(lookups.literals[i]);
        if (literal && *literal == '"' && !strncmp(literal + 1, name, length) && !strcmp(literal + 1 + length, "\""))
            return 1;
    }
    return 0;
}

/* The number of what declares something. Of functions and variables the first declaration stands for all. */
static unsigned declaration_number(CXCursor cursor)
{
    int new;
    if (cursor.kind >= CXCursor_FirstRef)
        return 0;
    CXCursor canonical = clang_getCanonicalCursor(cursor);
    unsigned number = seen_number(SEEN_DECLARATION, canonical.data[0], NULL, &new);
    if (!new)
        return number;
    int kind = cursor.kind, is_record = kind >= CXCursor_StructDecl && kind <= CXCursor_ClassDecl;
    /* Where a type is defined says more than where it is named first. */
    CXCursor definition = is_record ? clang_getCursorDefinition(cursor) : canonical;
    CXCursor shown = definition.kind >= CXCursor_StructDecl && definition.kind < CXCursor_FirstRef ? definition : cursor;
    CXType type = clang_getCursorType(shown);
    unsigned type_of = type_number(type), underlying = 0;
    if (kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl)
        underlying = type_number(clang_getTypedefDeclUnderlyingType(cursor));
    else if (kind == CXCursor_EnumDecl)
        underlying = type_number(clang_getEnumDeclIntegerType(cursor));
    unsigned parent = kind == CXCursor_FieldDecl ? declaration_number(clang_getCursorSemanticParent(cursor)) : 0;
    CXSourceLocation location = clang_getCursorLocation(shown);
    struct place where = place(clang_getCursorExtent(shown));
    unsigned name_start = 0;
    clang_getExpansionLocation(location, NULL, NULL, NULL, &name_start);
    put_byte(DECLARATION);
    put(number);
    put((unsigned)kind);
    CXString name = clang_getCursorSpelling(shown);
    if (kind == CXCursor_FunctionDecl)
        lookup_declared(clang_getCString(name), number);
    put_string(name);
    put(type_of);
    put(underlying);
    put(parent);
    put_place(&where);
    put(name_start);
    put((unsigned)clang_Location_isInSystemHeader(location));
    put((unsigned)clang_getCursorLinkage(shown));
    put((unsigned)clang_Cursor_getStorageClass(shown));
    put_signed(kind == CXCursor_FieldDecl ? clang_Cursor_getOffsetOfField(cursor) : -1);
    put_signed(kind == CXCursor_FieldDecl && clang_Cursor_isBitField(cursor) ? clang_getFieldDeclBitWidth(cursor) : -1);
    put_signed(kind == CXCursor_EnumConstantDecl ? clang_getEnumConstantDeclValue(cursor) : 0);
    if (is_record)
        clang_Type_visitFields(type, member, NULL);
    if (is_record || is_function(kind))
        clang_visitChildren(shown, attribute, &number);
    if (kind == CXCursor_CXXMethod) {
        CXCursor *overridden;
        unsigned count;
        clang_getOverriddenCursors(shown, &overridden, &count);
        for (unsigned i = 0; i < count; i++) {
            unsigned other = declaration_number(overridden[i]);
            put_byte(PROPERTY);
            put(number);
            put_text("overrides");
            put(other);
        }
        clang_disposeOverriddenCursors(overridden);
    }
    return number;
}

/* An attribute as it is spelled: libclang knows few of them. */
static void put_attribute(CXCursor cursor, unsigned owner)
{
    CXToken *tokens = NULL;
    unsigned count = 0;
    char text[256];
    size_t length = 0;
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file;
    unsigned start, end;
    size_t size = 0;
    clang_getSpellingLocation(clang_getRangeStart(range), &file, NULL, NULL, &start);
    /* Those of what the compiler has built in are not written anywhere, and clang_tokenize() crashes there. */
    if (!file || !clang_getFileContents(unit, file, &size) || start >= size)
        return;
    /* What a macro has made begins in its definition and ends where it is used, megabytes later. */
    end = size - start < sizeof text ? (unsigned)size : start + (unsigned)sizeof text;
    if (clang_getRangeEnd(range).int_data - clang_getRangeStart(range).int_data > end - start)
        range = clang_getRange(clang_getLocationForOffset(unit, file, start), clang_getLocationForOffset(unit, file, end));
    clang_tokenize(unit, range, &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        CXString token = clang_getTokenSpelling(unit, tokens[i]);
        const char *spelled = clang_getCString(token);
        size_t more = strlen(spelled);
        if (length + more + 1 < sizeof text) {
            memcpy(text + length, spelled, more);
            length += more;
        }
        clang_disposeString(token);
    }
    text[length] = 0;
    clang_disposeTokens(unit, tokens, count);
    put_byte(PROPERTY);
    put(owner);
    put_text(text);
    put((unsigned)cursor.kind);
}

/* ---- the tree ---- */

/* As deep as anybody has written; deeper is generated, and is left out. */
#define MAX_DEPTH 3000

/* The nodes that are open, the outermost first: libclang walks the whole tree in one go, and says of each node what it is in. */
static struct { CXCursor cursor; unsigned looks_up; } levels[MAX_DEPTH + 1];
static unsigned depth;

/* Whether they are the same node: as clang_equalCursors(), of two that come from one walk. */
static int is_same(const CXCursor *a, const CXCursor *b)
{
    return a->data[1] == b->data[1] && a->data[0] == b->data[0] && a->kind == b->kind;
}

/* The other tree of the same file says where things are: this one only where something may be in one of them alone. To find the end of what
 * somebody has written is half the work of a walk. */
#define BRIEF "-biarch-brief"
static int is_brief;

/* Whether its parts are as many in both trees. */
static int has_fixed_parts(int kind)
{
    switch (kind) {
    case CXCursor_UnexposedExpr: case CXCursor_MemberRefExpr: case CXCursor_ParenExpr: case CXCursor_UnaryOperator:
    case CXCursor_ArraySubscriptExpr: case CXCursor_BinaryOperator: case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator: case CXCursor_CStyleCastExpr:
        return 1;
    default:
        return 0;
    }
}

static void close_node(void)
{
    lookups.calls -= levels[--depth].looks_up;
    put_byte(UP);
}

/* How the value of a node is given. */
enum { NO_VALUE, SIGNED_VALUE, UNSIGNED_VALUE, TEXT_VALUE };

/* Whether it is `const`, and a whole number. */
static int is_constant_integer(CXType type)
{
    int kind = clang_getCanonicalType(type).kind;
    return clang_isConstQualifiedType(type) && kind >= CXType_Bool && kind <= CXType_Int128;
}

static void put_value(CXCursor cursor, CXType type, int names_variable)
{
    switch (cursor.kind) {
    case CXCursor_IntegerLiteral: case CXCursor_CharacterLiteral: case CXCursor_UnaryExpr:
        break;
    case CXCursor_DeclRefExpr: case CXCursor_MemberRefExpr:
        /* A constant with a name, as std::string::npos. */
        if (names_variable && is_constant_integer(type))
            break;
        put(NO_VALUE);
        return;
    /* What a call in a template may call: of it the name is known. */
    case CXCursor_OverloadedDeclRef:
    case CXCursor_StringLiteral:
        put(TEXT_VALUE);
        put_string(clang_getCursorSpelling(cursor));
        return;
    default:
        put(NO_VALUE);
        return;
    }
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (!result) {
        put(NO_VALUE);
        return;
    }
    switch (clang_EvalResult_getKind(result)) {
    case CXEval_Int:
        if (clang_EvalResult_isUnsignedInt(result)) {
            put(UNSIGNED_VALUE);
            put(clang_EvalResult_getAsUnsigned(result));
        } else {
            put(SIGNED_VALUE);
            put_signed(clang_EvalResult_getAsLongLong(result));
        }
        break;
    default:
        put(NO_VALUE);
    }
    clang_EvalResult_dispose(result);
}

/* Whether what is compiled beforehand is part of the unit: libclang goes over what is declared beside that, and over what the functions of
 * templates have become. */
static int is_beside;

/* Whether it is what a template has become, and not one that somebody has written for a type. */
static int is_instance(CXCursor cursor)
{
    if (!is_function(cursor.kind))
        return 0;
    CXCursor of = clang_getSpecializedCursorTemplate(cursor), definition = clang_getCursorDefinition(of);
    unsigned at = clang_getCursorLocation(cursor).int_data;
    return of.kind >= CXCursor_StructDecl && of.kind < CXCursor_FirstRef
        && (clang_getCursorLocation(of).int_data == at || clang_getCursorLocation(definition).int_data == at);
}

static int node(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const CXCursor *root = data;
    int is_top = parent.kind == root->kind;
    while (depth && (is_top || !is_same(&levels[depth - 1].cursor, &parent)))
        close_node();
    /* The constant of `case`, and what it is made of, are one node for libclang. */
    if (depth && is_same(&levels[depth - 1].cursor, &cursor))
        return CXChildVisit_Recurse;
    /* What the system's headers declare is written where it is used. */
    if (is_top && (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) || (is_beside && is_instance(cursor))))
        return CXChildVisit_Continue;
    int kind = cursor.kind, is_declaration = kind < CXCursor_FirstRef, is_expression = kind >= CXCursor_FirstExpr && kind <= CXCursor_LastExpr;
    if (kind >= CXCursor_FirstAttr && kind <= CXCursor_LastAttr)
        return CXChildVisit_Continue;
    CXType of = {0};
    if (is_declaration || is_expression || (kind >= CXCursor_FirstRef && kind <= CXCursor_LastRef))
        of = clang_getCursorType(cursor);
    unsigned type = type_number(of);
    unsigned declaration = 0;
    int names_variable = 0;
    if (is_declaration)
        declaration = declaration_number(cursor);
    else if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr || kind == CXCursor_CallExpr) {
        CXCursor referenced = clang_getCursorReferenced(cursor);
        names_variable = referenced.kind == CXCursor_VarDecl;
        declaration = declaration_number(referenced);
    }
    struct place where = {0};
    if (!is_brief || !depth || !has_fixed_parts(levels[depth - 1].cursor.kind))
        where = place(clang_getCursorExtent(cursor));
    int operator = 0;
    if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator)
        operator = clang_getCursorBinaryOperatorKind(cursor);
    else if (kind == CXCursor_UnaryOperator)
        operator = clang_getCursorUnaryOperatorKind(cursor);
    put_byte(NODE);
    put((unsigned)kind);
    put(type);
    put(declaration);
    put((unsigned)operator);
    put_place(&where);
    put_value(cursor, of, names_variable);
    if (kind == CXCursor_StringLiteral && lookups.calls)
        lookup_literal(cursor);
    levels[depth].cursor = cursor;
    levels[depth].looks_up = kind == CXCursor_CallExpr && is_lookup(declaration);
    lookups.calls += levels[depth++].looks_up;
    return depth <= MAX_DEPTH ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* The functions that are looked up and that a header declares, which nothing else in the file may use. In C++ the name of a function is
 * its symbol only if it has C's linkage, which the reader tells by what is around it. */
static int symbol(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)data;
    if (cursor.kind == CXCursor_LinkageSpec)
        return CXChildVisit_Recurse;
    if (cursor.kind != CXCursor_FunctionDecl)
        return CXChildVisit_Continue;
    CXString name = clang_getCursorSpelling(cursor);
    int is_wanted = is_looked_up(clang_getCString(name));
    clang_disposeString(name);
    if (is_wanted) {
        unsigned number = declaration_number(cursor);
        put_byte(SYMBOL);
        put(number);
        put(parent.kind == CXCursor_LinkageSpec);
    }
    return CXChildVisit_Continue;
}

static void inclusion(CXFile file, CXSourceLocation *stack, unsigned levels, CXClientData data)
{
    (void)data;
    unsigned number = file_number(file);
    put_byte(INCLUSION);
    put(number);
    put(levels ? (unsigned)clang_Location_isInSystemHeader(stack[0]) : 0);
}

/* Whether it is said of what a template has become. */
static int is_of_instantiation(CXDiagnostic diagnostic)
{
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
    unsigned count = clang_getNumDiagnosticsInSet(notes);
    int is_one = 0;
    for (unsigned i = 0; i < count && !is_one; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        CXString text = clang_getDiagnosticSpelling(note);
        const char *said = clang_getCString(text);
        is_one = said && !strncmp(said, "in instantiation of", sizeof "in instantiation of" - 1);
        clang_disposeString(text);
        clang_disposeDiagnostic(note);
    }
    return is_one;
}

static void diagnostics(void)
{
    unsigned count = clang_getNumDiagnostics(unit);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
        CXFile file;
        struct place where = {0};
        clang_getExpansionLocation(location, &file, NULL, NULL, &where.start);
        where.end = where.start;
        where.file = file_number(file);
        if (clang_getDiagnosticNumRanges(diagnostic)) {
            struct place range = place(clang_getDiagnosticRange(diagnostic, 0));
            if (range.file == where.file && range.end > where.start && range.start <= where.start)
                where.end = range.end;
        }
        put_byte(DIAGNOSTIC);
        put((unsigned)clang_getDiagnosticSeverity(diagnostic));
        put_string(clang_getDiagnosticOption(diagnostic, NULL));
        put_string(clang_getDiagnosticSpelling(diagnostic));
        put_place(&where);
        put((unsigned)clang_Location_isInSystemHeader(location));
        put((unsigned)is_of_instantiation(diagnostic));
        clang_disposeDiagnostic(diagnostic);
    }
}

/* ---- macros ---- */

/* A file that is only here: a request with the first argument MACROS and its text is for what it defines and declares, not for its tree. */
#define MACROS_FILE "/biarch/macros.c"
#define MACROS "-biarch-macros="
/* Before the name of a macro: a variable with its value. crates/port/src/interface.rs writes them. */
#define VARIABLE "biarch_macro_"

enum { INTEGER_CONSTANT, UNSIGNED_CONSTANT, FLOATING_CONSTANT, TEXT_CONSTANT };

static void put_constant(CXCursor cursor, const char *name)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    int kind = result ? clang_EvalResult_getKind(result) : 0;
    if (kind == CXEval_Int || kind == CXEval_Float || kind == CXEval_StrLiteral) {
        put_byte(CONSTANT);
        put_text(name);
    }
    if (kind == CXEval_Int && clang_EvalResult_isUnsignedInt(result)) {
        put(UNSIGNED_CONSTANT);
        put(clang_EvalResult_getAsUnsigned(result));
    } else if (kind == CXEval_Int) {
        put(INTEGER_CONSTANT);
        put_signed(clang_EvalResult_getAsLongLong(result));
    } else if (kind == CXEval_Float) {
        double number = clang_EvalResult_getAsDouble(result);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        put(FLOATING_CONSTANT);
        put(bits);
    } else if (kind == CXEval_StrLiteral) {
        put(TEXT_CONSTANT);
        put_text(clang_EvalResult_getAsStr(result));
    }
    if (result)
        clang_EvalResult_dispose(result);
}

static int of_macros(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    (void)data;
    if (cursor.kind == CXCursor_VarDecl) {
        CXString name = clang_getCursorSpelling(cursor);
        const char *text = clang_getCString(name);
        if (text && !strncmp(text, VARIABLE, sizeof VARIABLE - 1))
            put_constant(cursor, text + sizeof VARIABLE - 1);
        clang_disposeString(name);
        return CXChildVisit_Continue;
    }
    CXFile file;
    CXSourceRange range = clang_getCursorExtent(cursor);
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, NULL);
    if (cursor.kind != CXCursor_MacroDefinition || !file || clang_Cursor_isMacroBuiltin(cursor)
        || clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(unit, range, &tokens, &count);
    put_byte(MACRO);
    put_string(clang_getCursorSpelling(cursor));
    put(clang_Cursor_isMacroFunctionLike(cursor) != 0);
    put(count ? count - 1 : 0);
    /* The first one is the name. */
    for (unsigned i = 1; i < count; i++)
        put_string(clang_getTokenSpelling(unit, tokens[i]));
    clang_disposeTokens(unit, tokens, count);
    return CXChildVisit_Continue;
}

/* ---- requests ---- */

static int get_byte(void)
{
    static unsigned char in[1 << 12];
    static size_t length, at;
    if (at == length) {
        ssize_t count;
        do
            count = read(0, in, sizeof in);
        while (count < 0 && errno == EINTR);
        if (count <= 0)
            return -1;
        length = (size_t)count;
        at = 0;
    }
    return in[at++];
}

/* -1 at the end of the input. */
static int64_t get(void)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        int byte = get_byte();
        if (byte < 0)
            return -1;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return (int64_t)value;
    }
    return -1;
}

static char *get_text(void)
{
    int64_t length = get();
    char *text = length < 0 || length > 1 << 26 ? NULL : malloc((size_t)length + 1);
    if (!text)
        fail("worker", "not a request");
    for (int64_t i = 0; i < length; i++)
        text[i] = (char)get_byte();
    text[length] = 0;
    return text;
}

/* CXTranslationUnit_KeepGoing: a header that is missing costs what is in it, not the rest of the file. */
#define OPTIONS 0x200u

/* What the functions of templates become is left out, which nobody walks over, and which may take longer than all else in a file of C++;
 * the compiler does not say what it finds wrong there. CXTranslationUnit_Incomplete: as in a header that is compiled beforehand. */
#define UNINSTANTIATED "-biarch-uninstantiated"
#define WITHOUT_INSTANCES 2u

/* What the headers of a 64-bit C library include when they are read for 32 bits, and need not have. crates/port/src/headers.rs names
 * the directory, which is only here. */
#define STUB(name) {"/biarch/gnu/" name, "", 0}
static CXUnsavedFile stubs[] = {STUB("stubs-32.h"), STUB("stubs-hard.h"), STUB("stubs-soft.h"), STUB("stubs-lp64.h")};

/* CXTranslationUnit_DetailedPreprocessingRecord */
#define WITH_MACROS 1u

static void answer_macros(CXIndex index, char **words, int count)
{
    const char *text = words[1] + sizeof MACROS - 1;
    CXUnsavedFile files[sizeof stubs / sizeof *stubs + 1] = {{MACROS_FILE, text, strlen(text)}};
    memcpy(files + 1, stubs, sizeof stubs);
    int error = clang_parseTranslationUnit2(index, MACROS_FILE, (const char *const *)words + 2, count - 2, files, sizeof files / sizeof *files,
        OPTIONS | WITH_MACROS, &unit);
    if (error) {
        put_byte(FAILURE);
        put((unsigned)error);
    } else {
        clang_visitChildren(clang_getTranslationUnitCursor(unit), of_macros, NULL);
        clang_disposeTranslationUnit(unit);
    }
    put_byte(END);
    out_flush();
}

/* A header is compiled for those that include it, into the file that this names; the answer is what it includes. */
#define PRECOMPILE "-biarch-precompile="
/* CXTranslationUnit_ForSerialization */
#define FOR_OTHERS 0x10u

static void answer_precompile(CXIndex index, char **words, int count)
{
    seen_clear();
    int error = clang_parseTranslationUnit2(index, words[0], (const char *const *)words + 2, count - 2, stubs, sizeof stubs / sizeof *stubs,
        OPTIONS | WITHOUT_INSTANCES | FOR_OTHERS, &unit);
    if (!error) {
        clang_getInclusions(unit, inclusion, NULL);
        /* CXSaveError: 1 is unknown, and CXErrorCode's 1 as well. */
        error = clang_saveTranslationUnit(unit, words[1] + sizeof PRECOMPILE - 1, 0) ? 1 : 0;
        clang_disposeTranslationUnit(unit);
    }
    if (error) {
        put_byte(FAILURE);
        put((unsigned)error);
    }
    put_byte(END);
    out_flush();
}

/* Indices of libclang: of everything, and of what is beside what was compiled beforehand. */
enum { ALL, BESIDE, INDICES };

static void answer(CXIndex *indices, char **words, int count)
{
    CXIndex index = indices[ALL];
    if (count > 1 && !strncmp(words[1], MACROS, sizeof MACROS - 1)) {
        answer_macros(index, words, count);
        return;
    }
    if (count > 1 && !strncmp(words[1], PRECOMPILE, sizeof PRECOMPILE - 1)) {
        answer_precompile(index, words, count);
        return;
    }
    seen_clear();
    lookups_clear();
    last.file = NULL;
    int first = 1;
    is_brief = first < count && !strcmp(words[first], BRIEF);
    first += is_brief;
    int is_uninstantiated = first < count && !strcmp(words[first], UNINSTANTIATED);
    first += is_uninstantiated;
    is_beside = first < count && !strcmp(words[first], "-include-pch");
    unsigned options = OPTIONS | (is_uninstantiated ? WITHOUT_INSTANCES : 0);
    int error = clang_parseTranslationUnit2(indices[is_beside ? BESIDE : ALL], words[0], (const char *const *)words + first, count - first, stubs, sizeof stubs / sizeof *stubs, options, &unit);
    if (error) {
        put_byte(FAILURE);
        put((unsigned)error);
    } else {
        clang_getInclusions(unit, inclusion, NULL);
        diagnostics();
        CXCursor root = clang_getTranslationUnitCursor(unit);
        clang_visitChildren(root, node, &root);
        while (depth)
            close_node();
        if (lookups.count)
            clang_visitChildren(root, symbol, NULL);
        /* They are the unit's. */
        lookups_clear();
        clang_disposeTranslationUnit(unit);
    }
    put_byte(END);
    out_flush();
}

static unsigned time_limit;

static void *serve(void *unused)
{
    (void)unused;
    CXIndex indices[INDICES] = {[ALL] = clang_createIndex(0, 0), [BESIDE] = clang_createIndex(1, 0)};
    for (;;) {
        int64_t count = get();
        if (count < 0)
            return NULL;
        if (count < 1 || count > 1 << 16)
            fail("worker", "not a request");
        char **words = calloc((size_t)count, sizeof *words);
        if (!words)
            fail("worker", "no memory");
        for (int64_t i = 0; i < count; i++)
            words[i] = get_text();
        /* Nobody catches SIGALRM. */
        alarm(time_limit);
        answer(indices, words, (int)count);
        alarm(0);
        for (int64_t i = 0; i < count; i++)
            free(words[i]);
        free(words);
    }
}

int main(int argc, char **argv)
{
    void *library = NULL;
    const char *loaded = "", *missing = NULL;
    /* Whoever has started this is gone: nobody reads the answer. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (argc > 3) {
        char *name = strtok(argv[3], ",");
        for (unsigned i = 0; name && i < LOOKUPS; i++, name = strtok(NULL, ","))
            lookup_names[i] = name;
        if (name)
            fail("worker", "more functions that look symbols up than there is room for");
    }
    for (int i = 4; i < argc && !library; i++)
        if ((library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL)))
            loaded = argv[i];
    if (!library)
        fail("libclang", argc > 4 ? dlerror() : "not named");
#define LOAD(result, name, parameters) \
    if (!(name = (result (*) parameters)dlsym(library, #name)) && !missing) \
        missing = #name;
    LIBCLANG(LOAD)
    if (missing) {
        fprintf(stderr, "libclang: %s has no %s: it is older than 17\n", loaded, missing);
        return 1;
    }
    struct link_map *map = NULL;
    /* Larger than usual, so that whoever reads is asked for less often; where that is refused, it is not. */
    fcntl(1, F_SETPIPE_SZ, 1 << 20);
    put_text(dlinfo(library, RTLD_DI_LINKMAP, &map) ? "" : map->l_name);
    put_string(clang_getClangVersion());
    out_flush();

    time_limit = (unsigned)atol(argv[2]);
    struct rlimit memory = {(rlim_t)atoll(argv[1]) << 20, (rlim_t)atoll(argv[1]) << 20}, none = {0, 0};
    setrlimit(RLIMIT_AS, &memory);
    /* What makes clang crash is reported as such, without a core of a gigabyte. */
    setrlimit(RLIMIT_CORE, &none);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    /* Nested expressions are nested calls, here and in clang. */
    pthread_attr_setstacksize(&attributes, 256 << 20);
    if (pthread_create(&thread, &attributes, serve, NULL))
        fail("worker", "no memory for its stack");
    pthread_join(thread, NULL);
    return 0;
}
