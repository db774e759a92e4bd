#!/bin/bash
#: full
#: timeout 2400
# All of perl's own tests of its base, commands, input and output, operators and regular expressions; but op/magic, which loses
# a race with a pipe now and then, and re/uniprops, which are made when perl is.
cd /usr/src/perl/t && . /cases/tests $(ls {base,cmd,io,op,re}/*.t | sed 's/\.t$//' | grep -vE '^(op\/magic|re\/uniprops.*)$')
