#!/bin/bash
#: full
#: timeout 1500
#: filter / \| /d
. /cases/tests test_asyncio
