//! What others measured: the tables of the work that biarch starts from, each with what measures the same today.
//!
//! Figures are as printed, also where the text beside them says something else; a note then says so.

use crate::comparison::Comparison;
use crate::stats;

/// A table, or what a text says in numbers.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What was measured, and on what.
    pub title: &'static str,
    /// Who, where and when.
    pub source: Source,
    /// Where it stands.
    pub place: &'static str,
    /// What the columns are.
    pub columns: [&'static str; 2],
    /// The unit, and which way is better.
    pub unit: Unit,
    /// Its rows.
    pub rows: &'static [Figure],
    /// What has to be known about it; may be empty.
    pub note: &'static str,
    /// What measures the same today.
    pub command: &'static str,
}

/// Where figures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Olof Johansson, 2006.
    Johansson,
    /// Richard Weinberger, 2024.
    Weinberger,
    /// Yohei Ikeuchi, 2016.
    Ikeuchi,
    /// Sebastian Reichelt, 2006.
    Reichelt,
}

impl Source {
    /// All of them, the oldest first.
    pub const ALL: [Self; 4] = [Self::Johansson, Self::Reichelt, Self::Ikeuchi, Self::Weinberger];

    /// As in a list of references.
    #[must_use]
    pub fn citation(self) -> &'static str {
        match self {
            Self::Johansson => {
                "Olof Johansson, \"A look at 64- versus 32-bit userspace performance\", linux.conf.au, January 2006"
            }
            Self::Weinberger => {
                "Richard Weinberger, \"A Time Consuming Pitfall for 32-bit Applications on AArch64\", sigma star gmbh, February 2024"
            }
            Self::Ikeuchi => {
                "Yohei Ikeuchi, \"Building IVI Product on ARM 64 bit architecture\", Panasonic Industrial Devices Systems and Technology, July 2016"
            }
            Self::Reichelt => {
                "Sebastian Reichelt, \"Compatibility Mode Support for L4Ka::Pistachio/AMD64\", study thesis, Universität Karlsruhe, December 2006"
            }
        }
    }

    /// In a few words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Johansson => "Johansson 2006",
            Self::Weinberger => "Weinberger 2024",
            Self::Ikeuchi => "Ikeuchi 2016",
            Self::Reichelt => "Reichelt 2006",
        }
    }
}

/// A unit, and which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Less is better: time, bytes, instructions.
    Cost(&'static str),
    /// More is better: work in a time.
    Rate(&'static str),
}

impl Unit {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Cost(unit) => format!("{unit}; less is better"),
            Self::Rate(unit) => format!("{unit}; more is better"),
        }
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// What was measured.
    pub what: &'static str,
    /// What came out.
    pub said: Said,
    /// What measures it here.
    pub twin: Twin,
}

/// What a source says.
#[derive(Clone, Copy, Debug)]
pub enum Said {
    /// A figure in each column.
    Both(f64, f64),
    /// The second column's cost, where the first's is 1.
    Ratio(f64),
    /// In words.
    Words(&'static str),
}

/// What measures a row here.
#[derive(Clone, Copy, Debug)]
pub enum Twin {
    /// A benchmark on both sides.
    Benchmark(&'static str),
    /// The 32-bit side's time for the second benchmark, where that for the first is 1.
    Within(&'static str, &'static str),
    /// Nothing that a result of benchmarks has; the table's command says it.
    Elsewhere,
}

impl Figure {
    /// The cost of the second column, where that of the first is 1: of 32 bits, where that of 64 bits is 1.
    #[must_use]
    pub fn ratio(&self, unit: Unit) -> Option<f64> {
        match (self.said, unit) {
            (Said::Both(first, second), Unit::Cost(_)) => Some(second / first),
            (Said::Both(first, second), Unit::Rate(_)) => Some(first / second),
            (Said::Ratio(ratio), _) => Some(ratio),
            (Said::Words(_), _) => None,
        }
    }

