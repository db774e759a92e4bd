#!/bin/bash
#: full
#: timeout 1500
#: filter / \| /d
. /cases/tests test_socket test_socketserver test_ssl test_ftplib test_urllib2_localnet test_httpservers test_asyncore
