#!/bin/bash
#: full
#: timeout 1500
#: filter / \| /d
. /cases/tests test_signal test_faulthandler test_eintr
