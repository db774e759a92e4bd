#!/bin/bash
#: timeout 300
#: filter / \| /d
. /cases/tests test_mmap test_memoryview test_buffer test_array test_ctypes test_struct test_zlib
