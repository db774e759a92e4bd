//! The C source of a bridge, and the linker's version script.

use crate::annotation::{Annotation, Following, Threads, Variadic};
use crate::convention::{Arguments, Convention, Place};
use crate::library::Library;
use crate::model::{Argument, Call, Callback, Case, Content, Conversion, Field, Function, Kind, KindId, Model};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Functions of the library, of one type, that a program can have pointers to.
const POOL: usize = 16;
/// Words that may follow the parameters of a variadic function.
const MORE: u64 = 128;

/// What generated functions call their own variables, which may be macros of the header.
const LOCALS: [&str; 17] = [
    "call", "state", "words", "count", "result", "value", "returned", "library", "function", "list", "more", "number", "pointer",
    "narrow", "wide", "outer", "i",
];

struct Emitter<'a> {
    model: &'a Model,
    /// What stands before the names of functions, where they are not to be what programs call.
    prefix: &'a str,
    out: String,
}

/// A string of C.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// The function that gives the library to whoever uses `biarch.h` with it.
#[must_use]
pub(crate) fn accessor(name: &str) -> String {
    let plain: String = name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    format!("biarch_library_{plain}")
}

/// Its definition, for the end of the source, and its declaration.
#[must_use]
pub(crate) fn access(name: &str) -> [String; 2] {
    let accessor = accessor(name);
    let definition = format!(
        "struct biarch_library *{accessor}(void)\n{{\n\tpthread_once(&bridge_once, bridge_open_library);\n\treturn bridge_it.library;\n}}\n"
    );
    let declaration = format!(
        "/* Made by `biarch bridge build`. The 32-bit library, for the functions of biarch.h. */\n#include \"biarch.h\"\n\n\
         #ifdef __cplusplus\nextern \"C\"\n#endif\nstruct biarch_library *{accessor}(void);\n"
    );
    [definition, declaration]
}

/// The whole source; `header` is how it is included. With a `prefix` before their names, functions are for the same file only.
pub(crate) fn source(model: &Model, library: &Library, annotation: &Annotation, header: &str, prefix: &str) -> String {
    let mut emitter = Emitter { model, prefix, out: String::new() };
    emitter.prologue(library, annotation, header);
    for id in 0..model.kinds.len() {
        let names = if matches!(emitter.kind(id).conversion, Conversion::Same) {
            "NULL, NULL".to_owned()
        } else {
            emitter.line(&format!("static bridge_convert bridge_narrow_{id}, bridge_widen_{id};"));
            format!("bridge_narrow_{id}, bridge_widen_{id}")
        };
        let [narrow, wide] = emitter.kind(id).sizes;
        emitter.line(&format!(
            "static const struct bridge_kind bridge_kind_{id} __attribute__((unused)) = {{{narrow}, {wide}, {names}}};"
        ));
    }
    for (at, callback) in model.callbacks.iter().enumerate() {
        emitter.declare_callback(at, callback);
    }
    for id in 0..model.kinds.len() {
        emitter.conversions(id);
    }
    for (at, callback) in model.callbacks.iter().enumerate() {
        emitter.callback(at, callback);
    }
    for function in &model.functions {
        emitter.function(function);
    }
    emitter.out
}

