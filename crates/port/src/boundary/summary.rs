//! What one file says: where pointers go, and what is seen through them.

use super::Object;
use super::address::{
    element, is_behind, is_behind_one, is_buffer, is_byte, is_byte_view, is_bytes, is_of_many, is_pointer, is_slip, is_view,
    is_word_view, is_written, overlaid, pointee,
};
use super::call::{
    count, holder, is_allocator, is_anonymous_mapping, is_byte_count, is_choice, is_descriptor, is_followed_afterwards,
    is_meaningless, is_set_afterwards, is_thrown_away, maps_screen, one_of_two, opened,
};
use super::sinks::{self, COPIES, Channel, Flow, MEMBERS};
use crate::ast::kind::{Kind, TypeKind, binary, unary};
use crate::ast::{Declaration, DeclarationId, FileId, TypeId, Unit};
use crate::pair::{NARROW, WIDE};
use crate::tree::{Expression, Tree, Types};
use crate::uncalled::MAIN;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// Casts, sums and the like that are followed down to a name.
const MAX_STEPS: usize = 64;

/// Parameters of functions that are called by a pointer.
const MAX_FORWARDED: u8 = 8;

/// The position that stands for what a template returns.
const RETURNED: u8 = u8::MAX;

/// Something that points to bytes: its name in [`Summary::names`].
pub(super) type Node = u32;

/// Where something is in a file of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Site {
    pub(super) path: String,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The function around it.
    pub(super) function: String,
}

/// A call, as far as it matters how many bytes it passes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) site: Site,
    /// What the called function is called, for the reader.
    pub(super) name: String,
    /// Arguments that are constants: the position, both values.
    pub(super) constants: Vec<(u8, [i128; 2])>,
    /// Arguments that are parameters of the function around it: the position, that of the parameter.
    pub(super) forwards: Vec<(u8, u8)>,
    /// Arguments that are numbers of bytes which follow from something else than the type of what is passed on.
    pub(super) byte_counts: Vec<u8>,
    /// Whether it is one of two ways, of which the other passes on what has the same size on both sides.
    pub(super) is_choice: bool,
    /// Arguments that are variables, of which it may be known what they are a descriptor of.
    pub(super) descriptors: Vec<(u8, Node)>,
}

/// One step of a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Edge {
    /// Both point to the same bytes, for the first was given the second.
    Alias(Node, Node),
    /// Bytes are copied from one to the other.
    Copy(Node, Node),
    /// The first is the argument of a call, the second the parameter, at this position.
    Argument { from: Node, to: Node, position: u8, call: u32 },
    /// The first is the result of a function, the second is what it is assigned to.
    Result(Node, Node),
}

/// Something that is seen through a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum View {
    /// It is passed to a function whose parameter does not say what it points to.
    Passed { object: u32, to: Node, position: u8, call: u32 },
    /// A pointer to bytes is converted to one to it, or it is copied. Memory that is one thing now and another one later is
    /// loose: whether it is this one that leaves the program is only known by its size. Where it is copied, only what goes the same way as the
    /// copy has to do with it; where the pointer is given its address, that may have something else at other times.
    Seen { object: u32, node: Node, site: Site, is_loose: bool, flow: Flow },
}

/// What one file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Of pointers; `graph` knows those of other files by the same name.
    pub(super) names: Vec<String>,
    pub(super) objects: Vec<Object>,
    pub(super) calls: Vec<Call>,
    pub(super) edges: Vec<Edge>,
    pub(super) views: Vec<View>,
    /// The functions that it defines.
    pub(super) defined: Vec<String>,
    /// What holds a descriptor or a stream, and of what.
    pub(super) opened: BTreeSet<(Node, Channel)>,
    /// What is given a descriptor or a stream, the second, by what holds one.
    pub(super) given: BTreeSet<(Node, Node)>,
    /// Objects to which [`MEMBERS`] point, by their names, that nobody passes on as they are, because what points there is made a pointer to them
    /// again.
    pub(super) taken_back: BTreeSet<String>,
    /// Pointers, by their names, that are read from a file or a socket and then followed, or looked for among others.
    pub(super) followed: BTreeSet<String>,
    /// Whether it is a file of another system, most likely.
    pub(super) is_foreign: bool,
    /// Whether a text in it is another one for each word size, as that from which a file has its name; formats are so for what they print.
    pub(super) is_named: bool,
    /// Whether it makes sockets by which a process talks to one that it has started.
    pub(super) is_paired: bool,
}

impl Summary {
    /// Whether a program begins in the file.
    pub(crate) fn has_main(&self) -> bool {
        self.defined.iter().any(|name| name == MAIN)
    }
}

/// The name of a parameter.
pub(super) fn parameter(function: &str, position: u8) -> String {
    format!("{position} of {function}")
}

/// The structure of the C library's allocator of objects that grow, which many a project brings along.
const ALLOCATOR: &str = "obstack";

/// How variables are called that have descriptors.
const DESCRIPTORS: [&str; 3] = ["fd", "pipe", "sock"];

/// How the name of a result begins.
const RESULT: &str = "result of ";