    /// The same here: the ratio, and its interval where there is one.
    #[must_use]
    pub fn here(&self, comparison: &Comparison) -> Option<(f64, Option<(f64, f64)>)> {
        let find = |name: &str| comparison.outcomes.iter().find(|outcome| outcome.name == name);
        match self.twin {
            Twin::Benchmark(name) => {
                let ratio = find(name)?.ratios.get(1).copied().flatten()?;
                Some((ratio.median, Some((ratio.low, ratio.high))))
            }
            Twin::Within(one, other) => {
                let median = |name| stats::median(find(name)?.samples.get(1)?);
                Some((median(other)? / median(one)?, None))
            }
            Twin::Elsewhere => None,
        }
    }
}

const fn row(what: &'static str, said: Said, twin: Twin) -> Figure {
    Figure { what, said, twin }
}

use Said::{Both, Ratio, Words};
use Source::{Ikeuchi, Johansson, Reichelt, Weinberger};
use Twin::{Benchmark, Elsewhere, Within};
use Unit::{Cost, Rate};

const WIDTHS: [&str; 2] = ["64-bit", "32-bit"];
const SIZES: &str = "biarch compare --static cc1-32 cc1-64";
const OPENSSL: &str = "biarch compare --fetch crypto";
const LATENCY: &str = "biarch latency";

/// All that is known, in the order of the sources.
pub const TABLES: &[Table] = &[
    Table {
        title: "the size of cc1 by section, ppc64 (gcc 4.0.1)",
        source: Johansson,
        place: "section 3.1",
        columns: WIDTHS,
        unit: Cost("bytes"),
        rows: &[
            row("text", Both(5_020_366.0, 4_759_812.0), Elsewhere),
            row("data", Both(528_576.0, 9_048.0), Elsewhere),
            row("bss", Both(561_216.0, 504_524.0), Elsewhere),
        ],
        note: "data: +5741 %, most of it .data.rel.ro (214744 bytes), .opd (182136) and .got (117584)",
        command: SIZES,
    },
    Table {
        title: "the size of cc1 by section, x86 (gcc 4.0.1)",
        source: Johansson,
        place: "section 3.2",
        columns: WIDTHS,
        unit: Cost("bytes; lines of objdump -d"),
        rows: &[
            row("text", Both(4_889_133.0, 4_330_757.0), Elsewhere),
            row("data", Both(16_520.0, 10_112.0), Elsewhere),
            row("bss", Both(562_056.0, 507_588.0), Elsewhere),
            row("lines of disassembly", Both(1_006_115.0, 1_054_860.0), Elsewhere),
            row("the same without nop and data16", Both(894_867.0, 1_033_564.0), Elsewhere),
        ],
        note: "the paper's text gives the difference in text as 260554 bytes, which is that of ppc64; it is 558376 (13 %)",
        command: SIZES,
    },
    Table {
        title: "instructions for a constant as wide as a register",
        source: Johansson,
        place: "section 4",
        columns: WIDTHS,
        unit: Cost("instructions that depend on each other"),
        rows: &[row("ppc", Both(5.0, 2.0), Elsewhere), row("x86", Both(1.0, 1.0), Benchmark("narrow_constant"))],
        note: "here: the time; a 64-bit constant in 32-bit code, which the paper does not have, is the benchmark wide_constant",
        command: "biarch compare constants",
    },
    Table {
        title: "a million calls through a function pointer, ppc970",
        source: Johansson,
        place: "section 5.1",
        columns: WIDTHS,
        unit: Cost("ticks of 33.333 MHz"),
        rows: &[
            row("as compiled", Both(351_000.0, 755_000.0), Benchmark("pointer")),
            row("32-bit through CTR, by hand", Both(351_000.0, 333_000.0), Benchmark("pointer")),
            row("a call that is not through a pointer", Ratio(1.0 / 1.03), Benchmark("direct")),
        ],
        note: "the 32-bit code called through the link register, and so returned to where no return was predicted",
        command: "biarch compare calls",
    },
    Table {
        title: "building a toolchain (crosstool, gcc 3.4.4)",
        source: Johansson,
        place: "section 6",
        columns: WIDTHS,
        unit: Cost("s"),
        rows: &[
            row("ppc970 2 x 2.0 GHz", Both(3116.0, 2785.0), Benchmark("gcc")),
            row("Athlon X2 3800+", Both(1565.0, 1579.0), Benchmark("gcc")),
        ],
        note: "the paper calls the difference on x86 7 %; 26 min 5 s and 26 min 19 s differ by 1 %",
        command: "biarch compare --fetch compile",
    },
    Table {
        title: "lmbench: what differed",
        source: Johansson,
        place: "section 6.1",
        columns: WIDTHS,
        unit: Cost("time"),
        rows: &[
            row("installing a signal handler", Ratio(1.1), Benchmark("signal_install")),
            row("running a signal handler", Ratio(1.1), Benchmark("signal_deliver")),
            row("exec", Ratio(1.0 / 1.42), Benchmark("fork_exec")),
            row("a shell", Ratio(1.0 / 1.36), Benchmark("fork_shell")),
            row("context switches", Words("0 to 20 % faster as 32-bit"), Benchmark("context_16_64")),
            row("page faults", Ratio(1.1), Benchmark("page_fault")),
        ],
        note: "of the processor that each is of the paper says nothing; the rest showed little to no difference",
        command: "biarch compare system",
    },
    Table {
        title: "kernbench, ppc970: a kernel for i686",
        source: Johansson,
        place: "section 6.2",
        columns: WIDTHS,
        unit: Cost("s; numbers"),
        rows: &[
            row("elapsed", Both(253.47, 208.69), Elsewhere),
            row("user", Both(452.784, 378.95), Benchmark("gcc")),
            row("system", Both(49.934, 34.812), Elsewhere),
            row("context switches", Both(35381.8, 28363.2), Elsewhere),
            row("sleeps", Both(28684.6, 24668.6), Elsewhere),
        ],
        note: "",
        command: "biarch compare --fetch compile",
    },
    Table {
        title: "kernbench, Athlon X2 3800+: a kernel for i686",
        source: Johansson,
        place: "section 6.2",
        columns: WIDTHS,
        unit: Cost("s; numbers"),
        rows: &[
            row("elapsed", Both(126.67, 162.612), Elsewhere),
            row("user", Both(219.252, 293.356), Benchmark("gcc")),
            row("system", Both(27.288, 29.108), Elsewhere),
            row("context switches", Both(16110.8, 18534.4), Elsewhere),
            row("sleeps", Both(20814.0, 23238.4), Elsewhere),
        ],
        note: "",
        command: "biarch compare --fetch compile",
    },
    Table {
        title: "openssl speed, Athlon X2 3800+",
        source: Johansson,
        place: "section 6.3",
        columns: WIDTHS,
        unit: Rate("1000 bytes/s"),
        rows: &[
            row("md2", Both(4999.85, 6094.85), Elsewhere),
            row("mdc2", Both(7211.69, 5057.19), Elsewhere),
            row("md4", Both(424_042.50, 362_039.98), Elsewhere),
            row("md5", Both(249_194.65, 363_050.33), Benchmark("openssl_md5")),
            row("hmac(md5)", Both(251_434.33, 364_980.91), Elsewhere),
            row("sha1", Both(151_977.98, 250_208.26), Benchmark("openssl_sha1")),
            row("rmd160", Both(108_778.84, 130_274.65), Elsewhere),
            row("rc4", Both(159_604.74, 188_844.71), Elsewhere),
            row("des cbc", Both(42_027.69, 53_612.69), Elsewhere),
            row("des ede3", Both(16_013.86, 18_324.50), Elsewhere),
            row("idea cbc", Both(42_997.08, 34_302.63), Elsewhere),
            row("rc2 cbc", Both(22_162.09, 21_230.93), Elsewhere),
            row("rc5-32/12 cbc", Both(107_298.82, 176_559.45), Elsewhere),
            row("blowfish cbc", Both(76_171.95, 88_367.10), Elsewhere),
            row("cast cbc", Both(57_101.78, 38_365.87), Elsewhere),
            row("aes-128 cbc", Both(96_561.83, 38_858.93), Benchmark("openssl_aes_128_cbc")),
            row("aes-192 cbc", Both(85_838.51, 33_491.94), Elsewhere),
            row("aes-256 cbc", Both(77_236.91, 29_439.49), Elsewhere),
        ],
        note: "here: Debian's OpenSSL, with its assembly code for either",
        command: OPENSSL,
    },
    Table {
        title: "openssl speed, ppc970",
        source: Johansson,
        place: "section 6.3",
        columns: WIDTHS,
        unit: Rate("1000 bytes/s"),
        rows: &[
            row("md2", Both(3189.71, 3077.46), Elsewhere),
            row("mdc2", Both(5073.05, 5477.72), Elsewhere),
            row("md4", Both(163_916.20, 179_702.44), Elsewhere),
            row("md5", Both(107_396.85, 114_308.44), Benchmark("openssl_md5")),
            row("hmac(md5)", Both(108_412.00, 115_026.60), Elsewhere),
            row("sha1", Both(106_414.35, 137_797.63), Benchmark("openssl_sha1")),
            row("rmd160", Both(45_249.23, 51_041.62), Elsewhere),
            row("rc4", Both(172_576.32, 229_673.64), Elsewhere),
            row("des cbc", Both(25_550.33, 27_093.67), Elsewhere),
            row("des ede3", Both(9729.70, 10_302.81), Elsewhere),
            row("idea cbc", Both(27_308.48, 31_569.24), Elsewhere),
            row("rc2 cbc", Both(13_090.87, 14_985.90), Elsewhere),
            row("rc5-32/12 cbc", Both(44_674.98, 56_188.93), Elsewhere),
            row("blowfish cbc", Both(45_722.79, 55_812.10), Elsewhere),
            row("cast cbc", Both(32_830.60, 46_260.22), Elsewhere),
            row("aes-128 cbc", Both(66_994.77, 70_727.00), Benchmark("openssl_aes_128_cbc")),
            row("aes-192 cbc", Both(59_045.00, 63_034.71), Elsewhere),
            row("aes-256 cbc", Both(52_730.90, 56_923.48), Elsewhere),
        ],
        note: "",
        command: OPENSSL,
    },
    Table {
        title: "openssl speed, signatures, Athlon X2 3800+",
        source: Johansson,
        place: "section 6.3",
        columns: WIDTHS,
        unit: Rate("1/s"),
        rows: &[
            row("rsa 512 sign", Both(3992.2, 1734.0), Elsewhere),
            row("rsa 512 verify", Both(48_111.7, 20_372.4), Elsewhere),
            row("rsa 1024 sign", Both(1276.3, 392.0), Elsewhere),
            row("rsa 1024 verify", Both(20_887.9, 7814.4), Elsewhere),
            row("rsa 2048 sign", Both(239.6, 71.1), Benchmark("openssl_rsa2048")),
            row("rsa 2048 verify", Both(7642.1, 2493.0), Benchmark("multiply_2048")),
            row("rsa 4096 sign", Both(38.7, 11.1), Elsewhere),
            row("rsa 4096 verify", Both(2387.9, 732.8), Elsewhere),
            row("dsa 512 sign", Both(6574.9, 2224.8), Elsewhere),
            row("dsa 512 verify", Both(5646.4, 1910.0), Elsewhere),
            row("dsa 1024 sign", Both(2673.4, 841.7), Elsewhere),
            row("dsa 1024 verify", Both(2233.0, 711.6), Elsewhere),
            row("dsa 2048 sign", Both(898.3, 268.1), Elsewhere),
            row("dsa 2048 verify", Both(726.9, 218.2), Elsewhere),
        ],
        note: "the benchmark multiply_2048 is the product that RSA-2048 spends its time with, in plain C",
        command: OPENSSL,
    },
    Table {
        title: "openssl speed, signatures, ppc970",
        source: Johansson,
        place: "section 6.3",
        columns: WIDTHS,
        unit: Rate("1/s"),
        rows: &[
            row("rsa 2048 sign", Both(37.8, 31.9), Benchmark("openssl_rsa2048")),
            row("rsa 2048 verify", Both(1223.5, 1102.7), Benchmark("multiply_2048")),
            row("rsa 4096 sign", Both(5.5, 4.8), Elsewhere),
            row("rsa 4096 verify", Both(339.4, 319.5), Elsewhere),
            row("dsa 512 sign", Both(1442.2, 1237.2), Elsewhere),
            row("dsa 512 verify", Both(1171.5, 1042.0), Elsewhere),
            row("dsa 1024 sign", Both(453.4, 390.2), Elsewhere),
            row("dsa 1024 verify", Both(371.4, 321.8), Elsewhere),
            row("dsa 2048 sign", Both(130.0, 117.1), Elsewhere),
            row("dsa 2048 verify", Both(106.5, 98.3), Elsewhere),
        ],
        note: "of rsa 512 and rsa 1024 only the 64-bit figures are there: sign 1165.0 and 241.0, verify 11982.6 and 4150.1",
        command: OPENSSL,
    },
    Table {
        title: "AIM7",
        source: Johansson,
        place: "section 6.4",
        columns: WIDTHS,
        unit: Rate("jobs/min"),
        rows: &[
            row("ppc970, alltests", Both(3343.0, 3422.0), Elsewhere),
            row("ppc970, short", Both(263_631.0, 280_500.0), Elsewhere),
            row("Athlon X2, alltests", Both(419_444.0, 409_146.0), Benchmark("mix_4")),
            row("Athlon X2, short", Both(6884.0, 6726.0), Elsewhere),
        ],
        note: "of the Athlon the names of the two rows seem to be exchanged; here: the time for a job of four users, of another mix",
        command: "biarch compare mix",
    },
    Table {
        title: "messages between 64-bit threads, with and without compatibility mode in the kernel",
        source: Reichelt,
        place: "section 6.2.1",
        columns: ["with", "without"],
        unit: Cost("cycles"),
        rows: &[
            row("AMD K8, slow path", Words("4 cycles more with it, 2 % or less"), Elsewhere),
            row("Intel P4, slow path", Words("20 cycles more with it, about 5 %"), Elsewhere),
            row("AMD K8, empty message, fast path", Words("122 cycles with and without it"), Elsewhere),
        ],
        note: "figures 6 and 7 are curves for 0 to 60 words; the text has these numbers",
        command: "biarch compare ipc",
    },
    Table {
        title: "messages between 32-bit threads: on the AMD64 kernel, and on the IA-32 kernel",
        source: Reichelt,
        place: "section 6.2.2",
        columns: ["IA-32 kernel", "AMD64 kernel"],
        unit: Cost("cycles"),
        rows: &[
            row("AMD K8, empty message", Ratio(1.5), Elsewhere),
            row("AMD K8, 60 words", Ratio(1.4), Elsewhere),
            row("Intel P4, empty message", Ratio(1.7), Elsewhere),
            row("Intel P4, 4 words", Ratio(1.5), Elsewhere),
        ],
        note: "32-bit messages on the AMD64 kernel take about 2.1 times as long as 64-bit ones (figures 6 and 8), which is what \
               `biarch compare ipc` has; its mixed sides are the thesis's figure 10",
        command: "biarch compare ipc",
    },
    Table {
        title: "lines of code of the kernel-level design, and what a user-level design would leave of them",
        source: Reichelt,
        place: "section 6.3",
        columns: ["kernel-level", "user-level"],
        unit: Cost("lines changed"),
        rows: &[row("all", Both(1087.0, 171.0), Elsewhere), row("outside of the AMD64 target", Both(173.0, 52.0), Elsewhere)],
        note: "the thesis could not compare the speed of the designs, which it says would have to be built for it",
        command: "biarch compare designs",
    },
    Table {
        title: "sizes of types",
        source: Ikeuchi,
        place: "Size of Structure, Size of Union",
        columns: ["AArch64", "AArch32"],
        unit: Cost("bytes"),
        rows: &[
            row("struct { int; long; int; char *; }", Both(32.0, 16.0), Elsewhere),
            row("union { double; long[2]; }", Both(16.0, 8.0), Elsewhere),
        ],
        note: "",
        command: "biarch compare --static A B",
    },
    Table {
        title: "interrupt latency: Cortex-A57 as AArch64, Cortex-A15 as AArch32, 1.5 GHz",
        source: Ikeuchi,
        place: "Response performance of interruption",
        columns: ["AArch64", "AArch32"],
        unit: Cost("time"),
        rows: &[
            row("AArch64 against AArch32, typical", Words("30 % better as AArch64"), Elsewhere),
            row("the processors themselves, by DMIPS", Words("17 % better as AArch64"), Elsewhere),
            row("interrupt priority, AArch64", Words("20 % better with it"), Elsewhere),
            row("interrupt priority, AArch32", Words("40 % better with it"), Elsewhere),
        ],
        note: "the distributions are pictures in the slides",
        command: LATENCY,
    },
    Table {
        title: "500,000 times gettimeofday(2) of a 32-bit program, Raspberry Pi 3 B+",
        source: Weinberger,
        place: "the table",
        columns: ["with vDSO", "without"],
        unit: Cost("µs"),
        rows: &[row("gettimeofday", Both(68_856.0, 1_905_827.0), Within("gettimeofday", "gettimeofday_no_vdso"))],
        note: "here: the C library's function with and without the vDSO, both in 32-bit programs; whether a kernel has one is what \
               `biarch check` says",
        command: "biarch compare time",
    },
];

#[cfg(test)]
mod tests {
    use super::{Said, Source, TABLES, Twin};
    use crate::work;

