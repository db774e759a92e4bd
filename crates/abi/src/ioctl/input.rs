//! Input devices: linux/input.h.

use crate::structs::ioctl::ff_effect;

ioctl_rows! {
    ["linux/input.h"] {
        0x80044501 EVIOCGVERSION out(4 "int");
        0x80084502 EVIOCGID out(8 "struct input_id");
        0x80084503 EVIOCGREP out(8 "unsigned int[2]");
        0x40084503 EVIOCSREP in(8 "unsigned int[2]");
        0x80084504 EVIOCGKEYCODE inout(8 "unsigned int[2]");
        0x40084504 EVIOCSKEYCODE in(8 "unsigned int[2]");
        0x80284504 EVIOCGKEYCODE_V2 inout(40 "struct input_keymap_entry");
        0x40284504 EVIOCSKEYCODE_V2 in(40 "struct input_keymap_entry");
        0x402c4580 / 0x40304580 EVIOCSFF inout[ff_effect];
        0x40044581 EVIOCRMFF value;
        0x80044584 EVIOCGEFFECTS out(4 "int");
        0x40044590 EVIOCGRAB value;
        0x40044591 EVIOCREVOKE value;
        0x80104592 EVIOCGMASK out(16 "struct input_mask");
        0x40104593 EVIOCSMASK in(16 "struct input_mask");
        0x400445a0 EVIOCSCLOCKID in(4 "int");
    }
    // Numbers in which the program writes the length of its buffer: any size matches.
    ["linux/input.h"] {
        0x80004506 EVIOCGNAME = "EVIOCGNAME(0)" out(0 "char");
        0x80004507 EVIOCGPHYS = "EVIOCGPHYS(0)" out(0 "char");
        0x80004508 EVIOCGUNIQ = "EVIOCGUNIQ(0)" out(0 "char");
        0x80004509 EVIOCGPROP = "EVIOCGPROP(0)" out(0 "char");
        0x8000450a EVIOCGMTSLOTS = "EVIOCGMTSLOTS(0)" inout(0 "char");
        0x80004518 EVIOCGKEY = "EVIOCGKEY(0)" out(0 "char");
        0x80004519 EVIOCGLED = "EVIOCGLED(0)" out(0 "char");
        0x8000451a EVIOCGSND = "EVIOCGSND(0)" out(0 "char");
        0x8000451b EVIOCGSW = "EVIOCGSW(0)" out(0 "char");
        0x80004520 EVIOCGBIT_SYN = "EVIOCGBIT(0, 0)" out(0 "char");
        0x80004521 EVIOCGBIT_KEY = "EVIOCGBIT(1, 0)" out(0 "char");
        0x80004522 EVIOCGBIT_REL = "EVIOCGBIT(2, 0)" out(0 "char");
        0x80004523 EVIOCGBIT_ABS = "EVIOCGBIT(3, 0)" out(0 "char");
        0x80004524 EVIOCGBIT_MSC = "EVIOCGBIT(4, 0)" out(0 "char");
        0x80004525 EVIOCGBIT_SW = "EVIOCGBIT(5, 0)" out(0 "char");
        0x80004531 EVIOCGBIT_LED = "EVIOCGBIT(17, 0)" out(0 "char");
        0x80004532 EVIOCGBIT_SND = "EVIOCGBIT(18, 0)" out(0 "char");
        0x80004534 EVIOCGBIT_REP = "EVIOCGBIT(20, 0)" out(0 "char");
        0x80004535 EVIOCGBIT_FF = "EVIOCGBIT(21, 0)" out(0 "char");
        0x80004536 EVIOCGBIT_PWR = "EVIOCGBIT(22, 0)" out(0 "char");
        0x80004537 EVIOCGBIT_FF_STATUS = "EVIOCGBIT(23, 0)" out(0 "char");
        0x80184540 EVIOCGABS_00 = "EVIOCGABS(0)" out(24 "struct input_absinfo");
        0x401845c0 EVIOCSABS_00 = "EVIOCSABS(0)" in(24 "struct input_absinfo");
        0x80184541 EVIOCGABS_01 = "EVIOCGABS(1)" out(24 "struct input_absinfo");
        0x401845c1 EVIOCSABS_01 = "EVIOCSABS(1)" in(24 "struct input_absinfo");
        0x80184542 EVIOCGABS_02 = "EVIOCGABS(2)" out(24 "struct input_absinfo");
        0x401845c2 EVIOCSABS_02 = "EVIOCSABS(2)" in(24 "struct input_absinfo");
        0x80184543 EVIOCGABS_03 = "EVIOCGABS(3)" out(24 "struct input_absinfo");
        0x401845c3 EVIOCSABS_03 = "EVIOCSABS(3)" in(24 "struct input_absinfo");
        0x80184544 EVIOCGABS_04 = "EVIOCGABS(4)" out(24 "struct input_absinfo");
        0x401845c4 EVIOCSABS_04 = "EVIOCSABS(4)" in(24 "struct input_absinfo");
        0x80184545 EVIOCGABS_05 = "EVIOCGABS(5)" out(24 "struct input_absinfo");
        0x401845c5 EVIOCSABS_05 = "EVIOCSABS(5)" in(24 "struct input_absinfo");
        0x80184546 EVIOCGABS_06 = "EVIOCGABS(6)" out(24 "struct input_absinfo");
        0x401845c6 EVIOCSABS_06 = "EVIOCSABS(6)" in(24 "struct input_absinfo");
        0x80184547 EVIOCGABS_07 = "EVIOCGABS(7)" out(24 "struct input_absinfo");
        0x401845c7 EVIOCSABS_07 = "EVIOCSABS(7)" in(24 "struct input_absinfo");
        0x80184548 EVIOCGABS_08 = "EVIOCGABS(8)" out(24 "struct input_absinfo");
        0x401845c8 EVIOCSABS_08 = "EVIOCSABS(8)" in(24 "struct input_absinfo");
        0x80184549 EVIOCGABS_09 = "EVIOCGABS(9)" out(24 "struct input_absinfo");
        0x401845c9 EVIOCSABS_09 = "EVIOCSABS(9)" in(24 "struct input_absinfo");
        0x8018454a EVIOCGABS_0A = "EVIOCGABS(10)" out(24 "struct input_absinfo");
        0x401845ca EVIOCSABS_0A = "EVIOCSABS(10)" in(24 "struct input_absinfo");
        0x8018454b EVIOCGABS_0B = "EVIOCGABS(11)" out(24 "struct input_absinfo");
        0x401845cb EVIOCSABS_0B = "EVIOCSABS(11)" in(24 "struct input_absinfo");
        0x8018454c EVIOCGABS_0C = "EVIOCGABS(12)" out(24 "struct input_absinfo");
        0x401845cc EVIOCSABS_0C = "EVIOCSABS(12)" in(24 "struct input_absinfo");
        0x8018454d EVIOCGABS_0D = "EVIOCGABS(13)" out(24 "struct input_absinfo");
        0x401845cd EVIOCSABS_0D = "EVIOCSABS(13)" in(24 "struct input_absinfo");
        0x8018454e EVIOCGABS_0E = "EVIOCGABS(14)" out(24 "struct input_absinfo");
        0x401845ce EVIOCSABS_0E = "EVIOCSABS(14)" in(24 "struct input_absinfo");
        0x8018454f EVIOCGABS_0F = "EVIOCGABS(15)" out(24 "struct input_absinfo");
        0x401845cf EVIOCSABS_0F = "EVIOCSABS(15)" in(24 "struct input_absinfo");
        0x80184550 EVIOCGABS_10 = "EVIOCGABS(16)" out(24 "struct input_absinfo");
        0x401845d0 EVIOCSABS_10 = "EVIOCSABS(16)" in(24 "struct input_absinfo");
        0x80184551 EVIOCGABS_11 = "EVIOCGABS(17)" out(24 "struct input_absinfo");
        0x401845d1 EVIOCSABS_11 = "EVIOCSABS(17)" in(24 "struct input_absinfo");
        0x80184552 EVIOCGABS_12 = "EVIOCGABS(18)" out(24 "struct input_absinfo");
        0x401845d2 EVIOCSABS_12 = "EVIOCSABS(18)" in(24 "struct input_absinfo");
        0x80184553 EVIOCGABS_13 = "EVIOCGABS(19)" out(24 "struct input_absinfo");
        0x401845d3 EVIOCSABS_13 = "EVIOCSABS(19)" in(24 "struct input_absinfo");
        0x80184554 EVIOCGABS_14 = "EVIOCGABS(20)" out(24 "struct input_absinfo");
        0x401845d4 EVIOCSABS_14 = "EVIOCSABS(20)" in(24 "struct input_absinfo");
        0x80184555 EVIOCGABS_15 = "EVIOCGABS(21)" out(24 "struct input_absinfo");
        0x401845d5 EVIOCSABS_15 = "EVIOCSABS(21)" in(24 "struct input_absinfo");
        0x80184556 EVIOCGABS_16 = "EVIOCGABS(22)" out(24 "struct input_absinfo");
        0x401845d6 EVIOCSABS_16 = "EVIOCSABS(22)" in(24 "struct input_absinfo");
        0x80184557 EVIOCGABS_17 = "EVIOCGABS(23)" out(24 "struct input_absinfo");
        0x401845d7 EVIOCSABS_17 = "EVIOCSABS(23)" in(24 "struct input_absinfo");
        0x80184558 EVIOCGABS_18 = "EVIOCGABS(24)" out(24 "struct input_absinfo");
        0x401845d8 EVIOCSABS_18 = "EVIOCSABS(24)" in(24 "struct input_absinfo");
        0x80184559 EVIOCGABS_19 = "EVIOCGABS(25)" out(24 "struct input_absinfo");
        0x401845d9 EVIOCSABS_19 = "EVIOCSABS(25)" in(24 "struct input_absinfo");
        0x8018455a EVIOCGABS_1A = "EVIOCGABS(26)" out(24 "struct input_absinfo");
        0x401845da EVIOCSABS_1A = "EVIOCSABS(26)" in(24 "struct input_absinfo");
        0x8018455b EVIOCGABS_1B = "EVIOCGABS(27)" out(24 "struct input_absinfo");
        0x401845db EVIOCSABS_1B = "EVIOCSABS(27)" in(24 "struct input_absinfo");
        0x8018455c EVIOCGABS_1C = "EVIOCGABS(28)" out(24 "struct input_absinfo");
        0x401845dc EVIOCSABS_1C = "EVIOCSABS(28)" in(24 "struct input_absinfo");
        0x8018455d EVIOCGABS_1D = "EVIOCGABS(29)" out(24 "struct input_absinfo");
        0x401845dd EVIOCSABS_1D = "EVIOCSABS(29)" in(24 "struct input_absinfo");
        0x8018455e EVIOCGABS_1E = "EVIOCGABS(30)" out(24 "struct input_absinfo");
        0x401845de EVIOCSABS_1E = "EVIOCSABS(30)" in(24 "struct input_absinfo");
        0x8018455f EVIOCGABS_1F = "EVIOCGABS(31)" out(24 "struct input_absinfo");
        0x401845df EVIOCSABS_1F = "EVIOCSABS(31)" in(24 "struct input_absinfo");
        0x80184560 EVIOCGABS_20 = "EVIOCGABS(32)" out(24 "struct input_absinfo");
        0x401845e0 EVIOCSABS_20 = "EVIOCSABS(32)" in(24 "struct input_absinfo");
        0x80184561 EVIOCGABS_21 = "EVIOCGABS(33)" out(24 "struct input_absinfo");
        0x401845e1 EVIOCSABS_21 = "EVIOCSABS(33)" in(24 "struct input_absinfo");
        0x80184562 EVIOCGABS_22 = "EVIOCGABS(34)" out(24 "struct input_absinfo");
        0x401845e2 EVIOCSABS_22 = "EVIOCSABS(34)" in(24 "struct input_absinfo");
        0x80184563 EVIOCGABS_23 = "EVIOCGABS(35)" out(24 "struct input_absinfo");
        0x401845e3 EVIOCSABS_23 = "EVIOCSABS(35)" in(24 "struct input_absinfo");
        0x80184564 EVIOCGABS_24 = "EVIOCGABS(36)" out(24 "struct input_absinfo");
        0x401845e4 EVIOCSABS_24 = "EVIOCSABS(36)" in(24 "struct input_absinfo");
        0x80184565 EVIOCGABS_25 = "EVIOCGABS(37)" out(24 "struct input_absinfo");
        0x401845e5 EVIOCSABS_25 = "EVIOCSABS(37)" in(24 "struct input_absinfo");
        0x80184566 EVIOCGABS_26 = "EVIOCGABS(38)" out(24 "struct input_absinfo");
        0x401845e6 EVIOCSABS_26 = "EVIOCSABS(38)" in(24 "struct input_absinfo");
        0x80184567 EVIOCGABS_27 = "EVIOCGABS(39)" out(24 "struct input_absinfo");
        0x401845e7 EVIOCSABS_27 = "EVIOCSABS(39)" in(24 "struct input_absinfo");
        0x80184568 EVIOCGABS_28 = "EVIOCGABS(40)" out(24 "struct input_absinfo");
        0x401845e8 EVIOCSABS_28 = "EVIOCSABS(40)" in(24 "struct input_absinfo");
        0x80184569 EVIOCGABS_29 = "EVIOCGABS(41)" out(24 "struct input_absinfo");
        0x401845e9 EVIOCSABS_29 = "EVIOCSABS(41)" in(24 "struct input_absinfo");
        0x8018456a EVIOCGABS_2A = "EVIOCGABS(42)" out(24 "struct input_absinfo");
        0x401845ea EVIOCSABS_2A = "EVIOCSABS(42)" in(24 "struct input_absinfo");
        0x8018456b EVIOCGABS_2B = "EVIOCGABS(43)" out(24 "struct input_absinfo");
        0x401845eb EVIOCSABS_2B = "EVIOCSABS(43)" in(24 "struct input_absinfo");
        0x8018456c EVIOCGABS_2C = "EVIOCGABS(44)" out(24 "struct input_absinfo");
        0x401845ec EVIOCSABS_2C = "EVIOCSABS(44)" in(24 "struct input_absinfo");
        0x8018456d EVIOCGABS_2D = "EVIOCGABS(45)" out(24 "struct input_absinfo");
        0x401845ed EVIOCSABS_2D = "EVIOCSABS(45)" in(24 "struct input_absinfo");
        0x8018456e EVIOCGABS_2E = "EVIOCGABS(46)" out(24 "struct input_absinfo");
        0x401845ee EVIOCSABS_2E = "EVIOCSABS(46)" in(24 "struct input_absinfo");
        0x8018456f EVIOCGABS_2F = "EVIOCGABS(47)" out(24 "struct input_absinfo");
        0x401845ef EVIOCSABS_2F = "EVIOCSABS(47)" in(24 "struct input_absinfo");
        0x80184570 EVIOCGABS_30 = "EVIOCGABS(48)" out(24 "struct input_absinfo");
        0x401845f0 EVIOCSABS_30 = "EVIOCSABS(48)" in(24 "struct input_absinfo");
        0x80184571 EVIOCGABS_31 = "EVIOCGABS(49)" out(24 "struct input_absinfo");
        0x401845f1 EVIOCSABS_31 = "EVIOCSABS(49)" in(24 "struct input_absinfo");
        0x80184572 EVIOCGABS_32 = "EVIOCGABS(50)" out(24 "struct input_absinfo");
        0x401845f2 EVIOCSABS_32 = "EVIOCSABS(50)" in(24 "struct input_absinfo");
        0x80184573 EVIOCGABS_33 = "EVIOCGABS(51)" out(24 "struct input_absinfo");
        0x401845f3 EVIOCSABS_33 = "EVIOCSABS(51)" in(24 "struct input_absinfo");
        0x80184574 EVIOCGABS_34 = "EVIOCGABS(52)" out(24 "struct input_absinfo");
        0x401845f4 EVIOCSABS_34 = "EVIOCSABS(52)" in(24 "struct input_absinfo");
        0x80184575 EVIOCGABS_35 = "EVIOCGABS(53)" out(24 "struct input_absinfo");
        0x401845f5 EVIOCSABS_35 = "EVIOCSABS(53)" in(24 "struct input_absinfo");
        0x80184576 EVIOCGABS_36 = "EVIOCGABS(54)" out(24 "struct input_absinfo");
        0x401845f6 EVIOCSABS_36 = "EVIOCSABS(54)" in(24 "struct input_absinfo");
        0x80184577 EVIOCGABS_37 = "EVIOCGABS(55)" out(24 "struct input_absinfo");
        0x401845f7 EVIOCSABS_37 = "EVIOCSABS(55)" in(24 "struct input_absinfo");
        0x80184578 EVIOCGABS_38 = "EVIOCGABS(56)" out(24 "struct input_absinfo");
        0x401845f8 EVIOCSABS_38 = "EVIOCSABS(56)" in(24 "struct input_absinfo");
        0x80184579 EVIOCGABS_39 = "EVIOCGABS(57)" out(24 "struct input_absinfo");
        0x401845f9 EVIOCSABS_39 = "EVIOCSABS(57)" in(24 "struct input_absinfo");
        0x8018457a EVIOCGABS_3A = "EVIOCGABS(58)" out(24 "struct input_absinfo");
        0x401845fa EVIOCSABS_3A = "EVIOCSABS(58)" in(24 "struct input_absinfo");
        0x8018457b EVIOCGABS_3B = "EVIOCGABS(59)" out(24 "struct input_absinfo");
        0x401845fb EVIOCSABS_3B = "EVIOCSABS(59)" in(24 "struct input_absinfo");
        0x8018457c EVIOCGABS_3C = "EVIOCGABS(60)" out(24 "struct input_absinfo");
        0x401845fc EVIOCSABS_3C = "EVIOCSABS(60)" in(24 "struct input_absinfo");
        0x8018457d EVIOCGABS_3D = "EVIOCGABS(61)" out(24 "struct input_absinfo");
        0x401845fd EVIOCSABS_3D = "EVIOCSABS(61)" in(24 "struct input_absinfo");
        0x8018457e EVIOCGABS_3E = "EVIOCGABS(62)" out(24 "struct input_absinfo");
        0x401845fe EVIOCSABS_3E = "EVIOCSABS(62)" in(24 "struct input_absinfo");
        0x8018457f EVIOCGABS_3F = "EVIOCGABS(63)" out(24 "struct input_absinfo");
        0x401845ff EVIOCSABS_3F = "EVIOCSABS(63)" in(24 "struct input_absinfo");
    }
}

/// Rows whose argument is a set of up to 32 bits. It comes out in longs, as many as are needed (`bits_to_user` in
/// drivers/input/evdev.c): one, which is of 4 bytes in a 32-bit program.
pub const ONE_LONG: &[u32] = &[
    number::EVIOCGPROP,
    number::EVIOCGLED,
    number::EVIOCGSND,
    number::EVIOCGSW,
    number::EVIOCGBIT_SYN,
    number::EVIOCGBIT_REL,
    number::EVIOCGBIT_MSC,
    number::EVIOCGBIT_SW,
    number::EVIOCGBIT_LED,
    number::EVIOCGBIT_SND,
];
