//! The C source of both sides of an interface of one's own: of a client, whose functions ask a server, and of the server, which calls the
//! program's functions. It is compiled for any word size.

use crate::annotation::{Annotation, Threads};
use crate::emit::{MADE_BY, quoted};
use crate::model::{Argument, Call, Case, Content, Conversion, Field, KindId, Model, Pointer, Refusal};
use port::interface::Interface;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::hash::Hasher;

/// Which half of a message is made or read, and by whom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The client writes a request.
    Ask,
    /// The server reads it.
    Take,
    /// The server writes the reply.
    Answer,
    /// The client reads it.
    Receive,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Take => "take",
            Self::Answer => "answer",
            Self::Receive => "receive",
        }
    }

    fn is_written(self) -> bool {
        matches!(self, Self::Ask | Self::Answer)
    }

    fn is_reply(self) -> bool {
        matches!(self, Self::Answer | Self::Receive)
    }
}

/// FNV-1a: what it gives is part of what two programs say to each other, so that it must not depend on a version of Rust.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What cannot be said between two processes; each with what to write instead.
#[must_use]
pub(crate) fn refusals(interface: &Interface, model: &Model, name: &str) -> Vec<Refusal> {
    let mut found = Vec::new();
    let own = ["connect", "on_error", "serve", "serve_socket", "stop", "peer"];
    for function in &model.functions {
        let Ok(call) = &function.call else { continue };
        let place = interface.functions.iter().find(|one| one.name == function.name).map_or("", |one| one.place.as_str());
        let mut refuse = |key: String, why: String| {
            found.push(Refusal {
                place: place.to_owned(),
                table: format!("functions.{}", function.name),
                key,
                why,
                guess: None,
                advice: "skip = \"why\"".to_owned(),
            });
        };
        let rest = function.name.strip_prefix(&word(name)).and_then(|rest| rest.strip_prefix('_'));
        if rest.is_some_and(|rest| own.contains(&rest)) {
            refuse(
                String::new(),
                "client or server have a function of that name: choose another one for the interface".to_owned(),
            );
        }
        if call.variadic.is_some() {
            refuse(String::new(), "a variadic function cannot be asked for between processes".to_owned());
        }
        for one in &call.parameters {
            if let Some(why) = unsupported(model, one.kind, &mut BTreeSet::new()) {
                refuse(format!("parameters.{}", one.name), why);
            } else if one.size_of.is_some() {
                refuse(format!("parameters.{}", one.name), "`size_of` is for libraries".to_owned());
            }
        }
        if let Some(why) = call.result.as_ref().and_then(|one| unsupported(model, one.kind, &mut BTreeSet::new())) {
            refuse("result".to_owned(), why);
        }
    }
    for record in model.records.iter().filter_map(|at| interface.records.get(*at)) {
        if record.members.iter().any(|member| member.name.is_empty() && member.bits.is_none()) {
            found.push(Refusal {
                place: record.place.clone(),
                table: format!("types.{}", record.name()),
                key: String::new(),
                why: "it has a member without a name".to_owned(),
                guess: None,
                advice: "nothing; give the member a name in the header".to_owned(),
            });
        }
    }
    found
}

/// Why a type cannot be in a message.
fn unsupported(model: &Model, id: KindId, seen: &mut BTreeSet<KindId>) -> Option<String> {
    if !seen.insert(id) {
        return None;
    }
    match &model.kinds.get(id)?.conversion {
        Conversion::Same | Conversion::Integer(_) | Conversion::LongDouble | Conversion::Opaque { .. } | Conversion::User => None,
        Conversion::Untouched(..) => Some("`untouched` is for libraries".to_owned()),
        Conversion::Function(_) => Some("a server cannot call functions of its clients".to_owned()),
        Conversion::Array(element, _) => unsupported(model, *element, seen),
        Conversion::Pointer(pointer) => {
            if pointer.flags.iter().any(|flag| ["BRIDGE_KEPT", "BRIDGE_TWIN"].contains(flag)) {
                return Some("a server cannot keep an address of a client: it has a copy for the time of the call".to_owned());
            }
            unsupported(model, pointer.element, seen)
        }
        Conversion::Fields(fields) => fields.iter().find_map(|field| match &field.content {
            Content::One(kind) => unsupported(model, *kind, seen),
            Content::Choice(_, cases) => cases.iter().find_map(|case| {
                if has_pointer(model, case.kind, &mut BTreeSet::new()) {
                    return Some(format!("`{}`, a member of a union, has pointers in it", case.member));
                }
                unsupported(model, case.kind, seen)
            }),
        }),
    }
}

