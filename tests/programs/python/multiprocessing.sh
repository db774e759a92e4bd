#!/bin/bash
#: full
#: timeout 1500
#: filter / \| /d
. /cases/tests test_multiprocessing_fork test_multiprocessing_spawn test_concurrent_futures
