#!/bin/sh
#: root foreign
#: timeout 600
#: filter s/[0-9]{4}-[0-9]{2}-[0-9]{2} +[0-9:]{8}/TIME/g
#: filter s/(Local time is now|Universal Time is now): .*/\1/
#: ignore /var/cache/ldconfig/aux-cache
#: ignore /var/cache/debconf/*
# The second stage of debootstrap: dpkg, perl and every maintainer script of a minimal Debian.
/debootstrap/debootstrap --second-stage
echo "status $?"
dpkg -l
dpkg --audit