fn has_pointer(model: &Model, id: KindId, seen: &mut BTreeSet<KindId>) -> bool {
    seen.insert(id)
        && match model.kinds.get(id).map(|kind| &kind.conversion) {
            Some(Conversion::Pointer(_)) => true,
            Some(Conversion::Array(element, _)) => has_pointer(model, *element, seen),
            Some(Conversion::Fields(fields)) => fields.iter().any(|field| match &field.content {
                Content::One(kind) => has_pointer(model, *kind, seen),
                Content::Choice(..) => false,
            }),
            _ => false,
        }
}

/// A number of elements, in C: 32-bit compilers have no `__int128`.
fn count(length: &str) -> String {
    format!("ipc_count(call, {})", length.replace("(__int128)", "(long double)"))
}

/// What a name is as a word of C.
#[must_use]
pub(crate) fn word(name: &str) -> String {
    name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect()
}

/// Both sides of one interface.
pub(crate) struct Source<'a> {
    pub(crate) model: &'a Model,
    pub(crate) annotation: &'a Annotation,
    /// Of the interface.
    pub(crate) name: &'a str,
    /// How the header is included.
    pub(crate) header: &'a str,
}

impl Source<'_> {
    /// `NAME-client.c`
    pub(crate) fn client(&self) -> String {
        let mut out = self.prologue("IPC_CLIENT");
        self.conversions(&mut out, [Way::Ask, Way::Receive]);
        for (number, function) in self.model.functions.iter().enumerate() {
            let name = &function.name;
            match &function.call {
                Ok(call) => {
                    let _ = write!(out, "#undef {name}\n{}\n", self.asking(name, number, call));
                }
                Err(why) => {
                    let text = quoted(&format!("it is left out: {why}"));
                    let _ = write!(
                        out,
                        "void left_out_{name}(void) __asm__({symbol});\nvoid left_out_{name}(void)\n{{\n\
                         \tstruct ipc_call call = {{.interface = &ipc_interface, .function = {symbol}}};\n\
                         \tipc_fail(&call, ENOSYS, \"%s\", {text});\n\tipc_end(&call);\n}}\n\n",
                        symbol = quoted(name),
                    );
                }
            }
        }
        let word = word(self.name);
        let _ = write!(
            out,
            "int {word}_connect(const char *path)\n{{\n\
             \tif (strlen(path) >= sizeof ipc_path) {{\n\t\terrno = ENAMETOOLONG;\n\t\treturn -1;\n\t}}\n\
             \tpthread_mutex_lock(&ipc_path_lock);\n\tstrcpy(ipc_path, path);\n\tpthread_mutex_unlock(&ipc_path_lock);\n\
             \tif (ipc_own)\n\t\tipc_thread_ends(ipc_own);\n\
             \tpthread_once(&ipc_once, ipc_make_key);\n\tpthread_setspecific(ipc_key, NULL);\n\treturn 0;\n}}\n\n\
             void {word}_on_error(void (*handler)(int error, const char *text))\n{{\n\
             \t__atomic_store_n(&ipc_handler, handler, __ATOMIC_RELEASE);\n}}\n"
        );
        out
    }

    /// `NAME-server.c`
    pub(crate) fn server(&self) -> String {
        let mut out = self.prologue("IPC_SERVER");
        self.conversions(&mut out, [Way::Take, Way::Answer]);
        for (number, function) in self.model.functions.iter().enumerate() {
            if let Ok(call) = &function.call {
                let _ = writeln!(out, "{}", self.answering(&function.name, number, call));
            } else {
                let _ = write!(
                    out,
                    "static void ipc_serve_{number}(struct ipc_call *call)\n{{\n\tipc_fail(call, ENOSYS, \"it is left out\");\n}}\n\n"
                );
            }
        }
        let all = |each: &dyn Fn(usize, &str) -> String| -> String {
            self.model.functions.iter().enumerate().map(|(number, one)| each(number, &one.name)).collect()
        };
        let word = word(self.name);
        let _ = write!(
            out,
            "static void (*const ipc_functions[])(struct ipc_call *call) = {{{}}};\n\
             static const char *const ipc_names[] = {{{}}};\n\
             static const struct ipc_service ipc_service = {{&ipc_interface, ipc_functions, ipc_names, {}}};\n\n\
             int {word}_serve(const char *path)\n{{\n\treturn ipc_serve(&ipc_service, path);\n}}\n\n\
             int {word}_serve_socket(int listening)\n{{\n\treturn ipc_serve_socket(&ipc_service, listening);\n}}\n\n\
             void {word}_stop(void)\n{{\n\tipc_stop();\n}}\n\n\
             int {word}_peer(struct {word}_peer *peer)\n{{\n\
             \tif (!ipc_client) {{\n\t\terrno = ENOTCONN;\n\t\treturn -1;\n\t}}\n\
             \t*peer = (struct {word}_peer){{ipc_client->pid, ipc_client->uid, ipc_client->gid, ipc_client->width * 8}};\n\treturn 0;\n}}\n",
            all(&|number, _| format!("ipc_serve_{number}, ")),
            all(&|_, name| format!("{}, ", quoted(name))),
            matches!(self.annotation.threads, Threads::OneAtATime),
        );
        out
    }

    /// `NAME-client.h` and `NAME-server.h`
    pub(crate) fn headers(&self) -> [String; 2] {
        let word = word(self.name);
        let around = |side: &str, text: &str| {
            let guard = format!("{}_{side}_H", word.to_uppercase());
            format!(
                "{MADE_BY}#ifndef {guard}\n#define {guard}\n\n{text}\n\
                 #ifdef __cplusplus\n}}\n#endif\n#endif\n"
            )
        };
        let opening = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
        let client = format!(
            "{opening}/* Where the server is, instead of {socket}: a path, or with @ in front a name in the abstract namespace (unix(7)).\n\
             \x20* Counts for connections that are made later: each thread has one of its own, from its first call on. 0, or -1 with errno. */\n\
             int {word}_connect(const char *path);\n\n\
             /* What is called where a call has failed, instead of abort(3), with an errno and a sentence that names the function and the\n\
             \x20* argument. If it returns, the function returns 0, or what `on_error` says, with that errno. */\n\
             void {word}_on_error(void (*handler)(int error, const char *text));\n",
            socket = self.socket(),
        );
        let server = format!(
            "#include <sys/types.h>\n\n{opening}/* Serves {name}'s clients at `path` (NULL: {socket}), each thread of theirs by a thread, until {word}_stop; 0 then, or\n\
             \x20* -1 with errno. The program has the functions of the interface's header. */\n\
             int {word}_serve(const char *path);\n\
             /* The same on a socket that listens already. */\n\
             int {word}_serve_socket(int listening);\n\
             /* May be called by a signal handler. */\n\
             void {word}_stop(void);\n\n\
             struct {word}_peer {{\n\tpid_t pid;\n\tuid_t uid;\n\tgid_t gid;\n\tint bits; /* of its addresses: 32 or 64 */\n}};\n\
             /* Who has made the call that this thread is in; 0, or -1 with ENOTCONN. */\n\
             int {word}_peer(struct {word}_peer *peer);\n",
            name = self.name,
            socket = self.socket(),
        );
        [around("CLIENT", &client), around("SERVER", &server)]
    }

    fn socket(&self) -> String {
        self.annotation.socket.clone().unwrap_or_else(|| format!("@{}", self.name))
    }

    /// Of all that the other side has to know in the same way.
    fn hash(&self) -> u64 {
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        for function in &self.model.functions {
            hasher.write(format!("{} {:?}\n", function.name, function.call).as_bytes());
        }
        for kind in &self.model.kinds {
            hasher.write(format!("{:?}\n", kind.conversion).as_bytes());
        }
        hasher.finish()
    }

    fn prologue(&self, side: &str) -> String {
        let before: String = self.annotation.before.iter().map(|name| format!("#include <{name}>\n")).collect();
        let file = if side == "IPC_CLIENT" { "client" } else { "server" };
        format!(
            "{MADE_BY}#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n{before}#include {}\n\
             #include \"{name}-{file}.h\"\n#define {side}\n#include \"interface.h\"\n\n\
             static const struct ipc_interface ipc_interface = {{{}, {}, {:#x}u, {}}};\n\n",
            self.header,
            quoted(self.name),
            quoted(&self.socket()),
            self.hash(),
            self.model.functions.len(),
            name = self.name,
        )
    }

    /// A function for each structure and way.
    fn conversions(&self, out: &mut String, ways: [Way; 2]) {
        let records: Vec<(usize, &String, &Vec<Field>)> = (0..)
            .zip(&self.model.kinds)
            .filter_map(|(id, kind)| match (&kind.conversion, &kind.spelling) {
                (Conversion::Fields(fields), Some(spelling)) => Some((id, spelling, fields)),
                _ => None,
            })
            .collect();
        let head = |id: usize, spelling: &str, way: Way| {
            let constant = if way.is_written() { "const " } else { "" };
            format!(
                "static void ipc_{}_{id}(struct ipc_call *call, {constant}__typeof__({spelling}) *wide, bool fresh)",
                way.name()
            )
        };
        for way in ways {
            for (id, spelling, _) in &records {
                let _ = writeln!(out, "{};", head(*id, spelling, way));
            }
        }
        out.push('\n');
        for way in ways {
            for (id, spelling, fields) in &records {
                let mut body = String::new();
                for field in *fields {
                    // What only the server writes is not in the request.
                    if field.output && !way.is_reply() {
                        continue;
                    }
                    let _ = writeln!(body, "\tcall->argument = {};", quoted(&field.name));
                    body.push_str(&self.field(way, field));
                }
                let _ = write!(
                    out,
                    "{}\n{{\n\tconst char *outer = call->argument;\n\t(void)fresh;\n\tif (!ipc_enter(call))\n\t\treturn;\n{body}\
                     \tcall->argument = outer;\n\tcall->depth--;\n}}\n\n",
                    head(*id, spelling, way)
                );
            }
        }
    }

    fn field(&self, way: Way, field: &Field) -> String {
        let place = format!("wide->{}", field.name);
        let count = field.length.as_ref().map_or_else(|| "1".to_owned(), |length| count(length));
        let fresh = if field.output { "true" } else { "fresh" };
        match &field.content {
            Content::One(_) if field.bits.is_some() => {
                let convert = if way.is_written() {
                    format!("int64_t bits = (int64_t){place}; ipc_put_integer(call, &bits, 8, true);")
                } else {
                    // It has the same bits on the other side.
                    format!("int64_t bits; ipc_get_integer(call, &bits, 8, true); {place} = (__typeof__({place} + 0))bits;")
                };
                format!("\t{{ {convert} }}\n")
            }
            Content::One(kind) => self.convert(way, *kind, &place, &count, fresh, 1),
            Content::Choice(decides, cases) => {
                let mut out = format!("\tswitch ({decides}) {{\n");
                for Case { value, member, kind } in cases {
                    let convert = self.convert(way, *kind, &format!("{place}.{member}"), &count, fresh, 2);
                    let _ = write!(out, "\tcase {value}: {{\n{convert}\t\tbreak;\n\t}}\n");
                }
                let _ = writeln!(
                    out,
                    "\tdefault:\n\t\tipc_fail(call, EINVAL, \"which member of the union counts is not known for %lld\", (long long){decides});\n\t}}"
                );
                out
            }
        }
    }

    /// Statements for what is at `place`.
    fn convert(&self, way: Way, id: KindId, place: &str, count: &str, fresh: &str, depth: usize) -> String {
        let Some(kind) = self.model.kinds.get(id) else { return String::new() };
        let tabs = "\t".repeat(depth);
        let put = if way.is_written() { "put" } else { "get" };
        match &kind.conversion {
            Conversion::Same => format!(
                "{tabs}_Static_assert(sizeof({place}) == {size}, \"as for 32 and 64 bits\");\n{tabs}ipc_{put}(call, (void *)&({place}), {size});\n",
                size = kind.sizes[0]
            ),
            Conversion::Integer(signed) => {
                format!("{tabs}ipc_{put}_integer(call, (void *)&({place}), sizeof({place}), {signed});\n")
            }
            Conversion::User => format!("{tabs}ipc_{put}_integer(call, (void *)&({place}), sizeof({place}), false);\n"),
            Conversion::LongDouble => format!("{tabs}ipc_{put}_long_double(call, (void *)&({place}));\n"),
            Conversion::Opaque { not_null } => {
                let flags = match (way.is_reply(), not_null) {
                    (true, _) => "",
                    (false, true) => ", IPC_NOT_NULL",
                    (false, false) => ", 0",
                };
                format!("{tabs}ipc_{}_handle(call, (void *)&({place}){flags});\n", way.name())
            }
            Conversion::Array(element, length) => {
                let each = self.convert(way, *element, &format!("{place}[i{depth}]"), "1", fresh, depth + 1);
                format!("{tabs}for (size_t i{depth} = 0; i{depth} < {length} && !call->error; i{depth}++) {{\n{each}{tabs}}}\n")
            }
            Conversion::Fields(_) => format!("{tabs}ipc_{}_{id}(call, (void *)&({place}), {fresh});\n", way.name()),
            Conversion::Pointer(pointer) => self.pointer(way, pointer, place, count, fresh, depth),
            // There is none of these: see `unsupported`.
            Conversion::Function(_) | Conversion::Untouched(..) => String::new(),
        }
    }

    fn pointer(&self, way: Way, pointer: &Pointer, place: &str, count: &str, fresh: &str, depth: usize) -> String {
        let tabs = "\t".repeat(depth);
        let count = match pointer.count {
            // Of what the request has, as much as was written.
            Some(_) if way == Way::Answer && fresh == "false" => count.to_owned(),
            Some(count) => count.to_string(),
            None => count.to_owned(),
        };
        let known = ["BRIDGE_IN", "BRIDGE_OUT", "BRIDGE_ZERO", "BRIDGE_NOT_NULL"];
        let flags: Vec<String> =
            pointer.flags.iter().filter(|flag| known.contains(flag)).map(|flag| flag.replace("BRIDGE", "IPC")).collect();
        let flags = flags.join(" | ");
        let same = self.model.kinds.get(pointer.element).filter(|kind| matches!(kind.conversion, Conversion::Same));
        let elements = match &pointer.array {
            Some(array) => format!("((__typeof__({array}) *)({place}))"),
            None => place.to_owned(),
        };
        let size = same.map_or_else(|| format!("sizeof(*{elements})"), |kind| kind.sizes[0].to_string());
        let count = if way == Way::Receive { String::new() } else { format!(", {count}") };
        let more = if way.is_reply() { format!(", {fresh}") } else { String::new() };
        let arguments = format!("(call, (void *)&({place}), {size}{count}, {flags}{more})");
        if same.is_some() {
            return format!("{tabs}ipc_{}_bytes{arguments};\n", way.name());
        }
        // What only the server writes has pointers of the server only.
        let is_new = pointer.flags.contains(&"BRIDGE_OUT") && !pointer.flags.contains(&"BRIDGE_IN");
        let inner = if is_new { "true" } else { fresh };
        let each = self.convert(way, pointer.element, &format!("{elements}[i{depth}]"), "1", inner, depth + 2);
        let close = if way.is_reply() { "reclose" } else { "close" };
        format!(
            "{tabs}{{\n{tabs}\tstruct ipc_step step{depth} = ipc_{}_pointer{arguments};\n\
             {tabs}\tfor (size_t i{depth} = 0; i{depth} < step{depth}.count && !call->error; i{depth}++) {{\n{each}{tabs}\t}}\n\
             {tabs}\tipc_{close}(call, step{depth});\n{tabs}}}\n",
            way.name()
        )
    }

    /// All parameters in the order in which a message has them: lengths are of others.
    fn parameters(&self, way: Way, call: &Call) -> String {
        let (plain, sized): (Vec<&Argument>, Vec<&Argument>) = call.parameters.iter().partition(|one| one.length.is_none());
        let mut out = String::new();
        for one in plain.into_iter().chain(sized) {
            // Only what is behind pointers comes back.
            if way.is_reply() && !has_pointer(self.model, one.kind, &mut BTreeSet::new()) {
                continue;
            }
            let length = match (&one.length, &one.written) {
                // How much there is was said by the request; what counts now is how much was written.
                (_, Some(written)) if way == Way::Answer => format!("ipc_written({})", count(written)),
                (_, None) if way == Way::Answer => "SIZE_MAX".to_owned(),
                (Some(length), _) => count(length),
                (None, _) => "1".to_owned(),
            };
            let _ = writeln!(out, "\t\tcall->argument = {};", quoted(&one.name));
            out.push_str(&self.convert(way, one.kind, &format!("a_{}", one.name), &length, "false", 2));
        }
        out
    }

    fn declared(call: &Call) -> (String, String) {
        let result = call.result.as_ref().map_or_else(|| "void".to_owned(), |one| format!("__typeof__({})", one.spelling));
        let each: Vec<String> =
            call.parameters.iter().map(|one| format!("__typeof__({}) a_{}", one.spelling, one.name)).collect();
        (result, if each.is_empty() { "void".to_owned() } else { each.join(", ") })
    }

    /// How much a result has behind it.
    fn result_length(one: &Argument) -> String {
        one.length.as_ref().map_or_else(|| "1".to_owned(), |length| count(length))
    }

    fn asking(&self, name: &str, number: usize, call: &Call) -> String {
        let (result, parameters) = Self::declared(call);
        let mut out = format!("{result} ({name})({parameters})\n{{\n\tstruct ipc_call state, *call = &state;\n");
        if call.result.is_some() {
            let _ = writeln!(out, "\t{result} value;\n\tmemset((void *)&value, 0, sizeof value);");
        }
        let _ = writeln!(out, "\tif (ipc_begin(call, &ipc_interface, {number}, {})) {{", quoted(name));
        out.push_str(&self.parameters(Way::Ask, call));
        out.push_str("\t}\n\tif (ipc_exchange(call)) {\n");
        if let Some(one) = &call.result {
            let _ = writeln!(out, "\t\tcall->argument = \"result\";");
            out.push_str(&self.convert(Way::Receive, one.kind, "value", &Self::result_length(one), "true", 2));
        }
        out.push_str(&self.parameters(Way::Receive, call));
        out.push_str("\t}\n");
        match (&call.result, &call.on_error) {
            (Some(_), Some(value)) => {
                let _ = writeln!(out, "\tif (!ipc_end(call))\n\t\treturn {value};\n\treturn value;\n}}");
            }
            (Some(_), None) => {
                let _ = writeln!(out, "\tif (!ipc_end(call))\n\t\tmemset((void *)&value, 0, sizeof value);\n\treturn value;\n}}");
            }
            (None, _) => {
                let _ = writeln!(out, "\tipc_end(call);\n}}");
            }
        }
        out
    }

    fn answering(&self, name: &str, number: usize, call: &Call) -> String {
        let (result, _) = Self::declared(call);
        // Outside of the function, where nothing else has its name.
        let mut out = format!(
            "static __typeof__({name}) *const ipc_do_{number} = {name};\n\nstatic void ipc_serve_{number}(struct ipc_call *call)\n{{\n"
        );
        for one in &call.parameters {
            let _ = writeln!(out, "\t__typeof__({}) a_{};\n\tmemset((void *)&a_{1}, 0, sizeof a_{1});", one.spelling, one.name);
        }
        let _ = writeln!(out, "\t{{\n{}\t}}", self.parameters(Way::Take, call));
        let _ = writeln!(out, "\tif (call->in != call->in_end)\n\t\tipc_fail(call, EPROTO, \"the message is too long\");");
        let _ = writeln!(out, "\tif (call->error)\n\t\treturn;\n\terrno = 0;");
        let names: Vec<String> = call.parameters.iter().map(|one| format!("a_{}", one.name)).collect();
        let keep = if call.result.is_some() { format!("{result} value = ") } else { String::new() };
        let _ = writeln!(out, "\t{keep}ipc_do_{number}({});\n\tipc_answer(call, errno);\n\t{{", names.join(", "));
        if let Some(one) = &call.result {
            let _ = writeln!(out, "\t\tcall->argument = \"result\";");
            out.push_str(&self.convert(Way::Answer, one.kind, "value", &Self::result_length(one), "true", 2));
        }
        out.push_str(&self.parameters(Way::Answer, call));
        out.push_str("\t}\n");
        let own = self.annotation.functions.get(name);
        if let Some(free) = own.and_then(|own| own.result.as_ref()?.free.as_ref()) {
            let is_pointer = call.result.as_ref().and_then(|one| self.model.kinds.get(one.kind));
            if matches!(is_pointer.map(|kind| &kind.conversion), Some(Conversion::Pointer(_))) {
                let _ = writeln!(out, "\t{free}((void *)value);");
            }
        }
        for one in call.parameters.iter().filter(|one| one.drop) {
            let _ = writeln!(out, "\tipc_handle_drop(a_{});", one.name);
        }
        out.push_str("}\n");
        out
    }
}

/// The functions of an interface, for [`crate::model::resolve`]: there is no library that could have them or not.
#[must_use]
pub fn library(interface: &Interface, name: &str) -> crate::library::Library {
    crate::library::Library {
        path: std::path::PathBuf::new(),
        pair: crate::library::NATIVE,
        soname: name.to_owned(),
        functions: interface.functions.iter().map(|one| (one.name.clone(), None)).collect(),
        addresses: std::collections::BTreeMap::new(),
        versions: Vec::new(),
        compiled: Ok(elf::dwarf::Functions::default()),
    }
}
