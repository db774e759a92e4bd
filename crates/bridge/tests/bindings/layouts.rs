//! Calls a bridge by its Rust declarations, with structures of all layouts.

#[path = "in-process/layouts.rs"]
mod lib;

use lib::*;
use std::mem::{align_of, size_of};

macro_rules! sizes {
    ($($name:ident)*) => {
        $(println!("{} {}", stringify!($name), size_of::<$name>());)*
    };
}

fn main() {
    sizes!(packed packed_small bits bits_later bits_shared bits_apart bits_between bits_wide bits_split bits_float bits_packed aligned
        over nested exact tight quad four flat holds small);
    // SAFETY: the functions read and write the structures that they are given, as the header says, and nothing else.
    unsafe { calls() }
}

// Zeros are a value of all of them.
fn zero<T: Copy>() -> T {
    // SAFETY: the structures of the header are numbers.
    unsafe { std::mem::zeroed() }
}

/// # Safety
/// The library must be that of the header.
unsafe fn calls() {
    // SAFETY: the pointers are those of structures that live until the end of the function.
    unsafe {
        let mut one = packed { c: 1, l: 2, s: 3, d: 4.0 };
        packed_next(&mut one);
        println!("packed {} {} {:.1}", packed_sum(&one), packed_value(one, 7), { packed_make(5).d });
        let mut list: [bits; 2] = zero();
        list[0].set_a(3);
        list[0].set_b(7);
        list[1].set_b(9);
        println!("bits {} {} {}", bits_sum(list.as_ptr().cast_mut(), 2), bits_make(4).b(), bits_value(list[0], 2));
        let mut later: bits_later = zero();
        later.x = -1;
        later.set_a(5);
        later.set_b(-(1 << 38));
        println!("bits_later {}", bits_later_sum(&later));
        let mut shared: bits_shared = zero();
        shared.set_a(-300);
        shared.set_b(61);
        shared.set_c(2);
        let next = bits_shared_next(shared);
        println!("bits_shared {} {} {} {}", bits_shared_sum(&shared), next.a(), next.b(), next.c());
        let mut apart: bits_apart = zero();
        apart.set_a((1 << 31) - 1);
        apart.set_b(1 << 39);
        apart.c = 2;
        println!("bits_apart {}", bits_apart_sum(&apart));
        let mut between: bits_between = zero();
        (between.x, between.y) = (1, 3);
        between.set_a(-2);
        between.set_b(1);
        println!("bits_between {}", bits_between_sum(&between));
        let mut wide: bits_wide = zero();
        wide.set_a(-(1 << 32));
        wide.set_b(-5);
        wide.set_c(1);
        println!("bits_wide {}", bits_wide_sum(&wide));
        let mut split: bits_split = zero();
        split.set_a(3);
        split.set_b(-5);
        split.set_c(2);
        bits_split_next(&mut split);
        println!("bits_split {} {} {} {}", bits_split_sum(&split), split.a(), split.b(), split.c());
        let mut tight: bits_packed = zero();
        (tight.before, tight.after) = (1, -2);
        tight.set_a(100);
        tight.set_b((1 << 30) - 1);
        println!("bits_packed {}", bits_packed_sum(&tight));
        println!("aligned {} {}", aligned_sum(&aligned_make(5)), aligned_make(5).c);
        let mut all: nested = zero();
        (all.c, all.packed) = (1, one);
        all.over = over { a: 2 };
        all.list[0].set_a(1);
        all.list[0].set_b(2);
        all.list[1].set_a(3);
        all.list[1].set_b(4);
        all.member3.from = 5;
        all.member3.set_in(6);
        all.value.bytes_0[..4].copy_from_slice(&7_i32.to_le_bytes());
        all.member5.plain = 8;
        print!("nested {} ", nested_sum(&all));
        nested_next(&mut all);
        let (next, inner) = (nested_sum(&all), all.member3);
        println!("{next} {} {} {:.1} {} {} {} {}", all.c, all.list[1].b(), { all.packed.d }, inner.from, inner.r#in(), all.value.bytes_0[0], all.member5.half);
        let mut value: exact = zero();
        value.after = 42;
        println!("exact {}", exact_round(&value));
        let mut one = tight { c: 3, l: Unaligned(-206), b: 4, ..zero() };
        print!("tight {} ", tight_sum(&one));
        tight_next(&mut one);
        one.l.0 += 10;
        println!("{} {} {}", tight_sum(&one), { tight_make(-3).l.0 }, tight_make(8).b);
        println!("four {} {}", { four_make(8).d }, { four_make(4).l });
        let mut all: holds = zero();
        (all.c, all.flat.b, all.four.l, all.tight.b) = (1, 2, 3, 9);
        all.of.quad.l.0 = 5;
        println!("holds {}", holds_sum(&all));
        println!(
            "names {} {} {}",
            both(&both { a: 4 }),
            words_sum(&words { from: 1, self_: 2, r#type: 3, r#in: 4, r#async: 5, class: 6, size: 0, of: 0 }),
            self_(1)
        );
        println!("{} {} {} {} {} {}", r#yield(1), class(5, 3), r#type(1), library(1), ctypes(1), len(1));
        println!("{} {} {} {} {} {}", None, from, True, r#async, r#unsafe, assert);
        let float = {
            let mut float: bits_float = zero();
            (float.f, float.d) = (0.5, 2.0);
            float.set_b(3);
            bits_float_value(float, 1)
        };
        println!(
            "{} {} {} {}",
            tight_value(1, one, 2),
            quad_value(quad { c: 1, l: Unaligned(2), ..zero() }, 3),
            four_value(four { l: 1, ..four_make(2) }, 1),
            small_value(1, small { c: 2, i: Unaligned(3) })
        );
        println!("{} {} {} {}", align_of::<tight>(), align_of::<quad>(), align_of::<four>(), align_of::<flat>());
        println!("{} {} {}", packed_small_value(packed_small { c: 1, i: 2 }, 3), float, over_value(over { a: 1 }, 2));
    }
}