impl Emitter<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn kind(&self, id: KindId) -> &Kind {
        &self.model.kinds[id]
    }

    fn prologue(&mut self, library: &Library, annotation: &Annotation, header: &str) {
        let path = library.path.display().to_string();
        let load = annotation.load.clone().unwrap_or(path);
        let sysroot = annotation.sysroot.as_deref().map_or_else(|| "NULL".to_owned(), quoted);
        let (lock, locked) = match annotation.threads {
            Threads::Any => ("", "NULL"),
            // A callback may call again.
            Threads::OneAtATime => (
                "static pthread_mutex_t bridge_one_at_a_time = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n",
                "&bridge_one_at_a_time",
            ),
        };
        let undefined: String = LOCALS.iter().map(|name| format!("#undef {name}\n")).collect();
        let before: String = annotation.before.iter().map(|name| format!("#include <{name}>\n")).collect();
        let _ = write!(
            self.out,
            "{MADE_BY}\
             #ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n\
             #include \"marshal.h\"\n\
             {before}#include {header}\n{undefined}\n\
             static pthread_once_t bridge_once = PTHREAD_ONCE_INIT;\n\
             {lock}static void bridge_open_library(void);\n\
             static struct bridge bridge_it = {{\n\
             \t.options = {{{load}, {transport}, {sysroot}, NULL, {restart}}},\n\
             \t.once = &bridge_once, .open = bridge_open_library, .one_at_a_time = {locked}, .lock = PTHREAD_MUTEX_INITIALIZER,\n\
             }};\n\n\
             static void bridge_open_library(void)\n{{\n\
             \tbridge_it.library = biarch_library_new(&bridge_it.options);\n\
             }}\n\n\
             /* dlclose(3): nobody calls any more. */\n\
             static void __attribute__((destructor)) bridge_close_library(void)\n{{\n\
             \tbiarch_library_unload(bridge_it.library);\n\
             }}\n\n",
            load = quoted(&load),
            transport = quoted(annotation.transport.name()),
            restart = annotation.restart,
        );
    }

    /// Statements that convert one thing; `from` and `to` are addresses.
    fn convert(&self, way: &str, id: KindId, from: &str, to: &str, count: &str) -> String {
        match self.kind(id).conversion {
            Conversion::Same => format!("memcpy({to}, {from}, {});", self.kind(id).sizes[0]),
            _ => format!("bridge_{way}_{id}(call, {from}, {to}, {count});"),
        }
    }

    fn conversions(&mut self, id: KindId) {
        let Kind { sizes, spelling, conversion } = self.kind(id).clone();
        if let Some(spelling) = spelling {
            self.line(&format!(
                "_Static_assert(sizeof(__typeof__({spelling})) == {}, \"the compiler and libclang disagree\");",
                sizes[1]
            ));
        }
        for (way, narrowing) in [("narrow", true), ("widen", false)] {
            let (from, to) = if narrowing { ("wide", "narrow") } else { ("narrow", "wide") };
            let other = |size: usize| if narrowing { sizes[1 - size] } else { sizes[size] };
            let body = match &conversion {
                Conversion::Same => return,
                Conversion::Integer(signed) => {
                    let sign = if *signed { "signed" } else { "unsigned" };
                    format!("bridge_put_{sign}(call, {to}, {}, bridge_get_{sign}({from}, {}));", other(1), other(0))
                }
                Conversion::LongDouble if self.model.convention == Convention::AapcsVfp => {
                    format!("bridge_{way}_double(call, {from}, {to});")
                }
                Conversion::LongDouble => format!("memset({to}, 0, {}); memcpy({to}, {from}, 10);", other(1)),
                Conversion::Opaque { not_null } if narrowing => {
                    format!("bridge_narrow_opaque(call, {from}, {to}, {});", if *not_null { "BRIDGE_NOT_NULL" } else { "0" })
                }
                Conversion::Opaque { .. } => format!("bridge_widen_opaque({from}, {to});"),
                Conversion::User => format!("bridge_{way}_user(call, {from}, {to});"),
                Conversion::Pointer(pointer) => {
                    let count = pointer.count.map_or_else(|| "count".to_owned(), |count| count.to_string());
                    let flags = pointer.flags.join(" | ");
                    format!("bridge_{way}_pointer(call, {from}, {to}, {count}, &bridge_kind_{}, {flags});", pointer.element)
                }
                Conversion::Function(at) if narrowing => {
                    let (words, kind) =
                        self.model.callbacks.get(*at).map_or((0, "BIARCH_EAX"), |of| (of.call.words, result_kind(&of.call)));
                    format!(
                        "bridge_narrow_function(call, {from}, {to}, bridge_adapter_{at}, {words}, {kind}, &bridge_pool_{at});"
                    )
                }
                Conversion::Function(at) => format!("bridge_widen_function(call, {from}, {to}, &bridge_pool_{at});"),
                Conversion::Array(element, count) => {
                    let [narrow, wide] = self.kind(*element).sizes;
                    let [one, two] = if narrowing { [wide, narrow] } else { [narrow, wide] };
                    let each = self.convert(
                        way,
                        *element,
                        &format!("(const char *){from} + i * {one}"),
                        &format!("(char *){to} + i * {two}"),
                        "1",
                    );
                    format!("for (size_t i = 0; i < {count}; i++)\n\t\t{each}")
                }
                Conversion::Fields(fields) => self.fields(way, fields, &[]),
                Conversion::Untouched(whole, untouched) => match &self.kind(*whole).conversion {
                    Conversion::Fields(fields) => self.fields(way, fields, untouched),
                    _ => continue,
                },
            };
            let _ = write!(
                self.out,
                "static void bridge_{way}_{id}(struct bridge_call *call, const void *{from}, void *{to}, size_t count)\n{{\n\
                 \t(void)call;\n\t(void)count;\n\t{body}\n}}\n\n"
            );
        }
    }

    fn fields(&self, way: &str, fields: &[Field], untouched: &[String]) -> String {
        let each: Vec<String> = fields
            .iter()
            .filter(|field| !(way == "narrow" && field.output))
            .map(|field| self.field(way, field, untouched.contains(&field.name)))
            .collect();
        format!("const char *outer = call->argument;\n\t{}\n\tcall->argument = outer;", each.join("\n\t"))
    }

    fn field(&self, way: &str, field: &Field, is_untouched: bool) -> String {
        let narrowing = way == "narrow";
        let [one, two] = if narrowing { [field.offsets[1], field.offsets[0]] } else { field.offsets };
        let (from, to) = if narrowing { ("wide", "narrow") } else { ("narrow", "wide") };
        if let Some(bits) = field.bits {
            return format!("bridge_copy_bits({from}, {one}, {to}, {two}, {bits});");
        }
        let (from, to) = (format!("(const char *){from} + {}", one / 8), format!("(char *){to} + {}", two / 8));
        let count = field.length.as_ref().map_or_else(|| "1".to_owned(), |length| format!("bridge_count(call, {length})"));
        let named = format!("call->argument = {}; ", quoted(&field.name));
        if is_untouched {
            return format!("{named}bridge_{way}_address(call, {from}, {to});");
        }
        match &field.content {
            Content::One(kind) => {
                let same = matches!(self.kind(*kind).conversion, Conversion::Same);
                let convert = self.convert(way, *kind, &from, &to, &count);
                if same { convert } else { format!("{named}{convert}") }
            }
            Content::Choice(decides, cases) => {
                let each = cases.iter().map(|Case { value, kind, .. }| {
                    format!("\tcase {value}: {} break;\n\t", self.convert(way, *kind, &from, &to, &count))
                });
                format!(
                    "{named}switch ({decides}) {{\n\t{}\tdefault: bridge_fail(call, BIARCH_UNSUPPORTED, \"which member of the union counts is not known for %lld\", (long long){decides});\n\t}}",
                    each.collect::<String>()
                )
            }
        }
    }

    fn parameters(call: &Call) -> String {
        let each: Vec<String> =
            call.parameters.iter().map(|one| format!("__typeof__({}) a_{}", one.spelling, one.name)).collect();
        let more = if call.variadic.is_some() { ", ..." } else { "" };
        if each.is_empty() { "void".to_owned() } else { each.join(", ") + more }
    }

    fn returned(call: &Call) -> String {
        call.result.as_ref().map_or_else(|| "void".to_owned(), |result| format!("__typeof__({})", result.spelling))
    }

    fn declare_callback(&mut self, at: usize, callback: &Callback) {
        self.line(&format!("static biarch_adapter bridge_adapter_{at};"));
        self.line(&format!("static biarch_address bridge_pool_addresses_{at}[{POOL}];"));
        let thunks: Vec<String> = (0..POOL).map(|one| format!("bridge_thunk_{at}_{one}")).collect();
        let (result, parameters) = (Self::returned(&callback.call), Self::parameters(&callback.call));
        for thunk in &thunks {
            self.line(&format!("static {result} {thunk}({parameters});"));
        }
        let thunks: Vec<String> = thunks.iter().map(|thunk| format!("(void *){thunk}")).collect();
        self.line(&format!("static void *const bridge_pool_functions_{at}[] = {{{}}};", thunks.join(", ")));
        self.line(&format!(
            "static const struct bridge_pool bridge_pool_{at} __attribute__((unused)) = {{bridge_pool_functions_{at}, bridge_pool_addresses_{at}, {POOL}}};"
        ));
    }

    /// Both ways of a function type: what the library calls, and what is called by a pointer that the library gave.
    fn callback(&mut self, at: usize, callback: &Callback) {
        let call = &callback.call;
        let (result, parameters) = (Self::returned(call), Self::parameters(call));
        let names: Vec<String> = call.parameters.iter().map(|one| format!("a_{}", one.name)).collect();
        let names = names.join(", ");
        let mut body = String::new();
        for one in &call.parameters {
            let _ = writeln!(body, "\t__typeof__({}) a_{};", one.spelling, one.name);
        }
        let _ = writeln!(
            body,
            "\tstruct bridge_call state, *call = &state;\n\tbridge_begin_callback(call, &bridge_it, library, {});",
            quoted(&callback.name)
        );
        // Lengths are of others.
        let (plain, sized): (Vec<&Argument>, Vec<&Argument>) = call.parameters.iter().partition(|one| one.length.is_none());
        for one in plain.into_iter().chain(sized) {
            let count = one.length.as_ref().map_or_else(|| "1".to_owned(), |length| format!("bridge_count(call, {length})"));
            let convert = self.convert("widen", one.kind, &format!("words + {}", one.word), &format!("&a_{}", one.name), &count);
            let _ = writeln!(body, "\tcall->argument = {};\n\t{convert}", quoted(&one.name));
        }
        let keep = if call.result.is_some() { "value = " } else { "" };
        if call.result.is_some() {
            let _ = writeln!(body, "\t{result} value;\n\tmemset(&value, 0, sizeof value);");
        }
        let _ = write!(
            body,
            "\tif (!call->failed) {{\n\t\t{keep}((__typeof__({}))function)({names});\n\t\tbridge_finish_callback(call);\n\t}}\n",
            callback.spelling
        );
        body.push_str("\tuint32_t returned[2] = {0, 0};\n");
        if let Some(result) = &call.result {
            let _ = writeln!(body, "\tcall->argument = \"result\";");
            if call.place == Place::X87 {
                let _ = writeln!(body, "\tresult->st0 = value;");
            } else {
                let _ = writeln!(body, "\tif (!call->failed) {{\n\t\t{}\n\t}}", self.put(result, "returned", "value"));
            }
        }
        for one in call.parameters.iter().filter(|one| one.drop) {
            let _ = writeln!(body, "\tbridge_drop(call, a_{});", one.name);
        }
        body.push_str("\tresult->eax = returned[0];\n\tresult->edx = returned[1];\n\tbridge_clean(call);\n");
        let _ = write!(
            self.out,
            "static void bridge_adapter_{at}(struct biarch_library *library, void *function, const uint32_t *words, struct biarch_result *result)\n{{\n\t(void)words;\n{body}}}\n\n"
        );
        let comma = if names.is_empty() { "" } else { ", " };
        let through = if parameters == "void" {
            "biarch_address *function".to_owned()
        } else {
            format!("biarch_address *function, {parameters}")
        };
        let body = self.body(call, &callback.name, "function", "NULL");
        let _ = write!(self.out, "static {result} bridge_through_{at}({through})\n{{\n{body}}}\n\n");
        let keep = if call.result.is_some() { "return " } else { "" };
        for one in 0..POOL {
            self.line(&format!(
                "static {result} bridge_thunk_{at}_{one}({parameters}) {{ {keep}bridge_through_{at}(&bridge_pool_addresses_{at}[{one}]{comma}{names}); }}"
            ));
        }
        self.line("");
    }

    /// Statements that put a value where arguments or results are: a word at least.
    fn put(&self, one: &Argument, to: &str, value: &str) -> String {
        let count = one.length.as_ref().map_or_else(|| "1".to_owned(), |length| format!("bridge_count(call, {length})"));
        match one.integer {
            Some(_) if one.size_of.is_some() => {
                let [narrow, wide] = one.size_of.unwrap_or_default();
                format!("bridge_put_size(call, {to}, (uint64_t){value}, {narrow}, {wide});")
            }
            Some(signed) => {
                let sign = if signed { "signed" } else { "unsigned" };
                format!("bridge_put_{sign}(call, {to}, {}, {value});", self.kind(one.kind).sizes[0].max(4))
            }
            None if one.is_record => {
                let convert = self.convert("narrow", one.kind, &format!("&{value}"), to, &count);
                format!("memset({to}, 0, {});\n\t{convert}", self.kind(one.kind).sizes[0].next_multiple_of(4))
            }
            None => self.convert("narrow", one.kind, &format!("&{value}"), to, &count),
        }
    }

    /// Calls the library; `function` is where its address is.
    fn body(&self, call: &Call, name: &str, function: &str, version: &str) -> String {
        let mut body = String::new();
        let room = call.words + if call.variadic.is_some() { MORE } else { 0 };
        let _ = writeln!(
            body,
            "\tstruct bridge_call state, *call = &state;\n\tstruct biarch_result result;\n\tuint32_t words[{}];",
            room.max(1)
        );
        if let Some(result) = &call.result {
            let _ = writeln!(body, "\t__typeof__({}) value;\n\tmemset(&value, 0, sizeof value);", result.spelling);
        }
        let _ = writeln!(body, "\tbridge_begin(call, &bridge_it, {});", quoted(name));
        let hidden = call.result.as_ref().filter(|_| call.place == Place::Memory);
        if let Some(result) = hidden {
            let (size, word) = (self.kind(result.kind).sizes[0], Arguments::hidden(self.model.convention));
            let _ = writeln!(body, "\tunsigned char *returned = bridge_take(call, {size}, words + {word});");
        }
        for one in &call.parameters {
            let [narrow, wide] = self.kind(one.kind).sizes;
            // What always fits needs no name.
            if one.integer.is_none() || one.size_of.is_some() || narrow != wide {
                let _ = writeln!(body, "\tcall->argument = {};", quoted(&one.name));
            }
            let _ = writeln!(body, "\t{}", self.put(one, &format!("words + {}", one.word), &format!("a_{}", one.name)));
        }
        let mut count = call.words.to_string();
        if let Some(variadic) = &call.variadic {
            count = "more.count".to_owned();
            body.push_str(&self.more(call, variadic, room));
        }
        let kind = result_kind(call);
        let _ = writeln!(
            body,
            "\tif (bridge_call(call, {function}, {version}, words, {count}, {kind}, &result)) {{\n\t\tbridge_finish(call);"
        );
        if let Some(result) = &call.result {
            let _ = writeln!(body, "\t\tcall->argument = \"result\";");
            let length = result.length.as_ref().map_or_else(|| "1".to_owned(), |length| format!("bridge_count(call, {length})"));
            if hidden.is_some() {
                let _ = writeln!(body, "\t\t{}", self.convert("widen", result.kind, "returned", "&value", &length));
            } else if call.place == Place::X87 {
                let _ = writeln!(body, "\t\tvalue = result.st0;");
            } else {
                let _ = writeln!(body, "\t\tconst uint32_t returned[2] = {{result.eax, result.edx}};");
                let _ = writeln!(body, "\t\t{}", self.convert("widen", result.kind, "returned", "&value", &length));
            }
        }
        for one in &call.parameters {
            if let Some(written) = &one.written {
                let _ = writeln!(body, "\t\tbridge_written(call, a_{}, bridge_count(call, {written}));", one.name);
            }
            if one.drop {
                let _ = writeln!(body, "\t\tbridge_drop(call, a_{});", one.name);
            }
        }
        let _ = writeln!(body, "\t}}");
        match (&call.result, &call.on_error) {
            (Some(_), Some(value)) => {
                let _ = writeln!(body, "\tif (!bridge_end(call))\n\t\treturn {value};\n\treturn value;");
            }
            (Some(_), None) => {
                let _ = writeln!(body, "\tif (!bridge_end(call))\n\t\tmemset(&value, 0, sizeof value);\n\treturn value;");
            }
            (None, _) => {
                let _ = writeln!(body, "\tbridge_end(call);");
            }
        }
        body
    }

    /// What follows the parameters of a variadic function.
    fn more(&self, call: &Call, variadic: &Variadic, room: u64) -> String {
        let last = call.parameters.last().map_or("", |one| one.name.as_str());
        let mut body = format!(
            "\tstruct bridge_words more = {{words, {}, {room}}};\n\tva_list list;\n\tva_start(list, a_{last});\n\tcall->argument = \"...\";\n",
            call.words
        );
        let types = |types: &[Following]| -> String { types.iter().map(|one| format!(" {}", self.one_more(one))).collect() };
        if let Some(format) = &variadic.printf {
            let _ = writeln!(body, "\tbridge_more_printf(call, &more, a_{format}, list);");
        } else if let Some(by) = &variadic.by {
            let _ = writeln!(body, "\tswitch (a_{by}) {{");
            for (value, names) in &variadic.cases {
                let _ = writeln!(body, "\tcase {value}:{} break;", types(names));
            }
            let other = variadic.types.as_ref().map_or_else(
                || {
                    format!(
                        " bridge_fail(call, BIARCH_UNSUPPORTED, \"what follows it is not known for %lld\", (long long)a_{by});"
                    )
                },
                |names| types(names),
            );
            let _ = writeln!(body, "\tdefault:{other}\n\t}}");
        } else {
            let _ = writeln!(body, "\t{}", types(variadic.types.as_deref().unwrap_or_default()));
        }
        body.push_str("\tva_end(list);\n");
        body
    }

    fn one_more(&self, one: &Following) -> String {
        let pointer = "{ void *pointer = va_arg(list, void *);";
        if let Some(kind) = self.model.following.get(one) {
            return format!("{pointer} bridge_narrow_{kind}(call, &pointer, bridge_more(call, &more, 1), 1); }}");
        }
        let Following::Plain(name) = one else { return String::new() };
        match (SCALARS.iter().find(|(scalar, ..)| scalar == name), name.as_str()) {
            (Some((_, "double", _)), _) => {
                "{ double number = va_arg(list, double); memcpy(bridge_more(call, &more, 2), &number, 8); }".to_owned()
            }
            (Some((_, sign, size)), _) => {
                format!("bridge_put_{sign}(call, bridge_more(call, &more, {}), {size}, va_arg(list, {name}));", size / 4)
            }
            (None, "string") => "bridge_more_string(call, &more, va_arg(list, const char *), -1);".to_owned(),
            (None, "user") => format!("{pointer} bridge_narrow_user(call, &pointer, bridge_more(call, &more, 1)); }}"),
            _ => format!("{pointer} bridge_narrow_opaque(call, &pointer, bridge_more(call, &more, 1), 0); }}"),
        }
    }

    fn function(&mut self, function: &Function) {
        let name = &function.name;
        self.line(&format!("#undef {name}"));
        match &function.call {
            Ok(call) => {
                let version = function.version.as_deref().map_or_else(|| "NULL".to_owned(), quoted);
                let mut body = self.body(call, name, "&function", &version);
                if !function.returns {
                    body.push_str("\t__builtin_abort();\n");
                }
                let (result, parameters) = (Self::returned(call), Self::parameters(call));
                let (prefix, place) = (self.prefix, if self.prefix.is_empty() { "" } else { "static " });
                let _ = write!(
                    self.out,
                    "{place}{result} ({prefix}{name})({parameters})\n{{\n\tstatic biarch_address function;\n{body}}}\n\n"
                );
            }
            Err(why) => {
                // Its type is the header's; what it would do with its arguments is nobody's business.
                let text = quoted(&format!("it is left out: {why}"));
                let _ = write!(
                    self.out,
                    "void bridge_left_out_{name}(void) __asm__({symbol});\nvoid bridge_left_out_{name}(void)\n{{\n\
                     \tpthread_once(bridge_it.once, bridge_it.open);\n\
                     \tbiarch_fail(bridge_it.library, BIARCH_UNSUPPORTED, {symbol}, NULL, \"%s\", {text});\n}}\n\n",
                    symbol = quoted(name),
                );
            }
        }
    }
}

