//! The numbers of libclang that matter here; clang-c/Index.h of LLVM 17 and later.

macro_rules! numbers {
    ($(#[$outer:meta])* $name:ident from $prefix:literal { $($variant:ident = $number:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum $name {
            $($variant,)*
            /// One that nobody here asks for.
            #[default]
            Other,
        }

        impl $name {
            /// What this number stands for.
            pub(crate) fn from_number(number: u64) -> Self {
                match number {
                    $($number => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

numbers! {
    /// What a node or a declaration is: CXCursorKind.
    Kind from "CXCursor" {
        Struct = 2, Union = 3, Class = 4, Enum = 5, Field = 6, EnumConstant = 7, Function = 8, Variable = 9, Parameter = 10,
        Typedef = 20, Method = 21, Namespace = 22, LinkageSpec = 23, Constructor = 24, Destructor = 25, ConversionFunction = 26,
        FunctionTemplate = 30, ClassTemplate = 31, TypeAlias = 36,
        TypeRef = 43, BaseSpecifier = 44, TemplateRef = 45, NamespaceRef = 46, MemberRef = 47, LabelRef = 48, OverloadedRef = 49,
        Unexposed = 100, DeclRef = 101, Member = 102, Call = 103, IntegerLiteral = 106, FloatingLiteral = 107, StringLiteral = 109,
        CharacterLiteral = 110, Paren = 111, Unary = 112, Subscript = 113, Binary = 114, CompoundAssign = 115, Conditional = 116,
        Cast = 117, CompoundLiteral = 118, InitList = 119, StatementExpression = 121, GenericSelection = 122, GnuNull = 123,
        StaticCast = 124, DynamicCast = 125, ReinterpretCast = 126, ConstCast = 127, FunctionalCast = 128, BoolLiteral = 130,
        NullPointerLiteral = 131, This = 132, New = 134, Delete = 135, SizeOf = 136, Lambda = 144,
        UnexposedStatement = 200, Label = 201, Compound = 202, Case = 203, Default = 204, If = 205, Switch = 206, While = 207,
        Do = 208, For = 209, Goto = 210, IndirectGoto = 211, Continue = 212, Break = 213, Return = 214, Asm = 215, RangeFor = 225,
        Null = 230, DeclarationStatement = 231,
    }
}

numbers! {
    /// CXTypeKind.
    TypeKind from "CXType" {
        Unexposed = 1, Void = 2, Bool = 3, CharU = 4, UChar = 5, Char16 = 6, Char32 = 7, UShort = 8, UInt = 9, ULong = 10, ULongLong = 11,
        UInt128 = 12, CharS = 13, SChar = 14, WChar = 15, Short = 16, Int = 17, Long = 18, LongLong = 19, Int128 = 20, Float = 21,
        Double = 22, LongDouble = 23, NullPointer = 24, Dependent = 26, Float128 = 30, Complex = 100, Pointer = 101,
        LValueReference = 103, RValueReference = 104, Record = 105, Enum = 106, Typedef = 107, FunctionNoPrototype = 110, Function = 111,
        ConstantArray = 112, Vector = 113, IncompleteArray = 114, VariableArray = 115, DependentSizedArray = 116, MemberPointer = 117,
        Auto = 118, Elaborated = 119, Attributed = 163, Atomic = 177,
    }
}

impl Kind {
    /// Whether it is an expression that says which type it wants.
    pub(crate) fn is_explicit_cast(self) -> bool {
        matches!(
            self,
            Self::Cast | Self::StaticCast | Self::ReinterpretCast | Self::FunctionalCast | Self::ConstCast | Self::DynamicCast
        )
    }

    /// Whether it is code that can be called.
    pub(crate) fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Destructor | Self::ConversionFunction)
    }

    /// Whether only a part of it is done, as is asked there.
    pub(crate) fn is_branch(self) -> bool {
        matches!(self, Self::If | Self::Switch | Self::Conditional)
    }

    /// Whether it has fields.
    pub(crate) fn is_record(self) -> bool {
        matches!(self, Self::Struct | Self::Union | Self::Class)
    }
}

impl TypeKind {
    /// Whether values are whole numbers, by themselves.
    pub(crate) fn is_integer(self) -> bool {
        matches!(
            self,
            Self::Bool
                | Self::CharU
                | Self::UChar
                | Self::Char16
                | Self::Char32
                | Self::UShort
                | Self::UInt
                | Self::ULong
                | Self::ULongLong
                | Self::UInt128
                | Self::CharS
                | Self::SChar
                | Self::WChar
                | Self::Short
                | Self::Int
                | Self::Long
                | Self::LongLong
                | Self::Int128
                | Self::Enum
        )
    }

    /// Whether they can be negative. That of `wchar_t` and of enumerations is not known here.
    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::CharS | Self::SChar | Self::Short | Self::Int | Self::Long | Self::LongLong | Self::Int128)
    }

    /// Whether it is an approximate number.
    pub(crate) fn is_floating(self) -> bool {
        matches!(self, Self::Float | Self::Double | Self::LongDouble | Self::Float128)
    }
}

/// CXBinaryOperatorKind.
pub(crate) mod binary {
    pub(crate) const MUL: u8 = 3;
    pub(crate) const DIV: u8 = 4;
    pub(crate) const REM: u8 = 5;
    pub(crate) const ADD: u8 = 6;
    pub(crate) const SUB: u8 = 7;
    pub(crate) const SHL: u8 = 8;
    pub(crate) const SHR: u8 = 9;
    pub(crate) const LT: u8 = 11;
    pub(crate) const GT: u8 = 12;
    pub(crate) const LE: u8 = 13;
    pub(crate) const GE: u8 = 14;
    pub(crate) const EQ: u8 = 15;
    pub(crate) const NE: u8 = 16;
    pub(crate) const AND: u8 = 17;
    pub(crate) const XOR: u8 = 18;
    pub(crate) const OR: u8 = 19;
    pub(crate) const LOGICAL_AND: u8 = 20;
    pub(crate) const LOGICAL_OR: u8 = 21;
    pub(crate) const ASSIGN: u8 = 22;
    pub(crate) const MUL_ASSIGN: u8 = 23;
    pub(crate) const ADD_ASSIGN: u8 = 26;
    pub(crate) const SUB_ASSIGN: u8 = 27;
    pub(crate) const SHL_ASSIGN: u8 = 28;
    pub(crate) const SHR_ASSIGN: u8 = 29;
    pub(crate) const AND_ASSIGN: u8 = 30;
    pub(crate) const XOR_ASSIGN: u8 = 31;
    pub(crate) const OR_ASSIGN: u8 = 32;
    pub(crate) const COMMA: u8 = 33;
}

/// CXUnaryOperatorKind.
pub(crate) mod unary {
    pub(crate) const POST_INCREMENT: u8 = 1;
    pub(crate) const POST_DECREMENT: u8 = 2;
    pub(crate) const PRE_INCREMENT: u8 = 3;
    pub(crate) const PRE_DECREMENT: u8 = 4;
    pub(crate) const ADDRESS_OF: u8 = 5;
    pub(crate) const DEREFERENCE: u8 = 6;
    pub(crate) const PLUS: u8 = 7;
    pub(crate) const MINUS: u8 = 8;
    pub(crate) const NOT: u8 = 9;
    pub(crate) const LOGICAL_NOT: u8 = 10;
}