    #[test]
    fn every_twin_is_a_benchmark_that_exists() {
        let rows = work::all().expect("the worker is there");
        let known = |name: &str| assert!(rows.iter().any(|row| row.name == name), "there is no benchmark {name}");
        for figure in TABLES.iter().flat_map(|table| table.rows) {
            match figure.twin {
                Twin::Benchmark(name) => known(name),
                Twin::Within(one, other) => [one, other].into_iter().for_each(known),
                Twin::Elsewhere => {}
            }
        }
    }

    #[test]
    fn ratios_are_those_that_the_sources_name() {
        let find = |title: &str, what: &str| {
            let table = TABLES.iter().find(|table| table.title.starts_with(title)).expect(title);
            let figure = table.rows.iter().find(|row| row.what == what).expect(what);
            figure.ratio(table.unit).expect("it has figures")
        };
        let near = |found: f64, said: f64| assert!((found / said - 1.0).abs() < 0.02, "{found} is not {said}");
        near(1.0 / find("the size of cc1 by section, ppc64", "data"), 58.41);
        near(1.0 / find("the size of cc1 by section, ppc64", "text"), 1.055);
        near(1.0 / find("the size of cc1 by section, x86", "bss"), 1.11);
        near(1.0 / find("kernbench, ppc970", "elapsed"), 1.21);
        near(find("kernbench, Athlon", "elapsed"), 1.29);
        near(find("openssl speed, Athlon", "aes-128 cbc"), 2.5);
        near(find("openssl speed, signatures, Athlon", "rsa 1024 sign"), 3.26);
        near(1.0 / find("AIM7", "ppc970, alltests"), 1.02);
        near(find("500,000", "gettimeofday"), 27.7);
    }

    #[test]
    fn every_source_has_tables_and_every_table_numbers() {
        assert!(Source::ALL.iter().all(|source| TABLES.iter().any(|table| table.source == *source)));
        for table in TABLES {
            assert!(!table.rows.is_empty() && table.command.starts_with("biarch "), "{}", table.title);
            let positive = |said| match said {
                Said::Both(first, second) => first > 0.0 && second > 0.0,
                Said::Ratio(ratio) => ratio > 0.0,
                Said::Words(words) => words.contains(|c: char| c.is_ascii_digit()),
            };
            assert!(table.rows.iter().all(|row| positive(row.said)), "{}", table.title);
        }
    }
}
