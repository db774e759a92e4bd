//! All files' summaries together: what reaches the functions of the system, and on which way.

use super::Object;
use super::sinks::{self, Channel, Flow, MEMBERS, SINKS, Sink};
use super::summary::{Call, Edge, Site, Summary, View, is_shared, parameter, result};
use crate::pair::{NARROW, WIDE};
use crate::symbols::file_name;
use findings::Confidence;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The steps of a way that are shown; longer ones are followed.
const SHOWN: usize = 4;

/// Something that differs, and leaves the program here.
pub(crate) struct Crossing<'a> {
    pub(crate) object: &'a Object,
    pub(super) site: &'a Site,
    pub(crate) channel: Channel,
    /// The functions on the way: `save(), file.c → fwrite()`.
    pub(crate) way: Vec<String>,
    /// Whether the way leads through something that many share, as a member.
    pub(crate) is_vague: bool,
    /// Whether as many bytes go as the object has.
    is_whole: bool,
    /// Whether the file is most likely one of another system.
    is_foreign: bool,
    /// Whether what it goes to may have a name that says the word size, so that nobody reads that of the other.
    is_named: bool,
    /// Whether the project makes sockets by which it talks to itself.
    is_paired: bool,
    /// Whether the project is one program.
    is_alone: bool,
}

impl Crossing<'_> {
    /// File, beginning, end.
    pub(crate) fn place(&self) -> (&str, u32, u32) {
        (&self.site.path, self.site.start, self.site.end)
    }

    /// How sure it is that somebody else reads what is written here.
    pub(crate) fn confidence(&self) -> Confidence {
        // Times on the way to nobody knows where are mostly messages between programs that are built together, or to the sender itself.
        let is_event = self.object.is_time && matches!(self.channel, Channel::Descriptor | Channel::Raw);
        let is_own = self.is_paired && self.channel == Channel::Descriptor;
        // Both ends are one program, and are built together.
        let is_same = self.is_alone && self.channel == Channel::Local;
        // The bits of words lie in memory as those of bytes do, whatever the words' width.
        let is_bitmap = self.object.is_scalar && !self.object.has_pointer && self.object.name.to_lowercase().contains("bitmap");
        let is_inside = self.object.has_function && !matches!(self.channel, Channel::File | Channel::Database);
        let is_kept_apart = self.is_named && matches!(self.channel, Channel::File | Channel::Mapping | Channel::Descriptor);
        // What follows the eight bytes of a head of icmp(7) comes back to the sender as it is.
        let is_echo = self.object.name.to_lowercase().contains("icmp")
            && matches!(self.channel, Channel::Socket | Channel::Raw)
            && self.object.same_bytes >= 8;
        let is_slight = is_same
            || is_echo
            || is_kept_apart
            || is_inside
            || is_bitmap
            || is_random(self.site)
            || is_event
            || is_own
            || self.object.is_kernel
            || self.object.has_room;
        if self.is_vague || self.is_foreign || self.channel.is_local() || is_slight {
            Confidence::Possible
        } else if self.object.has_pointer
            && matches!(self.channel, Channel::File | Channel::Database | Channel::Socket | Channel::Raw | Channel::Local)
        {
            Confidence::Certain
        } else {
            Confidence::Probable
        }
    }

    /// What is wrong, in one line.
    pub(crate) fn message(&self) -> String {
        let object = self.object;
        let what = match (object.is_scalar, object.has_pointer) {
            (true, true) => "a pointer".to_owned(),
            (true, false) => format!("a value of type `{}`", object.name),
            _ => format!("`{}`", object.name),
        };
        let mut message = format!("{what} is kept in {} as it lies in memory: {}", self.channel.text(), self.way.join(" → "));
        if !object.is_scalar {
            message.push_str("; ");
            message.push_str(&match object.changes {
                0 => "its alignment differs".to_owned(),
                1 => format!("{} grows", object.change()),
                _ => format!("{} grow", object.change()),
            });
        }
        message
    }
}

