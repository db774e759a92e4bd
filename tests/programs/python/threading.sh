#!/bin/bash
#: full
#: timeout 1500
#: filter / \| /d
. /cases/tests test_threading test_thread test_threadsignals test_queue test_threading_local