/// What may follow the parameters of a variadic function: its name, its sign or `double`, its bytes for the library.
pub(crate) const SCALARS: [(&str, &str, u32); 7] = [
    ("int", "signed", 4),
    ("unsigned", "unsigned", 4),
    ("long", "signed", 4),
    ("unsigned long", "unsigned", 4),
    ("long long", "signed", 8),
    ("unsigned long long", "unsigned", 8),
    ("double", "double", 8),
];

/// The first line of what is C, or may have its comments.
pub(crate) const MADE_BY: &str = "/* Made by `biarch bridge build`; changes are lost. */\n";

fn result_kind(call: &Call) -> &'static str {
    if matches!(call.place, Place::X87 | Place::Vfp) { "BIARCH_ST0" } else { "BIARCH_EAX" }
}

/// The versions of the library's symbols, for the linker.
#[must_use]
pub(crate) fn versions(model: &Model, name: &str) -> String {
    let mut nodes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let accessor = accessor(name);
    nodes.entry("").or_default().push(&accessor);
    for function in &model.functions {
        nodes.entry(function.version.as_deref().unwrap_or_default()).or_default().push(&function.name);
    }
    let bare = nodes.remove("");
    let mut out = String::new();
    if nodes.is_empty() {
        let names: String = bare.iter().flatten().map(|name| format!(" {name};")).collect();
        return format!("{MADE_BY}{{ global:{names} local: *; }};\n");
    }
    out.push_str(MADE_BY);
    // What no version names has none; all else in the source is static.
    for (version, names) in nodes {
        let names: String = names.iter().map(|name| format!(" {name};")).collect();
        let _ = writeln!(out, "{version} {{ global:{names} }};");
    }
    out
}