/// Whether random numbers are made of what is read there, by its names: any bytes will do.
fn is_random(site: &Site) -> bool {
    let (file, function) = (file_name(&site.path).to_lowercase(), site.function.to_lowercase());
    ["random", "seed", "entropy"].iter().any(|part| file.starts_with(part) || function.contains(part))
}

/// A factor of the number of bytes that go.
#[derive(Clone, Copy, PartialEq)]
enum Factor {
    /// Argument at this position says it.
    Argument(u8),
    Constant([i128; 2]),
    /// Bytes that are counted without the size of a type.
    Bytes,
    Unknown,
}

/// How many bytes go, for 32 bits and for 64, if that is known; of an unknown number of elements, one.
fn bytes(factors: &[Factor]) -> Option<[i128; 2]> {
    let mut product = [1i128; 2];
    let mut is_whole = !factors.is_empty();
    for factor in factors {
        match factor {
            Factor::Constant([narrow, wide]) => product = [product[0].checked_mul(*narrow)?, product[1].checked_mul(*wide)?],
            _ => is_whole = false,
        }
    }
    (is_whole || product[0] > 1).then_some(product)
}

/// How many bytes a function of the system gets by this parameter, where that is another number for 64 bits.
fn counted(name: &str, call: &Call) -> Option<[i128; 2]> {
    let is_it = |sink: &&sinks::Sink| sink.pointer.is_some_and(|position| parameter(sink.name, position) == name);
    let sink = SINKS.iter().filter(|sink| name.ends_with(sink.name)).find(is_it)?;
    let constant =
        |at: &u8| call.constants.iter().find(|(position, _)| position == at).map(|(_, values)| Factor::Constant(*values));
    let factors: Option<Vec<Factor>> = sink.length.iter().map(constant).collect();
    bytes(&factors?).filter(|[narrow, wide]| narrow != wide)
}

/// Why something is known to leave the program.
#[derive(Clone)]
struct Reached {
    channel: Channel,
    length: Vec<Factor>,
    descriptor: Option<u8>,
    /// The next step: the call by which it goes on.
    through: Option<(usize, u32)>,
    next: Option<u32>,
    name: &'static str,
    is_vague: bool,
}

struct Graph<'a> {
    summaries: &'a [Summary],
    names: HashMap<&'a str, u32>,
    /// The number of each name of each summary.
    numbers: Vec<Vec<u32>>,
    /// By node: what is on the other side of assignments.
    aliases: HashMap<u32, Vec<u32>>,
    /// Pointers that are given others, so that they have something else at other times.
    several: HashSet<u32>,
    /// By parameter: where it gets its arguments from.
    callers: HashMap<u32, Vec<(u32, usize, u32)>>,
    /// By argument: to which parameters it goes.
    callees: HashMap<u32, Vec<u32>>,
    /// By result: what it is assigned to.
    results: HashMap<u32, Vec<u32>>,
    opened: HashMap<u32, Channel>,
    /// By what a function of the system gets: how many bytes of it go, where that is another number for 64 bits.
    counted: HashMap<u32, HashSet<[i128; 2]>>,
    /// What is many things to many functions.
    shared: HashSet<u32>,
    /// What [`Summary::taken_back`] has of all files.
    taken_back: HashSet<&'a str>,
    /// What [`Summary::followed`] has of all files.
    followed: HashSet<&'a str>,
    is_paired: bool,
    is_alone: bool,
    /// What sockets are, of which nothing else is known.
    socket: Channel,
}

