#!/bin/bash
#: timeout 120
#: filter s/^[0-9/]+ [0-9:]+ /TIME /
#: ignore /var/log/nginx/*
#: ignore /run/nginx.pid
# nginx with two workers answers 10,000 requests of ab, then other requests, reloads, and ends.
mkdir www; seq 5000 > www/file; echo hello > www/index.html; touch -d 2020-01-01 www/*
cat > nginx.conf <<'N'
worker_processes 2; user www-data; error_log /work/error.log;
events { worker_connections 256; }
http { access_log /work/access.log; server { listen 8080; listen [::]:8080; root /work/www; sendfile on; gzip on; gzip_types *; location /status { return 204; } } }
N
chmod 755 /work; nginx -t -c /work/nginx.conf -q; nginx -c /work/nginx.conf; until curl -s -o /dev/null http://127.0.0.1:8080/; do sleep 0.1; done
ab -q -n 10000 -c 20 http://127.0.0.1:8080/file | grep -E '^(Complete|Failed|Non-2xx|Document|HTML)'; ab -q -k -n 10000 -c 50 http://127.0.0.1:8080/ | grep -E '^(Complete|Failed|Keep-Alive|Non-2xx)' | sed 's/Keep-Alive.*/kept alive/'
curl -s http://127.0.0.1:8080/file | sha256sum; curl -s -r 10-19 http://127.0.0.1:8080/file; curl -s --compressed http://[::1]:8080/file | sha256sum; curl -s -o /dev/null -w '%{http_code}\n' http://127.0.0.1:8080/status; curl -s -o /dev/null -w '%{http_code}\n' http://127.0.0.1:8080/nosuch
nginx -c /work/nginx.conf -s reload; sleep 0.5; curl -s http://127.0.0.1:8080/; nginx -c /work/nginx.conf -s quit; for i in $(seq 50); do pgrep nginx > /dev/null || break; sleep 0.1; done; pgrep -c nginx; wc -l < access.log; cut -d'"' -f2,3 access.log | cut -d' ' -f1-6 | sort | uniq -c; grep -cE 'emerg|alert|crit' error.log; rm access.log error.log
