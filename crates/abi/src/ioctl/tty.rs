//! Terminals and serial ports: ioctl_tty(2).

use crate::structs::ioctl::serial_struct;

ioctl_rows! {
    ["asm/termbits.h", "asm/termios.h", "linux/serial.h"] {
        0x5401 TCGETS out(36 "struct termios");
        0x5456 TIOCGLCKTRMIOS out(36 "struct termios");
        0x5402 TCSETS in(36 "struct termios");
        0x5403 TCSETSW in(36 "struct termios");
        0x5404 TCSETSF in(36 "struct termios");
        0x5457 TIOCSLCKTRMIOS in(36 "struct termios");
        0x5405 TCGETA out(18 "struct termio");
        0x5406 TCSETA in(18 "struct termio");
        0x5407 TCSETAW in(18 "struct termio");
        0x5408 TCSETAF in(18 "struct termio");
        0x802c542a TCGETS2 out(44 "struct termios2");
        0x402c542b TCSETS2 in(44 "struct termios2");
        0x402c542c TCSETSW2 in(44 "struct termios2");
        0x402c542d TCSETSF2 in(44 "struct termios2");
        0x5409 TCSBRK value;
        0x540a TCXONC value;
        0x540b TCFLSH value;
        0x5425 TCSBRKP value;
        0x540c TIOCEXCL none;
        0x540d TIOCNXCL none;
        0x540e TIOCSCTTY value;
        0x540f TIOCGPGRP out(4 "int");
        0x5410 TIOCSPGRP in(4 "int");
        0x5411 TIOCOUTQ out(4 "int");
        0x5412 TIOCSTI in(1 "char");
        0x5413 TIOCGWINSZ out(8 "struct winsize");
        0x5414 TIOCSWINSZ in(8 "struct winsize");
        0x5415 TIOCMGET out(4 "int");
        0x5416 TIOCMBIS in(4 "int");
        0x5417 TIOCMBIC in(4 "int");
        0x5418 TIOCMSET in(4 "int");
        0x5419 TIOCGSOFTCAR out(4 "int");
        0x541a TIOCSSOFTCAR in(4 "int");
        0x541c TIOCLINUX inout(1 "char");
        0x541d TIOCCONS none;
        0x541e TIOCGSERIAL out[serial_struct];
        0x541f TIOCSSERIAL in[serial_struct];
        0x5420 TIOCPKT in(4 "int");
        0x5422 TIOCNOTTY none;
        0x5423 TIOCSETD in(4 "int");
        0x5424 TIOCGETD out(4 "int");
        0x5427 TIOCSBRK none;
        0x5428 TIOCCBRK none;
        0x5429 TIOCGSID out(4 "int");
        0x542e TIOCGRS485 out(32 "struct serial_rs485");
        0x542f TIOCSRS485 inout(32 "struct serial_rs485");
        0x80045430 TIOCGPTN out(4 "unsigned int");
        0x40045431 TIOCSPTLCK in(4 "int");
        0x80045432 TIOCGDEV out(4 "unsigned int");
        0x40045436 TIOCSIG value;
        0x5437 TIOCVHANGUP none;
        0x80045438 TIOCGPKT out(4 "int");
        0x80045439 TIOCGPTLCK out(4 "int");
        0x80045440 TIOCGEXCL out(4 "int");
        0x5441 TIOCGPTPEER value;
        0x80285442 TIOCGISO7816 out(40 "struct serial_iso7816");
        0xc0285443 TIOCSISO7816 inout(40 "struct serial_iso7816");
        0x5453 TIOCSERCONFIG none;
        0x5459 TIOCSERGETLSR out(4 "unsigned int");
        0x545c TIOCMIWAIT value;
        0x545d TIOCGICOUNT out(80 "struct serial_icounter_struct");
    }
}
