#!/bin/bash
#: timeout 300
# Those of perl's own tests that are about the operating system (but op/magic, which loses a race with a pipe now and then).
. /cases/tests io/{argv,data,defout,dup,eintr,errno,fs,inplace,iofile,open,openpid,perlio,perlio_open,pipe,print,read,say,sem,shm,msg,socket,socketpair,tell} op/{alarm,chdir,die_exit,exec,fork,getpid,getppid,groups,int,kill0,mkdir,numconvert,pack,pow,readline,select,sigdispatch,sleep,sprintf2,stat,sysio,time,vec,wait}
