/* What the worker uses of libclang's C interface, which is loaded when the worker runs: whoever only runs programs needs no
 * compiler. Types and functions are those of clang-c/Index.h, whose layouts LLVM keeps; 17 is the first release that has all. */
#ifndef LIBCLANG_H
#define LIBCLANG_H

#include <stddef.h>

typedef struct { const void *data; unsigned private_flags; } CXString;
typedef struct { int kind; int xdata; const void *data[3]; } CXCursor;
typedef struct { int kind; void *data[2]; } CXType;
typedef struct { const void *ptr_data[2]; unsigned int_data; } CXSourceLocation;
typedef struct { const void *ptr_data[2]; unsigned begin_int_data, end_int_data; } CXSourceRange;
typedef struct { void *int_data[5]; } CXPrinting;
typedef struct { const char *Filename, *Contents; unsigned long Length; } CXUnsavedFile;
typedef struct { unsigned int_data[4]; void *ptr_data; } CXToken;
typedef void *CXIndex, *CXTranslationUnit, *CXFile, *CXDiagnostic, *CXDiagnosticSet, *CXEvalResult, *CXClientData;
typedef int (*CXCursorVisitor)(CXCursor cursor, CXCursor parent, CXClientData data);
typedef int (*CXFieldVisitor)(CXCursor cursor, CXClientData data);
typedef void (*CXInclusionVisitor)(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data);

