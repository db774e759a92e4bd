#!/bin/bash
#: timeout 300
#: filter / \| /d
. /cases/tests test_time test_datetime test_strptime test_timeout test_sched
