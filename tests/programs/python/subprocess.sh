#!/bin/bash
#: full
#: timeout 1500
#: filter / \| /d
. /cases/tests test_subprocess test_popen test_pty test_fork1 test_wait3 test_wait4