/// Finds what leaves the program, in the order of the files; `programs` is how many the project is.
pub(crate) fn join<'a>(summaries: &'a [Summary], programs: usize) -> Vec<Crossing<'a>> {
    let graph = Graph::new(summaries, programs);
    let ways = [Flow::Both, Flow::Out, Flow::In].map(|flow| {
        let up = graph.up(flow);
        (flow, graph.down(&up), up)
    });
    let mut found = Vec::new();
    for (file, summary) in summaries.iter().enumerate() {
        for view in &summary.views {
            let (object, node, site, call, is_loose, flow) = match view {
                View::Passed { object, to, position, call } => {
                    let Some(call) = summary.calls.get(*call as usize) else { continue };
                    (object, *to, &call.site, Some((call, *position)), false, Flow::Both)
                }
                View::Seen { object, node, site, is_loose, flow } => (object, *node, site, None, *is_loose, *flow),
            };
            let Some(object) = summary.objects.get(*object as usize) else { continue };
            let node = graph.number(file, node);
            // A member has something else in each object.
            let is_given = call.is_none() && flow == Flow::Both && !graph.shared.contains(&node);
            let is_loose = is_loose || is_given && graph.several.contains(&node);
            let Some((_, down, up)) = ways.iter().find(|(way, ..)| *way == flow) else { continue };
            let crossing = match (up.get(&node), down.get(&node)) {
                (Some(reached), _) => graph.crossing(object, site, call, (file, node), reached, up),
                // What a function gets only sometimes from outside.
                (None, Some(reached)) if call.is_none() => graph.crossing(object, site, None, (file, node), reached, up),
                _ => None,
            };
            found.extend(
                // Of what a picture is made is known, however many bytes it has.
                crossing.map(|crossing| {
                    let is_loose = is_loose && !crossing.is_whole && crossing.channel != Channel::Picture;
                    Crossing { is_vague: crossing.is_vague || is_loose, ..crossing }
                }),
            );
        }
    }
    // A descriptor of which nothing else is known is most likely the other end of the pipe through which the same file sends the same.
    let of = |crossing: &Crossing<'a>| (crossing.site.path.as_str(), crossing.object.name.as_str());
    let piped: HashSet<_> = found.iter().filter(|crossing| crossing.channel == Channel::Pipe).map(of).collect();
    for crossing in found.iter_mut().filter(|crossing| crossing.channel == Channel::Descriptor) {
        if piped.contains(&of(crossing)) {
            crossing.channel = Channel::Pipe;
        }
    }
    found
}

