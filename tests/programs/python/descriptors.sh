#!/bin/bash
#: timeout 300
#: filter / \| /d
. /cases/tests test_fcntl test_select test_selectors test_poll test_epoll test_pipes test_ioctl test_resource