/// The name of a result.
pub(super) fn result(function: &str) -> String {
    format!("{RESULT}{function}")
}

/// Whether a name stands for what many objects have, each its own: a member, or what a method returns, as `bytes()` of a text.
pub(super) fn is_shared(name: &str) -> bool {
    match name.strip_prefix(RESULT) {
        // Those of functions have no blanks but in the names of directories, and no `std::`.
        Some(function) => function.starts_with(METHOD) || function.contains(' ') && !function.contains('@'),
        None => name.contains('.') && !name.contains('@') && !name.contains(" of "),
    }
}

/// Says what the graph needs of one file.
pub(crate) fn summarise(tree: &Tree<'_>, is_own: &dyn Fn(&str) -> bool) -> Summary {
    let mut walk = Walk {
        tree,
        is_own,
        out: Summary::default(),
        names: HashMap::new(),
        objects: HashMap::new(),
        parameters: HashMap::new(),
        function: None,
        errors: BTreeSet::new(),
        called_so: BTreeSet::new(),
        copied: HashMap::new(),
        templates: templates(tree),
    };
    let errors = tree
        .units
        .map(|unit| unit.diagnostics.iter().filter(|of| of.severity >= 3).map(|of| (unit.file(of.place.file), of.place.start)));
    walk.errors = errors.into_iter().flatten().collect();
    for node in tree.nodes() {
        walk.node(node);
    }
    walk.out.is_foreign = tree.is_foreign;
    walk.forget_numbers();
    walk.out
}

/// The function that is looked at.
struct Function<'a> {
    node: Expression<'a>,
    key: String,
    name: String,
    /// Whether it is one for any type.
    is_template: bool,
}

/// What an expression points to.
#[derive(Clone, Copy)]
enum Origin {
    Node(Node),
    /// The result of a call.
    Result(Node),
    Object(u32),
}

struct Walk<'a> {
    tree: &'a Tree<'a>,
    is_own: &'a dyn Fn(&str) -> bool,
    out: Summary,
    names: HashMap<String, Node>,
    objects: HashMap<[TypeId; 2], Option<u32>>,
    /// The position of a parameter in the function that is looked at.
    parameters: HashMap<DeclarationId, u8>,
    function: Option<Function<'a>>,
    /// What is [`Summary::given`] by something that is called as descriptors are.
    called_so: BTreeSet<(Node, Node)>,
    /// By variable: the member that it has its descriptor from.
    copied: HashMap<Node, Node>,
    /// Where the compiler had to guess what is meant.
    errors: BTreeSet<(&'a str, u32)>,
    /// The functions that are for any type, by the place of their name, which what is made of them has too.
    templates: HashMap<(FileId, u32), &'a str>,
}

impl<'a> Walk<'a> {
    fn name(&mut self, name: String) -> Node {
        let next = u32::try_from(self.out.names.len()).unwrap_or(u32::MAX);
        *self.names.entry(name).or_insert_with_key(|name| {
            self.out.names.push(name.clone());
            next
        })
    }

    fn node(&mut self, node: Expression<'a>) {
        match node.kind() {
            kind if kind.is_function() || kind == Kind::FunctionTemplate => self.enter(node),
            Kind::Call => self.call(node),
            Kind::Variable => {
                let value = node.children().filter(|child| child.is_expression()).last();
                if let (Some(place), Some(value)) = (self.place(node), value) {
                    if value.kind() == Kind::InitList {
                        self.members(value);
                    } else {
                        self.assign(Some(place), node.types(), value, false);
                    }
                }
            }
            Kind::Binary if node.operator() == binary::ASSIGN => {
                let (Some(left), Some(right)) = (node.child(0), node.child(1)) else { return };
                let left = left.strip();
                if let Some(sink) = member_sink(left).filter(|_| !is_slip(right)) {
                    let site = self.site(right);
                    let to = self.name(parameter(sink, 0));
                    self.pass(right, to, 0, |_| Call { site, name: format!("struct {sink}"), ..Call::default() });
                }
                let place = self.place(left);
                // `files[n] = tmpfile()`
                let channel =
                    opened(right.strip_casts()).filter(|_| left.kind() == Kind::Subscript && is_descriptor(left.types()));
                if let Some(channel) = channel {
                    let all = self.place(one_of_two(left));
                    self.out.opened.extend(all.map(|place| (place, channel)));
                }
                self.assign(place, left.types(), right, left.kind() == Kind::Member);
            }
            Kind::Return => {
                let (Some(value), Some(function)) = (node.child(0), &self.function) else { return };
                let to = result(&function.key);
                if is_descriptor(value.types()) {
                    let to = self.name(to.clone());
                    self.give(to, value);
                }
                if is_pointer(value.types()) && value.value(WIDE).is_none() {
                    let to = self.name(to);
                    for origin in self.origins(value) {
                        self.join(to, origin, value, false, Flow::Both);
                    }
                }
            }
            kind if kind == Kind::Unexposed || kind.is_explicit_cast() => self.conversion(node),
            Kind::StringLiteral => {
                let is_name = |[narrow, wide]: [&str; 2]| narrow != wide && !wide.contains('%');
                self.out.is_named |= self.is_own(node) && node.texts().is_some_and(is_name);
            }
            _ => {}
        }
    }