impl<'a> Graph<'a> {
    fn new(summaries: &'a [Summary], programs: usize) -> Self {
        let opens = |channel| summaries.iter().any(|summary| summary.opened.iter().any(|(_, other)| *other == channel));
        let mut graph = Self {
            summaries,
            names: HashMap::new(),
            numbers: Vec::new(),
            aliases: HashMap::new(),
            several: HashSet::new(),
            callers: HashMap::new(),
            callees: HashMap::new(),
            results: HashMap::new(),
            opened: HashMap::new(),
            counted: HashMap::new(),
            shared: HashSet::new(),
            taken_back: summaries.iter().flat_map(|summary| summary.taken_back.iter().map(String::as_str)).collect(),
            followed: summaries.iter().flat_map(|summary| summary.followed.iter().map(String::as_str)).collect(),
            is_paired: summaries.iter().any(|summary| summary.is_paired),
            is_alone: programs == 1,
            socket: if opens(Channel::Local) && !opens(Channel::Socket) { Channel::Local } else { Channel::Socket },
        };
        for summary in summaries {
            let numbers = summary
                .names
                .iter()
                .map(|name| {
                    let next = u32::try_from(graph.names.len()).unwrap_or(u32::MAX);
                    let number = *graph.names.entry(name.as_str()).or_insert(next);
                    if is_shared(name) {
                        graph.shared.insert(number);
                    }
                    number
                })
                .collect();
            graph.numbers.push(numbers);
        }
        let mut given = Vec::new();
        // A header's inline functions are in many files.
        let mut known = HashSet::new();
        for (file, summary) in summaries.iter().enumerate() {
            for edge in &summary.edges {
                match edge {
                    Edge::Alias(a, b) | Edge::Copy(a, b) => {
                        let (a, b) = (graph.number(file, *a), graph.number(file, *b));
                        if known.insert((0, a, b)) {
                            graph.aliases.entry(a).or_default().push(b);
                            graph.aliases.entry(b).or_default().push(a);
                        }
                        if matches!(edge, Edge::Alias(..)) {
                            graph.several.insert(a);
                        }
                    }
                    Edge::Argument { from, to, call, .. } => {
                        let (name, call_of) = (summary.names.get(*to as usize), summary.calls.get(*call as usize));
                        let (from, to) = (graph.number(file, *from), graph.number(file, *to));
                        if let Some(count) = name.zip(call_of).and_then(|(name, call)| counted(name, call)) {
                            graph.counted.entry(from).or_default().insert(count);
                        }
                        graph.several.insert(to);
                        if known.insert((1, from, to)) {
                            graph.callers.entry(to).or_default().push((from, file, *call));
                            graph.callees.entry(from).or_default().push(to);
                        }
                    }
                    Edge::Result(from, to) => {
                        let (from, to) = (graph.number(file, *from), graph.number(file, *to));
                        graph.several.insert(to);
                        if known.insert((2, from, to)) {
                            graph.results.entry(from).or_default().push(to);
                        }
                    }
                }
            }
            for (node, channel) in &summary.opened {
                graph.open(graph.number(file, *node), *channel);
            }
            given.extend(summary.given.iter().map(|(from, to)| (graph.number(file, *from), graph.number(file, *to))));
        }
        graph.give(&given);
        // A function that nobody calls is there for others, who give it anything.
        let others: Vec<u32> = given.iter().filter(|(from, _)| !graph.opened.contains_key(from)).map(|(_, to)| *to).collect();
        for to in others {
            graph.open(to, Channel::Descriptor);
        }
        graph.give(&given);
        graph
    }

