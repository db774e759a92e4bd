//! `biarch explain ID`: everything about one rule.

use anyhow::{Result, bail};
use clap::Args;
use findings::Rule;
use std::io::Write;
use ui::writers::explanation;

/// More than this is no suggestion.
const SUGGESTED: usize = 4;

/// Say what a rule is about, why it matters and what to do
#[derive(Args)]
pub(crate) struct Explain {
    /// The rule, such as K001; `biarch list rules` has them all
    id: String,
}

impl Explain {
    pub(crate) fn run(self) -> Result<()> {
        let Some(rule) = super::rules().find(|rule| rule.id.eq_ignore_ascii_case(&self.id)) else {
            let near = near(&self.id);
            let near = if near.is_empty() { String::new() } else { format!("did you mean {}? ", near.join(", ")) };
            bail!("there is no rule '{}'; {near}`biarch list rules` has them all", self.id.escape_debug());
        };
        let mut out = ui::color::stdout();
        explanation::write(rule, ui::columns(), &mut out)?;
        Ok(out.flush()?)
    }
}

/// Rules to suggest: those with the same number, else those whose title has the word, else the ones with the most similar name.
fn near(id: &str) -> Vec<String> {
    let number = |id: &str| id.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().ok();
    let word = id.to_lowercase();
    let distance = |id: &str| strsim::osa_distance(&word, &id.to_lowercase());
    let nearest = super::rules().map(|rule| distance(rule.id)).min().filter(|distance| *distance < 3);
    let suggested = |wanted: &dyn Fn(&Rule) -> bool| -> Vec<String> {
        let rules = super::rules().filter(|rule| wanted(rule)).take(SUGGESTED);
        rules.map(|rule| format!("{} ({})", rule.id, rule.documentation.title())).collect()
    };
    let same = suggested(&|rule| number(id).is_some() && number(rule.id) == number(id));
    let titled = suggested(&|rule| word.len() > 2 && rule.documentation.title().to_lowercase().contains(&word));
    let similar = suggested(&|rule| Some(distance(rule.id)) == nearest);
    [same, titled, similar].into_iter().find(|rules| !rules.is_empty()).unwrap_or_default()
}
