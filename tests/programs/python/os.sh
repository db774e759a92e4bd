#!/bin/bash
#: timeout 300
#: filter / \| /d
. /cases/tests test_os test_posix test_posixpath test_genericpath test_shutil test_glob test_tempfile test_fileio test_file test_largefile test_stat