    fn enter(&mut self, node: Expression<'a>) {
        let is_definition = node.body().is_some();
        let (true, Some(declaration)) = (is_definition, node.declaration()) else { return };
        let key = self.key(declaration);
        let is_template = self.is_template(declaration);
        self.parameters.clear();
        for (position, child) in node.children().filter(|child| child.kind() == Kind::Parameter).enumerate() {
            if let (Some(id), Ok(position)) = (child.declaration_id(), u8::try_from(position)) {
                self.parameters.insert(id, position);
            }
        }
        self.out.defined.push(key.clone());
        self.function = Some(Function { node, key, name: declaration.name.clone(), is_template });
    }

    fn is_template(&self, function: &Declaration) -> bool {
        self.templates.contains_key(&(function.place.file, function.name_start))
    }

    /// The name of a function, by which other files know it; that of a template, by which all that is made of it is known.
    fn key(&self, function: &Declaration) -> String {
        let unit = self.tree.units[WIDE];
        if self.is_template(function) {
            format!("{} at {}:{}", function.name, unit.file(function.place.file), function.name_start)
        } else {
            key(self.tree, function)
        }
    }

    /// In a template: what stands for something of the type that it is for, of which the caller knows what it is.
    fn of_any_type(&mut self, object: Expression<'a>) -> Option<Node> {
        let function = self.function.as_ref().filter(|function| function.is_template)?;
        let declaration =
            object.declaration().filter(|_| object.kind() == Kind::DeclRef && object.types().size(WIDE).is_none())?;
        match declaration.kind {
            Kind::Parameter => self.place(object),
            // What is read into a variable and returned.
            Kind::Variable => {
                let unit = self.tree.units[WIDE];
                let returned = unit.canonical(function.node.declaration()?.type_id).inner;
                let is_returned = std::ptr::eq(unit.canonical(returned), unit.canonical(declaration.type_id));
                let name = parameter(&function.key, RETURNED);
                is_returned.then(|| self.name(name))
            }
            _ => None,
        }
    }

    fn site(&self, at: Expression<'a>) -> Site {
        let place = at.place();
        let function = self.function.as_ref().filter(|function| function.node.contains(at));
        Site {
            path: at.unit().file(place.file).to_owned(),
            start: place.start,
            end: place.end,
            function: function.map(|function| function.name.clone()).unwrap_or_default(),
        }
    }

    /// Whether what is here was written by the project.
    fn is_own(&self, at: Expression<'a>) -> bool {
        let (unit, place) = (at.unit(), at.place());
        let path = unit.file(place.file);
        (self.is_own)(path)
            && self.errors.range((path, place.start)..(path, place.end)).next().is_none()
            && place.macro_text.is_none_or(|(file, _)| file.0 == 0 || (self.is_own)(unit.file(file)))
            && ![NARROW, WIDE].into_iter().any(|side| at.is_dead(side))
    }

    /// A variable, parameter or member.
    fn place(&mut self, at: Expression<'a>) -> Option<Node> {
        if !matches!(at.kind(), Kind::DeclRef | Kind::Member | Kind::Variable) {
            return None;
        }
        let (id, declaration) = (at.declaration_id()?, at.declaration()?);
        let unit = self.tree.units[WIDE];
        let name = match declaration.kind {
            Kind::Parameter => {
                let function = self.function.as_ref()?;
                parameter(&function.key, *self.parameters.get(&id)?)
            }
            Kind::Variable if declaration.is_external => declaration.name.clone(),
            Kind::Variable => format!("{}@{}:{}", declaration.name, unit.file(declaration.place.file), declaration.name_start),
            // Those of an allocator point to whatever anybody has put there.
            Kind::Field if unit.declaration(declaration.parent).name == ALLOCATOR => return None,
            Kind::Field => member(unit, declaration),
            _ => return None,
        };
        Some(self.name(name))
    }

    /// A type, if it differs.
    fn object(&mut self, types: Types<'a>) -> Option<u32> {
        if let Some(known) = self.objects.get(&types.ids) {
            return *known;
        }
        let object = differs(types).then(|| Object::new(types)).flatten();
        let number = object.and_then(|object| {
            self.out.objects.push(object);
            u32::try_from(self.out.objects.len() - 1).ok()
        });
        self.objects.insert(types.ids, number);
        number
    }

    fn origins(&mut self, of: Expression<'a>) -> Vec<Origin> {
        let mut found = Vec::new();
        let mut rest = vec![of];
        for _ in 0..MAX_STEPS {
            let Some(next) = rest.pop() else { break };
            self.origin(next.strip_casts(), &mut found, &mut rest);
        }
        found
    }