/* One row for each: result, name, parameters. */
#define LIBCLANG(F) \
    F(CXIndex, clang_createIndex, (int exclude_declarations, int display_diagnostics)) \
    F(int, clang_parseTranslationUnit2, (CXIndex index, const char *file, const char *const *argv, int argc, \
        CXUnsavedFile *unsaved, unsigned unsaved_count, unsigned options, CXTranslationUnit *unit)) \
    F(void, clang_disposeTranslationUnit, (CXTranslationUnit unit)) \
    F(CXString, clang_getClangVersion, (void)) \
    F(const char *, clang_getCString, (CXString string)) \
    F(void, clang_disposeString, (CXString string)) \
    F(CXCursor, clang_getTranslationUnitCursor, (CXTranslationUnit unit)) \
    F(unsigned, clang_visitChildren, (CXCursor parent, CXCursorVisitor visitor, CXClientData data)) \
    F(unsigned, clang_Type_visitFields, (CXType type, CXFieldVisitor visitor, CXClientData data)) \
    F(void, clang_getInclusions, (CXTranslationUnit unit, CXInclusionVisitor visitor, CXClientData data)) \
    F(CXSourceLocation, clang_getCursorLocation, (CXCursor cursor)) \
    F(CXSourceRange, clang_getCursorExtent, (CXCursor cursor)) \
    F(CXSourceLocation, clang_getRangeStart, (CXSourceRange range)) \
    F(CXSourceLocation, clang_getRangeEnd, (CXSourceRange range)) \
    F(CXSourceRange, clang_getRange, (CXSourceLocation start, CXSourceLocation end)) \
    F(CXSourceLocation, clang_getLocationForOffset, (CXTranslationUnit unit, CXFile file, unsigned offset)) \
    F(const char *, clang_getFileContents, (CXTranslationUnit unit, CXFile file, size_t *size)) \
    F(void, clang_getExpansionLocation, (CXSourceLocation location, CXFile *file, unsigned *line, unsigned *column, unsigned *offset)) \
    F(void, clang_getSpellingLocation, (CXSourceLocation location, CXFile *file, unsigned *line, unsigned *column, unsigned *offset)) \
    F(int, clang_Location_isInSystemHeader, (CXSourceLocation location)) \
    F(CXString, clang_getFileName, (CXFile file)) \
    F(CXType, clang_getCursorType, (CXCursor cursor)) \
    F(CXType, clang_getCanonicalType, (CXType type)) \
    F(CXType, clang_Type_getNamedType, (CXType type)) \
    F(CXString, clang_getTypeSpelling, (CXType type)) \
    F(CXType, clang_getPointeeType, (CXType type)) \
    F(CXType, clang_getElementType, (CXType type)) \
    F(long long, clang_getNumElements, (CXType type)) \
    F(CXType, clang_getResultType, (CXType type)) \
    F(int, clang_getNumArgTypes, (CXType type)) \
    F(CXType, clang_getArgType, (CXType type, unsigned index)) \
    F(unsigned, clang_isFunctionTypeVariadic, (CXType type)) \
    F(unsigned, clang_isConstQualifiedType, (CXType type)) \
    F(long long, clang_Type_getSizeOf, (CXType type)) \
    F(long long, clang_Type_getAlignOf, (CXType type)) \
    F(CXCursor, clang_getTypeDeclaration, (CXType type)) \
    F(CXType, clang_getTypedefDeclUnderlyingType, (CXCursor cursor)) \
    F(CXType, clang_getEnumDeclIntegerType, (CXCursor cursor)) \
    F(long long, clang_getEnumConstantDeclValue, (CXCursor cursor)) \
    F(CXString, clang_getCursorSpelling, (CXCursor cursor)) \
    F(CXString, clang_getCursorUSR, (CXCursor cursor)) \
    F(CXCursor, clang_getCursorReferenced, (CXCursor cursor)) \
    F(CXCursor, clang_getCursorDefinition, (CXCursor cursor)) \
    F(CXCursor, clang_getCanonicalCursor, (CXCursor cursor)) \
    F(CXCursor, clang_getCursorSemanticParent, (CXCursor cursor)) \
    F(CXCursor, clang_getSpecializedCursorTemplate, (CXCursor cursor)) \
    F(unsigned, clang_isCursorDefinition, (CXCursor cursor)) \
    F(int, clang_getCursorLinkage, (CXCursor cursor)) \
    F(int, clang_Cursor_getStorageClass, (CXCursor cursor)) \
    F(long long, clang_Cursor_getOffsetOfField, (CXCursor cursor)) \
    F(unsigned, clang_Cursor_isBitField, (CXCursor cursor)) \
    F(int, clang_getFieldDeclBitWidth, (CXCursor cursor)) \
    F(unsigned, clang_CXXMethod_isVirtual, (CXCursor cursor)) \
    F(void, clang_getOverriddenCursors, (CXCursor cursor, CXCursor **overridden, unsigned *count)) \
    F(void, clang_disposeOverriddenCursors, (CXCursor *overridden)) \
    F(CXEvalResult, clang_Cursor_Evaluate, (CXCursor cursor)) \
    F(int, clang_EvalResult_getKind, (CXEvalResult result)) \
    F(long long, clang_EvalResult_getAsLongLong, (CXEvalResult result)) \
    F(unsigned, clang_EvalResult_isUnsignedInt, (CXEvalResult result)) \
    F(unsigned long long, clang_EvalResult_getAsUnsigned, (CXEvalResult result)) \
    F(double, clang_EvalResult_getAsDouble, (CXEvalResult result)) \
    F(const char *, clang_EvalResult_getAsStr, (CXEvalResult result)) \
    F(unsigned, clang_Cursor_isMacroFunctionLike, (CXCursor cursor)) \
    F(unsigned, clang_Cursor_isMacroBuiltin, (CXCursor cursor)) \
    F(void, clang_EvalResult_dispose, (CXEvalResult result)) \
    F(int, clang_getCursorBinaryOperatorKind, (CXCursor cursor)) \
    F(int, clang_getCursorUnaryOperatorKind, (CXCursor cursor)) \
    F(void, clang_tokenize, (CXTranslationUnit unit, CXSourceRange range, CXToken **tokens, unsigned *count)) \
    F(CXString, clang_getTokenSpelling, (CXTranslationUnit unit, CXToken token)) \
    F(void, clang_disposeTokens, (CXTranslationUnit unit, CXToken *tokens, unsigned count)) \
    F(int, clang_saveTranslationUnit, (CXTranslationUnit unit, const char *file, unsigned options)) \
    F(unsigned, clang_getNumDiagnostics, (CXTranslationUnit unit)) \
    F(CXDiagnostic, clang_getDiagnostic, (CXTranslationUnit unit, unsigned index)) \
    F(void, clang_disposeDiagnostic, (CXDiagnostic diagnostic)) \
    F(int, clang_getDiagnosticSeverity, (CXDiagnostic diagnostic)) \
    F(CXSourceLocation, clang_getDiagnosticLocation, (CXDiagnostic diagnostic)) \
    F(CXString, clang_getDiagnosticSpelling, (CXDiagnostic diagnostic)) \
    F(CXString, clang_getDiagnosticOption, (CXDiagnostic diagnostic, CXString *disable)) \
    F(CXDiagnosticSet, clang_getChildDiagnostics, (CXDiagnostic diagnostic)) \
    F(unsigned, clang_getNumDiagnosticsInSet, (CXDiagnosticSet set)) \
    F(CXDiagnostic, clang_getDiagnosticInSet, (CXDiagnosticSet set, unsigned index)) \
    F(unsigned, clang_getDiagnosticNumRanges, (CXDiagnostic diagnostic)) \
    F(CXSourceRange, clang_getDiagnosticRange, (CXDiagnostic diagnostic, unsigned index))