    /// What is one thing is that, and then it is many things: each changes twice at most.
    fn give(&mut self, given: &[(u32, u32)]) {
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for (from, to) in given {
                if let Some(channel) = self.opened.get(from).copied() {
                    is_new |= self.open(*to, channel);
                }
            }
        }
    }

    /// What is a file and a pipe at times is not known. Returns whether more is known than before.
    fn open(&mut self, node: u32, channel: Channel) -> bool {
        let before = self.opened.get(&node).copied();
        let now = if before.is_none_or(|before| before == channel) { channel } else { Channel::Descriptor };
        self.opened.insert(node, now);
        before != Some(now)
    }

    fn number(&self, file: usize, node: u32) -> u32 {
        self.numbers.get(file).and_then(|numbers| numbers.get(node as usize)).copied().unwrap_or(u32::MAX)
    }

    fn call(&self, at: (usize, u32)) -> Option<&'a Call> {
        self.summaries.get(at.0)?.calls.get(at.1 as usize)
    }

    /// What leaves the program because of what the functions do that it is given to, or comes into it: from the functions of the system by which
    /// it goes this way backwards.
    fn up(&self, flow: Flow) -> BTreeMap<u32, Reached> {
        let defined: HashSet<&str> =
            self.summaries.iter().flat_map(|summary| summary.defined.iter().map(String::as_str)).collect();
        let mut reached = BTreeMap::new();
        let mut todo = VecDeque::new();
        for sink in SINKS.iter().filter(|sink| sink.flow.meets(flow) && !defined.contains(sink.name)) {
            let name = match sink.pointer {
                Some(position) => parameter(sink.name, position),
                None if sink.is_member() => sink.name.to_owned(),
                None => result(sink.name),
            };
            if let Some(node) = self.names.get(name.as_str()) {
                let start = Reached {
                    channel: if sink.channel == Channel::Socket { self.socket } else { sink.channel },
                    length: sink.length.iter().map(|at| Factor::Argument(*at)).collect(),
                    descriptor: sink.descriptor,
                    through: None,
                    next: None,
                    name: sink.name,
                    is_vague: false,
                };
                reached.insert(*node, start);
                todo.push_back(*node);
            }
        }
        while let Some(node) = todo.pop_front() {
            let Some(own) = reached.get(&node).cloned() else { continue };
            let vague = own.is_vague || self.shared.contains(&node);
            let beside = self.aliases.get(&node).into_iter().chain(self.results.get(&node)).flatten();
            let next: Vec<(u32, Reached)> = beside
                .map(|other| (*other, Reached { is_vague: vague, ..own.clone() }))
                .chain(self.callers.get(&node).into_iter().flatten().map(|(from, file, call)| {
                    let at = (*file, *call);
                    let step = self.call(at).map_or(own.clone(), |call| self.step(*file, call, &own));
                    (*from, Reached { through: Some(at), next: Some(node), is_vague: vague, ..step })
                }))
                .collect();
            for (other, why) in next {
                if let Entry::Vacant(slot) = reached.entry(other) {
                    slot.insert(why);
                    todo.push_back(other);
                }
            }
        }
        reached
    }

    /// What is known in the function around a call of what is known in the called one.
    fn step(&self, file: usize, call: &Call, own: &Reached) -> Reached {
        let forward = |position: u8| call.forwards.iter().find(|(at, _)| *at == position).map(|(_, parameter)| *parameter);
        let constant = |position: u8| call.constants.iter().find(|(at, _)| *at == position).map(|(_, values)| *values);
        let factor = |factor: &Factor| match factor {
            Factor::Argument(at) => {
                let other = if call.byte_counts.contains(at) { Factor::Bytes } else { Factor::Unknown };
                constant(*at).map(Factor::Constant).or(forward(*at).map(Factor::Argument)).unwrap_or(other)
            }
            other => *other,
        };
        let length = own.length.iter().map(factor).collect();
        Reached { length, descriptor: own.descriptor.and_then(forward), channel: self.channel(file, call, own), ..own.clone() }
    }

    fn channel(&self, file: usize, call: &Call, own: &Reached) -> Channel {
        let descriptor = own.descriptor.and_then(|at| call.descriptors.iter().find(|(position, _)| *position == at));
        let known = descriptor.and_then(|(_, node)| self.opened.get(&self.number(file, *node)).copied());
        // What is many things is what the function is mostly used for.
        known.filter(|channel| *channel != Channel::Descriptor).unwrap_or(own.channel)
    }

    /// What functions are given that leaves the program, or has come into it, elsewhere. Does not lead back to their callers.
    fn down(&self, up: &BTreeMap<u32, Reached>) -> BTreeMap<u32, Reached> {
        let mut reached: BTreeMap<u32, Reached> = BTreeMap::new();
        let mut todo: VecDeque<(u32, Reached)> = VecDeque::new();
        for (node, why) in up {
            if !why.is_vague && !self.shared.contains(node) {
                todo.extend(self.callees.get(node).into_iter().flatten().map(|to| (*to, why.clone())));
            }
        }
        while let Some((node, why)) = todo.pop_front() {
            if up.contains_key(&node) || reached.contains_key(&node) || self.shared.contains(&node) {
                continue;
            }
            let next = self.aliases.get(&node).into_iter().chain(self.callees.get(&node)).flatten();
            todo.extend(next.map(|other| (*other, why.clone())));
            reached.insert(node, Reached { length: Vec::new(), ..why });
        }
        reached
    }

    fn crossing(
        &self,
        object: &'a Object,
        site: &'a Site,
        passed: Option<(&'a Call, u8)>,
        (file, node): (usize, u32),
        reached: &Reached,
        up: &BTreeMap<u32, Reached>,
    ) -> Option<Crossing<'a>> {
        let call = passed.map(|(call, _)| call);
        let here = call.map_or_else(|| reached.clone(), |call| self.step(file, call, reached));
        let length = bytes(&here.length);
        let sizes = object.sizes.map(i128::from);
        // What a buffer is for otherwise says nothing of the call that counts by the size of this.
        let is_counted = call.is_none() && self.counted.get(&node).is_some_and(|counts| counts.contains(&sizes));
        let length = if is_counted { Some(sizes) } else { length };
        let is_whole = length.is_some_and(|length| length == sizes);
        // A number of bytes that is none of numbers, and one of a structure that has only more space at its end, or a pointer there
        // and says itself how long it is: what that leads to follows.
        let is_counted_in_bytes = match object.is_scalar {
            true => length.is_none() && here.length.contains(&Factor::Bytes),
            false => {
                let has_length = || here.length.contains(&Factor::Bytes) && object.ends_in_pointer();
                length.is_none() && (object.same_bytes >= object.sizes[NARROW] || has_length())
            }
        };
        if let Some([narrow, wide]) = length {
            // A number that is seen in a buffer is somewhere in it, and as many bytes of it as it has. A member points to the number itself.
            let is_within = call.is_none() && !self.shared.contains(&node) && narrow > object.sizes[NARROW].into();
            let same = narrow == wide
                && (object.is_scalar && !is_within || u64::try_from(narrow).is_ok_and(|bytes| bytes <= object.same_bytes));
            if same {
                return None;
            }
        }
        if here.channel == Channel::MessageQueue && object.only_first || here.channel == Channel::Meaningless {
            return None;
        }
        let mut way = Vec::new();
        let mut at = Some(reached);
        while let Some(step) = at {
            let called = step.through.and_then(|through| self.call(through));
            match called {
                Some(call) if way.len() < SHOWN && !call.site.function.is_empty() => {
                    way.push(format!("{}(), {}", call.site.function, file_name(&call.site.path)))
                }
                _ => {}
            }
            at = step.next.and_then(|next| up.get(&next));
        }
        way.push(sinks::find(reached.name).map_or_else(String::new, Sink::text));
        way.dedup();
        let is_list = MEMBERS.iter().any(|(.., sink)| *sink == reached.name);
        let is_taken_back = is_list && self.taken_back.contains(object.name.as_str());
        // A pointer's own bytes are as many as it has: more are what it leads to, and meant without the `&`.
        // One that nothing but a list of pieces leads to is mostly where a piece is to be put.
        let is_meant =
            object.is_scalar && object.has_pointer && !is_whole && (is_list || call.is_some() && !here.length.is_empty());
        // `get_bytes(file, head, 8)`, which has read more than that before: the members behind are the program's own.
        let is_head = |(at, [narrow, wide]): &(u8, [i128; 2]), position: u8| {
            at.checked_sub(1) == Some(position)
                && narrow == wide
                && u64::try_from(*narrow).is_ok_and(|bytes| (4..=object.same_bytes).contains(&bytes))
        };
        // What is read by whole blocks says nothing of that.
        let is_open = length.is_none_or(|[narrow, _]| narrow > sizes[WIDE]);
        let is_only_head = is_open
            && !object.is_scalar
            && passed.is_some_and(|(call, position)| call.constants.iter().any(|constant| is_head(constant, position)));
        // Whoever follows an address that is read has made it.
        let is_followed = object.is_scalar && object.has_pointer && self.followed.contains(object.name.as_str());
        let is_choice = call.is_some_and(|call| call.is_choice);
        let is_foreign = self.summaries.get(file).is_some_and(|summary| summary.is_foreign);
        Some(Crossing {
            object,
            site,
            channel: here.channel,
            way,
            is_vague: (here.is_vague || is_counted_in_bytes) && !is_counted
                || is_choice
                || is_taken_back
                || is_meant
                || is_only_head
                || is_followed,
            is_whole,
            is_foreign,
            is_named: self.summaries.get(file).is_some_and(|summary| summary.is_named),
            is_paired: self.is_paired,
            is_alone: self.is_alone,
        })
    }
}