    fn origin(&mut self, of: Expression<'a>, found: &mut Vec<Origin>, rest: &mut Vec<Expression<'a>>) {
        let types = of.types();
        if is_behind_one(of) || is_buffer(of) || is_word_view(of) || is_byte_view(of) {
            return;
        }
        match of.kind() {
            Kind::Conditional => return rest.extend(of.children().skip(1)),
            Kind::Binary if of.operator() == binary::COMMA => return rest.extend(of.child(1)),
            Kind::Binary if of.operator() == binary::ASSIGN => return rest.extend(of.child(0)),
            Kind::Unary if of.operator() == unary::ADDRESS_OF => {
                let Some(inner) = of.child(0).map(Expression::strip) else { return };
                match inner.kind() {
                    Kind::Unary if inner.operator() == unary::DEREFERENCE => return rest.extend(inner.child(0)),
                    Kind::Subscript if is_bytes(inner.types()) => return rest.extend(inner.child(0)),
                    _ => {}
                }
                if let Some(node) = self.of_any_type(inner) {
                    found.push(Origin::Node(node));
                    return;
                }
                found.extend(self.object(element(inner.types())).map(Origin::Object));
                return;
            }
            _ => {}
        }
        let Some(inner) = pointee(types) else { return };
        if !is_bytes(inner) {
            let is_template = self.function.as_ref().is_some_and(|function| function.is_template);
            if is_template && of.kind() == Kind::DeclRef && inner.size(WIDE).is_none() && inner.record().is_none() {
                found.extend(self.place(of).map(Origin::Node));
                return;
            }
            // The type of an allocator's result says nothing, nor that of a pointer to numbers which is given memory of no type.
            let is_void = |value: Expression<'a>| {
                value.kind() != Kind::Call && pointee(value.types()).is_some_and(|to| to.is(TypeKind::Void))
            };
            if inner.record().is_some() || of.kind() != Kind::Call && !of.was_given(is_void) {
                found.extend(self.object(inner).map(Origin::Object));
            }
            return;
        }
        match of.kind() {
            Kind::Binary if matches!(of.operator(), binary::ADD | binary::SUB) => {
                rest.extend(of.children().filter(|child| pointee(child.types()).is_some()));
            }
            Kind::Unary if of.operator() != unary::DEREFERENCE => rest.extend(of.child(0)),
            Kind::Subscript => rest.extend(of.child(0).filter(|base| {
                let base = base.strip().types();
                base.is(TypeKind::ConstantArray) && base.inner().is_some_and(|inner| inner.is(TypeKind::ConstantArray))
            })),
            Kind::Call => {
                let function = of.declaration().filter(|function| !is_anonymous_mapping(of) && !is_allocator(&function.name));
                if let Some(function) = function {
                    let name = if maps_screen(of) { result(sinks::SCREEN) } else { result(&self.key(function)) };
                    found.push(Origin::Result(self.name(name)));
                }
            }
            _ => {
                self.member_of_union(of, found);
                found.extend(self.place(of).map(Origin::Node));
            }
        }
    }

    /// Bytes that share their place with something else are that as well.
    fn member_of_union(&mut self, member: Expression<'a>, found: &mut Vec<Origin>) {
        let Some(around) = overlaid(member) else { return };
        // Where each member is the same, only the padding behind them differs.
        if around.fields().any(|(_, of)| of.sizes().is_none_or(|[narrow, wide]| narrow != wide)) {
            found.extend(self.object(around).map(Origin::Object));
        }
    }

    fn assign(&mut self, place: Option<Node>, types: Types<'a>, value: Expression<'a>, is_member: bool) {
        if let Some(place) = place.filter(|_| is_descriptor(types)) {
            self.give(place, value);
            // `int fd = link->fds[0]` is what that is, here.
            let value = value.strip_casts();
            let from = Some(one_of_two(value)).filter(|from| from.kind() == Kind::Member || value.kind() == Kind::Subscript);
            match from.filter(|_| !is_member).and_then(|from| self.place(from)) {
                Some(from) => self.copied.insert(place, from),
                None => self.copied.remove(&place),
            };
        }
        let (Some(place), Some(inner)) = (place, pointee(types)) else { return };
        if !is_bytes(inner) {
            return self.function_pointer(place, value);
        }
        for origin in self.origins(value) {
            self.join(place, origin, value, is_member, Flow::Both);
        }
    }

    /// What may be a descriptor or a stream goes to a variable, a member or a parameter.
    fn give(&mut self, to: Node, value: Expression<'a>) {
        let value = value.strip_casts();
        if value.value(WIDE).is_some() {
            return;
        }
        let held = holder(value);
        let name = held.declaration().map_or("", |of| of.name.as_str()).to_lowercase();
        let says = DESCRIPTORS.iter().any(|part| name.contains(part));
        let is_known = is_meaningless(held);
        let called = held.declaration().filter(|called| held.kind() == Kind::Call && !called.in_system_header && !is_known);
        let from = match called {
            Some(called) => Some(self.name(result(&self.key(called)))),
            None => self.place(held),
        };
        match from {
            Some(from) => {
                self.out.given.insert((from, to));
                self.called_so.extend(says.then_some((from, to)));
            }
            None => {
                // What else the system returns is a number: a character, how many bytes there were.
                let is_number = |name: &str| !sinks::COPIES_OF_DESCRIPTORS.contains(&name);
                let is_systems = value.declaration().is_some_and(|of| of.in_system_header);
                let is_other = value.call().is_some_and(|(name, _)| is_systems && is_number(name));
                let known = is_known.then_some(Channel::Meaningless).or_else(|| opened(value));
                let channel = known.or((!is_other).then_some(Channel::Descriptor));
                self.out.opened.extend(channel.map(|channel| (to, channel)));
            }
        }
    }

    /// Most numbers are no descriptors: it is kept where one goes that something here has opened, or that is called so, and that a member gets it
    /// that a function is given. Of others it is only said that what gets them may be anything, where that matters or other files may know more.
    fn forget_numbers(&mut self) {
        let Summary { names, opened, given, .. } = &mut self.out;
        let is = |node: Node, part: &str| names.get(node as usize).is_some_and(|name| name.contains(part));
        let is_parameter = |node: Node| is(node, " of ");
        let mut known: BTreeSet<Node> =
            opened.iter().filter(|(_, channel)| *channel != Channel::Descriptor).map(|(node, _)| *node).collect();
        loop {
            let more = given.iter().filter(|(from, to)| known.contains(from) && !known.contains(to));
            let more: Vec<Node> = more.map(|(_, to)| *to).collect();
            if more.is_empty() {
                break;
            }
            known.extend(more);
        }
        let is_kept =
            |(from, to): &(Node, Node)| known.contains(from) || is_parameter(*from) && !is_parameter(*to) && !is(*to, "@");
        let is_kept = |edge: &(Node, Node)| is_kept(edge) || self.called_so.contains(edge);
        let (kept, others): (BTreeSet<_>, BTreeSet<_>) = std::mem::take(given).into_iter().partition(is_kept);
        *given = kept;
        opened.extend(others.into_iter().map(|(_, to)| (to, Channel::Descriptor)));
        opened.retain(|(node, channel)| *channel != Channel::Descriptor || known.contains(node) || !is(*node, "@"));
    }

    /// What is given to the function that a pointer points to is given to all that are assigned to it.
    fn function_pointer(&mut self, place: Node, value: Expression<'a>) {
        let Some(declaration) = given_function(value) else { return };
        let Some(pointer) = self.out.names.get(place as usize).cloned() else { return };
        let called = self.key(declaration);
        let count = self.tree.units[WIDE].canonical(declaration.type_id).arguments.len().min(usize::from(MAX_FORWARDED));
        let forwards = (0..MAX_FORWARDED).map(|at| (at, at)).take(count).collect();
        let call = u32::try_from(self.out.calls.len()).unwrap_or(u32::MAX);
        self.out.calls.push(Call { name: declaration.name.clone(), forwards, ..Call::default() });
        for position in (0..MAX_FORWARDED).take(count) {
            // Who calls it by the pointer is not known.
            let anything = self.name(parameter(&called, position));
            self.out.opened.insert((anything, Channel::Descriptor));
            let (from, to) = (self.name(parameter(&pointer, position)), self.name(parameter(&called, position)));
            self.out.edges.push(Edge::Argument { from, to, position, call });
        }
    }

    /// Both point to the same bytes.
    fn join(&mut self, node: Node, origin: Origin, at: Expression<'a>, is_loose: bool, flow: Flow) {
        match origin {
            Origin::Node(other) if other != node => {
                self.out.edges.push(if flow == Flow::Both { Edge::Alias(node, other) } else { Edge::Copy(node, other) })
            }
            Origin::Node(_) => {}
            Origin::Result(result) => self.out.edges.push(Edge::Result(result, node)),
            Origin::Object(object) if self.is_own(at) => {
                let site = self.site(at);
                let name = self.out.names.get(node as usize);
                // What a method returns another class returns something else by.
                let is_of_method = name.is_some_and(|name| name.starts_with(RESULT) && is_shared(name));
                self.out.views.push(View::Seen {
                    object,
                    node,
                    site,
                    is_loose: is_loose || is_of_method || is_behind(at) || is_view(at) || overlaid(at).is_some(),
                    flow,
                });
            }
            Origin::Object(_) => {}
        }
    }

    /// A pointer to bytes is made one to a type.
    fn conversion(&mut self, conversion: Expression<'a>) {
        let (Some(converted), Some(to)) = (conversion.converted(), pointee(conversion.types())) else { return };
        if is_bytes(to) || !pointee(converted.types()).is_some_and(is_bytes) || !self.is_own(conversion) {
            return;
        }
        // `*(void **)block = next`: memory that nobody uses is kept in a list.
        if to.is_pointer() && is_written(conversion) {
            return;
        }
        let Some(object) = self.object(to) else { return };
        if member_sink(converted.strip_casts()).is_some() {
            self.out.taken_back.extend(self.out.objects.get(object as usize).map(|object| object.name.clone()));
        }
        for origin in self.origins(converted) {
            let (Origin::Node(node) | Origin::Result(node)) = origin else { continue };
            let site = self.site(conversion);
            self.out.views.push(View::Seen { object, node, site, is_loose: true, flow: Flow::Both });
        }
    }

    /// A list of values for a structure that is passed on by its address.
    fn members(&mut self, list: Expression<'a>) {
        let name = list.types().record().map_or("", |of| of[WIDE].name.as_str());
        let sink = MEMBERS.iter().find(|(record, _, _)| *record == name);
        if let (Some((_, _, sink)), Some(pointer)) = (sink, list.children().find(|child| child.is_expression())) {
            let site = self.site(pointer);
            let to = self.name(parameter(sink, 0));
            self.pass(pointer, to, 0, |_| Call { site, name: format!("struct {sink}"), ..Call::default() });
        } else if let Some(record) = list.types().record() {
            let unit = self.tree.units[WIDE];
            let values = list.children().filter(|child| child.is_expression());
            for (field, value) in record[WIDE].fields.iter().map(|id| unit.declaration(*id)).zip(values) {
                if value.kind() == Kind::InitList {
                    self.members(value);
                } else if unit.canonical(field.type_id).kind == TypeKind::Pointer && is_pointer(value.types()) {
                    let place = self.name(member(unit, field));
                    let bytes = is_byte(unit.canonical(unit.canonical(field.type_id).inner).kind);
                    if !bytes {
                        self.function_pointer(place, value);
                        continue;
                    }
                    for origin in self.origins(value) {
                        self.join(place, origin, value, false, Flow::Both);
                    }
                }
            }
        } else if list.types().is(TypeKind::ConstantArray) {
            for inner in list.children().filter(|child| child.kind() == Kind::InitList) {
                self.members(inner);
            }
        }
    }

    /// A pointer is given to a parameter.
    fn pass(&mut self, argument: Expression<'a>, to: Node, position: u8, call: impl FnOnce(&mut Self) -> Call) {
        let own = self.is_own(argument);
        let origins = self.origins(argument);
        if origins.is_empty() {
            return;
        }
        let number = u32::try_from(self.out.calls.len()).unwrap_or(u32::MAX);
        let call_of = call(self);
        self.out.calls.push(call_of);
        for origin in origins {
            match origin {
                Origin::Node(from) | Origin::Result(from) => {
                    self.out.edges.push(Edge::Argument { from, to, position, call: number });
                }
                Origin::Object(object) if own => self.out.views.push(View::Passed { object, to, position, call: number }),
                Origin::Object(_) => {}
            }
        }
    }

    fn call(&mut self, call: Expression<'a>) {
        // What is called by a pointer is known by the name of the pointer.
        let named = call.declaration().filter(|of| of.kind.is_function());
        let mut callee = call.child(0).map(Expression::strip);
        while let Some(pointer) = callee.filter(|of| of.kind() == Kind::Unary) {
            callee = pointer.child(0).map(Expression::strip);
        }
        let Some(function) = named.or_else(|| callee.and_then(Expression::declaration)) else { return self.unresolved(call) };
        let key = if named.is_some() {
            self.key(function)
        } else {
            let Some(place) = callee.and_then(|pointer| self.place(pointer)) else { return };
            self.out.names.get(place as usize).cloned().unwrap_or_default()
        };
        let arguments: Vec<Expression<'a>> = call.children().skip(1).collect();
        if let (true, [one, two, ..]) = (COPIES.contains(&function.name.as_str()), arguments.as_slice()) {
            let (mut to, mut from) = (self.origins(*one), self.origins(*two));
            // As many bytes for both of what has more for 64 bits: `memcpy(data, &size, 4)`, the lower half of a number; or only what is in front
            // of the members that differ.
            let counted = arguments.get(2).and_then(|bytes| count(*bytes));
            let is_same = |origin: &Origin| {
                let Origin::Object(at) = origin else { return false };
                let same =
                    self.out.objects.get(*at as usize).map(|of| if of.is_scalar { of.sizes[NARROW] } else { of.same_bytes });
                same.zip(counted).is_some_and(|(same, [narrow, wide])| narrow == wide && narrow <= same.into())
            };
            to.retain(|origin| !is_same(origin));
            from.retain(|origin| !is_same(origin));
            let [into, out_of] = if function.name == "bcopy" { [Flow::In, Flow::Out] } else { [Flow::Out, Flow::In] };
            for (a, at) in to.iter().map(|a| (a, *one)) {
                for b in &from {
                    match (*a, *b) {
                        (Origin::Node(node) | Origin::Result(node), other) => self.join(node, other, at, is_of_many(at), into),
                        (Origin::Object(object), Origin::Node(node) | Origin::Result(node)) => {
                            // What is taken for an address came from here.
                            let is_address =
                                self.out.objects.get(object as usize).is_some_and(|of| of.is_scalar && of.has_pointer);
                            self.join(node, *a, at, is_address, out_of);
                        }
                        (Origin::Object(_), Origin::Object(_)) => {}
                    }
                }
            }
            return;
        }
        if is_allocator(&function.name) {
            return;
        }
        let sink = sinks::find(&key);
        let is_sink = sink.is_some();
        let is_pair = function.name.contains("socketpair");
        self.out.is_paired |= is_pair;
        if is_pair || function.in_system_header && function.name.starts_with("pipe") {
            let is_pair = |of: &Expression<'a>| pointee(of.strip().types()).is_some_and(|of| of.integer(WIDE).is_some());
            let pair = arguments.iter().copied().rfind(is_pair).and_then(|pair| self.place(pair.strip()));
            self.out.opened.extend(pair.map(|pair| (pair, Channel::Pipe)));
        }
        // What the system's functions do with their arguments is known, or does not matter.
        if function.in_system_header && !is_sink {
            return;
        }
        let is_template = named.is_some() && self.is_template(function);
        if is_template {
            self.instance(call, function, &key, &arguments);
        }
        let unit = self.tree.units[WIDE];
        let of = unit.canonical(function.type_id);
        let of = if of.kind == TypeKind::Pointer { unit.canonical(of.inner) } else { of };
        for (position, argument) in arguments.iter().enumerate().take(usize::from(u8::MAX)) {
            let position = u8::try_from(position).unwrap_or(u8::MAX);
            if named.is_some()
                && !is_sink
                && (is_descriptor(argument.types()) || pointee(argument.strip().types()).is_some_and(is_descriptor))
            {
                let to = self.name(parameter(&key, position));
                self.give(to, *argument);
            }
            // `put(file, number, fwrite)`; what else is called by a parameter is called for one caller as for another.
            let is_sinks = |given: &&Declaration| given.in_system_header && sinks::find(&given.name).is_some();
            if named.is_some() && given_function(*argument).filter(is_sinks).is_some() {
                let to = self.name(parameter(&key, position));
                self.function_pointer(to, *argument);
                continue;
            }
            if !is_pointer(argument.strip().types()) && !is_pointer(argument.types()) {
                continue;
            }
            // Where the parameter says what it points to, the function itself shows what becomes of that.
            let formal = of.arguments.get(usize::from(position)).map(|id| unit.canonical(*id));
            let says =
                formal.is_some_and(|formal| formal.kind == TypeKind::Pointer && !is_byte(unit.canonical(formal.inner).kind));
            if sink.is_some_and(|sink| sink.flow == Flow::In) && is_followed_afterwards(*argument, call) {
                let named = argument.strip_casts().addressed().and_then(|object| self.object(object.types()));
                self.out
                    .followed
                    .extend(named.and_then(|at| self.out.objects.get(at as usize)).map(|object| object.name.clone()));
            }
            let is_nothing = || {
                is_thrown_away(*argument) || sink.is_some_and(|sink| sink.flow == Flow::In) && is_set_afterwards(*argument, call)
            };
            if says && !is_template || argument.value(WIDE).is_some() || is_sink && is_nothing() {
                continue;
            }
            let to = self.name(parameter(&key, position));
            let name = function.name.clone();
            self.pass(*argument, to, position, |walk| walk.describe(call, name, &arguments));
        }
    }

    /// What is given to what is made of a template, by reference, or returned by it: the template does not say what it is.
    fn instance(&mut self, call: Expression<'a>, function: &Declaration, key: &str, arguments: &[Expression<'a>]) {
        let unit = self.tree.units[WIDE];
        let of = unit.canonical(function.type_id);
        let is_reference = |kind: TypeKind| matches!(kind, TypeKind::LValueReference | TypeKind::RValueReference);
        let mut given: Vec<(u8, Types<'a>)> = Vec::new();
        for ((position, argument), formal) in (0..RETURNED).zip(arguments).zip(&of.arguments) {
            if is_reference(unit.canonical(*formal).kind) {
                given.push((position, argument.types()));
            }
        }
        if !is_reference(unit.canonical(of.inner).kind) && !call.types().is_pointer() {
            given.push((RETURNED, call.types()));
        }
        if !self.is_own(call) {
            return;
        }
        for (position, types) in given {
            let Some(object) = self.object(element(types)) else { continue };
            let to = self.name(parameter(key, position));
            let number = u32::try_from(self.out.calls.len()).unwrap_or(u32::MAX);
            let described = self.describe(call, function.name.clone(), arguments);
            self.out.calls.push(described);
            self.out.views.push(View::Passed { object, to, position, call: number });
        }
    }

    /// A call in a template of which is only known by the types that it is made for which function is meant.
    fn unresolved(&mut self, call: Expression<'a>) {
        let is_template = self.function.as_ref().is_some_and(|function| function.is_template);
        let Some(name) = call.overloaded().filter(|_| is_template) else { return };
        let arguments: Vec<Expression<'a>> = call.children().skip(1).collect();
        if let (true, [one, two, ..]) = (COPIES.contains(&name), arguments.as_slice()) {
            for a in self.origins(*one) {
                for b in self.origins(*two) {
                    if let Origin::Node(node) | Origin::Result(node) = a {
                        self.join(node, b, *one, false, Flow::Both);
                    }
                }
            }
            return;
        }
        let templates: Vec<String> = self
            .templates
            .iter()
            .filter(|(_, known)| **known == name)
            .map(|((file, start), name)| format!("{name} at {}:{start}", self.tree.units[WIDE].file(*file)))
            .collect();
        let keys = if templates.is_empty() { vec![name.to_owned()] } else { templates };
        for key in keys {
            for (position, argument) in (0..RETURNED).zip(&arguments) {
                let to = self.name(parameter(&key, position));
                // What is given on by reference is the same as its address.
                if let Some(from) = self.of_any_type(argument.strip()) {
                    let described = self.describe(call, name.to_owned(), &arguments);
                    let number = u32::try_from(self.out.calls.len()).unwrap_or(u32::MAX);
                    self.out.calls.push(described);
                    self.out.edges.push(Edge::Argument { from, to, position, call: number });
                } else {
                    self.pass(*argument, to, position, |walk| walk.describe(call, name.to_owned(), &arguments));
                }
            }
        }
    }

    fn describe(&mut self, call: Expression<'a>, name: String, arguments: &[Expression<'a>]) -> Call {
        let mut described = Call { site: self.site(call), name, is_choice: is_choice(call, arguments), ..Call::default() };
        for (position, argument) in arguments.iter().enumerate() {
            let Ok(position) = u8::try_from(position) else { break };
            if let Some(bytes) = count(*argument) {
                described.constants.push((position, bytes));
                continue;
            }
            let argument = argument.strip_casts();
            if is_byte_count(argument, arguments) {
                described.byte_counts.push(position);
            }
            let forwarded = argument.declaration_id().and_then(|id| self.parameters.get(&id));
            described.forwards.extend(forwarded.map(|parameter| (position, *parameter)));
            if is_descriptor(argument.types()) {
                let base = holder(argument);
                if let Some(place) = self.place(base) {
                    // What a function of the project's own has made one of, as `signal_pipe[1]`, or reads one, as `pipe_read(fd)`.
                    let names = base.declaration().map(|of| of.name.as_str()).into_iter().chain([described.name.as_str()]);
                    if names.into_iter().any(|name| name.to_lowercase().contains("pipe")) {
                        self.out.opened.insert((place, Channel::Pipe));
                    }
                    described.descriptors.push((position, self.copied.get(&place).copied().unwrap_or(place)));
                }
            }
        }
        described
    }
}

