#!/bin/bash
#: filter s/[0-9]{4}-[0-9]{2}-[0-9]{2} +[0-9:]{8}/TIME/g
#: ignore /var/cache/*
#: ignore /var/lib/apt/*
#: ignore /var/log/apt/*
# dpkg and apt: a package comes, is verified and goes; apt reads a repository made here; one whose script fails.
dpkg -i /srv/debs/hello_*.deb; hello; dpkg -V hello; dpkg -L hello | sha256sum; dpkg -s hello | grep -E '^(Status|Version|Architecture)'; dpkg -P hello; hello; echo $?; dpkg -l | wc -l; dpkg --print-architecture; dpkg --verify coreutils; dpkg --audit
mkdir -p p/DEBIAN p/opt; printf 'Package: failing\nVersion: 1\nArchitecture: all\nMaintainer: M <m@example>\nDescription: fails\n' > p/DEBIAN/control; printf '#!/bin/sh\necho "$0 $*" | sed "s,.*/,,"\nexit 3\n' > p/DEBIAN/postinst; chmod 755 p/DEBIAN/postinst; echo x > p/opt/x; SOURCE_DATE_EPOCH=1 dpkg-deb --root-owner-group -Zxz -b p failing.deb; dpkg -i failing.deb; echo $?; dpkg -s failing | grep ^Status; dpkg -P failing; dpkg-deb -c failing.deb | wc -l; rm -r p failing.deb
cp /srv/debs/*.deb .; echo 'deb [trusted=yes] file:/work ./' > /etc/apt/sources.list; for d in *.deb; do dpkg-deb -f $d Package Version Architecture Depends Maintainer Description; echo "Filename: ./$d"; echo "Size: $(stat -c %s $d)"; echo "SHA256: $(sha256sum < $d | cut -d' ' -f1)"; echo; done > Packages; apt-get update -qq; echo $?; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq hello 2>&1 | grep -vE '^debconf'; hello -g applied; apt-cache policy hello | head -n 3; apt-get remove -y -qq hello; rm *.deb Packages
ldconfig -p | wc -l; update-alternatives --display awk | head -n 2; adduser --system --group --quiet someone; id someone; deluser --quiet someone; useradd -m u; su u -c 'id -un; touch ~/x'; userdel -r u 2>/dev/null; passwd -S root | cut -d' ' -f1-2
