//! What one word size never reaches: for 64 bits what is below `if (sizeof(long) == 4)`, for 32 what is below its `else`, and what comes
//! after a function has returned there.

use crate::ast::kind::Kind;
use crate::tree::{Expression, Tree};

/// The parts of a file that one side never reaches.
#[derive(Debug)]
pub(crate) struct Dead {
    /// Of each node whether it is in one.
    nodes: Vec<bool>,
}

impl Dead {
    /// Those of this side.
    pub(crate) fn new(tree: &Tree<'_>, side: usize) -> Self {
        let mut nodes = vec![false; tree.nodes().count()];
        for node in tree.nodes() {
            let holds =
                |check: Expression<'_>| check.child(0).and_then(|condition| condition.value(side)).map(|value| value != 0);
            let never = match node.kind() {
                _ if nodes[node.index()] => None,
                Kind::If | Kind::Conditional => {
                    let never = holds(node).and_then(|holds| node.child(if holds { 2 } else { 1 }));
                    never.map(Expression::indices)
                }
                Kind::Compound => {
                    let mut checks = node.children().filter(|part| part.kind() == Kind::If);
                    let last = checks.find(|check| holds(*check) == Some(true) && check.child(1).is_some_and(leaves));
                    last.map(|last| last.indices().end..node.indices().end)
                }
                _ => None,
            };
            nodes[never.unwrap_or_default()].fill(true);
        }
        Self { nodes }
    }
}

impl Expression<'_> {
    /// Whether it is never reached on one side.
    pub(crate) fn is_dead(self, side: usize) -> bool {
        self.tree().dead(side).nodes[self.index()]
    }

    /// Whether it is in a function that only this file knows, and that it calls where that is never reached: `if (sizeof(long) == 4) check();`.
    pub(crate) fn is_uncalled(self, side: usize) -> bool {
        let function = self.function().and_then(Self::declaration).filter(|function| !function.is_external);
        function.is_some_and(|function| {
            let mut mentions = self.tree().named(function).peekable();
            mentions.peek().is_some() && mentions.all(|mention| mention.is_dead(side))
        })
    }
}

/// Whether the function returns at the end of a statement, or the program ends there.
fn leaves(statement: Expression<'_>) -> bool {
    match statement.kind() {
        Kind::Return => true,
        Kind::Compound => statement.children().last().is_some_and(leaves),
        Kind::Do => statement.child(0).is_some_and(leaves),
        Kind::Call => statement.call().is_some_and(|(name, _)| matches!(name, "exit" | "_exit" | "abort")),
        _ => false,
    }
}