/// The function that a value is the address of.
fn given_function<'a>(value: Expression<'a>) -> Option<&'a Declaration> {
    let named = value.strip_casts();
    let named = if named.kind() == Kind::Unary { named.child(0).map_or(named, Expression::strip) } else { named };
    named.declaration().filter(|of| named.kind() == Kind::DeclRef && of.kind == Kind::Function)
}

/// The functions that are for any type, and those of classes that are.
fn templates<'a>(tree: &'a Tree<'a>) -> HashMap<(FileId, u32), &'a str> {
    let is_template = |node: &Expression<'a>| {
        node.kind() == Kind::FunctionTemplate
            || node.kind().is_function() && node.ancestors().any(|outer| outer.kind() == Kind::ClassTemplate)
    };
    let of = |node: Expression<'a>| node.declarations().map(|[_, of]| ((of.place.file, of.name_start), of.name.as_str()));
    tree.nodes().filter(is_template).filter_map(of).collect()
}

/// What the names of the C++ library's methods begin with.
const METHOD: &str = "std::";

/// The name of a function, by which other files know it.
fn key(tree: &Tree<'_>, function: &Declaration) -> String {
    let unit = tree.units[WIDE];
    match function.kind {
        Kind::Method if function.in_system_header => format!("{METHOD}{}", function.name),
        Kind::Function if function.is_external => function.name.clone(),
        Kind::Function => format!("{}@{}", function.name, unit.file(function.place.file)),
        _ => format!("{} {}", function.name, unit.get_type(function.type_id).spelling),
    }
}

/// The name of a member, by which other files know it.
fn member(unit: &Unit, field: &Declaration) -> String {
    let parent = unit.declaration(field.parent);
    if parent.name.is_empty() || parent.name.contains(' ') {
        format!("{}:{}.{}", unit.file(parent.place.file), parent.place.start, field.name)
    } else {
        format!("{}.{}", parent.name, field.name)
    }
}

/// The member of `struct iovec` and the like that is assigned to.
fn member_sink(left: Expression<'_>) -> Option<&'static str> {
    let field = left.declaration().filter(|of| left.kind() == Kind::Member && of.kind == Kind::Field)?;
    let parent = &left.unit().declaration(field.parent).name;
    MEMBERS.iter().find(|(record, member, _)| *member == field.name && parent.contains(record)).map(|(_, _, sink)| *sink)
}

/// Whether it is worth while to compare a type member by member.
fn differs(types: Types<'_>) -> bool {
    let [narrow, wide] = [NARROW, WIDE].map(|side| types.canonical(side));
    match (narrow.size, wide.size) {
        (Some(one), Some(two)) => one > 0 && (one != two || wide.kind == TypeKind::Record),
        _ => false,
    }
}
