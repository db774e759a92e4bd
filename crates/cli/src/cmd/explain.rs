//! `biarch explain ID`: everything about one rule.

use anyhow::{Result, bail};
use clap::Args;
use std::io::Write;
use ui::writers::explanation;

/// Say what a rule is about, why it matters and what to do
#[derive(Args)]
pub(crate) struct Explain {
    /// The rule, such as K001; `biarch list rules` has them all
    id: String,
}

impl Explain {
    pub(crate) fn run(self) -> Result<()> {
        let Some(rule) = ::check::rules().find(|rule| rule.id.eq_ignore_ascii_case(&self.id)) else {
            bail!("there is no rule '{}'; `biarch list rules` has them all", self.id);
        };
        let mut out = ui::color::stdout();
        explanation::write(rule, &mut out)?;
        Ok(out.flush()?)
    }
}