#define DECLARE(result, name, parameters) extern result (*name) parameters;
LIBCLANG(DECLARE)
#undef DECLARE

/* What is not a number of one release: CXCursor_*, CXType_*, CXEval_*, CXChildVisit_* that the worker itself has to know. The
 * others are named where they are read, crates/port/src/ast/kind.rs. */
enum {
    CXCursor_StructDecl = 2, CXCursor_UnionDecl = 3, CXCursor_ClassDecl = 4, CXCursor_EnumDecl = 5, CXCursor_FieldDecl = 6,
    CXCursor_EnumConstantDecl = 7, CXCursor_FunctionDecl = 8, CXCursor_VarDecl = 9, CXCursor_ParmDecl = 10, CXCursor_TypedefDecl = 20,
    CXCursor_CXXMethod = 21, CXCursor_Namespace = 22, CXCursor_LinkageSpec = 23, CXCursor_Constructor = 24, CXCursor_Destructor = 25,
    CXCursor_ConversionFunction = 26, CXCursor_TypeAliasDecl = 36,
    CXCursor_FirstRef = 40, CXCursor_LastRef = 50, CXCursor_FirstExpr = 100, CXCursor_UnexposedExpr = 100, CXCursor_DeclRefExpr = 101, CXCursor_MemberRefExpr = 102,
    CXCursor_OverloadedDeclRef = 49, CXCursor_CallExpr = 103, CXCursor_IntegerLiteral = 106, CXCursor_StringLiteral = 109, CXCursor_CharacterLiteral = 110,
    CXCursor_ParenExpr = 111, CXCursor_UnaryOperator = 112, CXCursor_ArraySubscriptExpr = 113, CXCursor_BinaryOperator = 114,
    CXCursor_CompoundAssignOperator = 115, CXCursor_ConditionalOperator = 116, CXCursor_CStyleCastExpr = 117, CXCursor_CXXBoolLiteralExpr = 130,
    CXCursor_UnaryExpr = 136, CXCursor_LastExpr = 199, CXCursor_FirstStmt = 200, CXCursor_LastStmt = 349, CXCursor_FirstAttr = 400,
    CXCursor_UnexposedAttr = 400, CXCursor_LastAttr = 499, CXCursor_MacroDefinition = 501,
    CXType_Invalid = 0, CXType_Unexposed = 1, CXType_Bool = 3, CXType_Int128 = 20, CXType_Overload = 25, CXType_Dependent = 26, CXType_Complex = 100, CXType_Pointer = 101, CXType_LValueReference = 103, CXType_RValueReference = 104,
    CXType_Record = 105, CXType_Enum = 106, CXType_Typedef = 107, CXType_FunctionNoProto = 110, CXType_FunctionProto = 111,
    CXType_ConstantArray = 112, CXType_Vector = 113, CXType_IncompleteArray = 114, CXType_VariableArray = 115,
    CXType_DependentSizedArray = 116, CXType_Elaborated = 119, CXType_Atomic = 177,
    CXEval_Int = 1, CXEval_Float = 2, CXEval_StrLiteral = 4,
    CXChildVisit_Break = 0, CXChildVisit_Continue = 1, CXChildVisit_Recurse = 2,
};

#endif
