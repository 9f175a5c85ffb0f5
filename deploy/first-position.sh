#!/bin/sh
# Brings docker-compose.yml, which has been started, from no user to a first position: sh deploy/first-position.sh docker compose
#
# .github/workflows/check.yml runs it with docker, and tests/src/images/compose.spec.ts with podman-compose.
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
password=$(node --print 'crypto.randomUUID()')
compose="$*"

bearing() {
  # The password is of this installation alone, which is thrown away: podman-compose takes variables only with their values.
  # shellcheck disable=SC2086 # a command with its options
  $compose run --rm --no-deps -T --volume "$folder/access-points.csv:/tmp/access-points.csv:ro" --env BEARING_URL=http://gateway:8080 \
    --env BEARING_EMAIL=you@example.com --env "BEARING_PASSWORD=$password" --env BEARING_ORG=acme --env BEARING_PROJECT=trackers bearing "$@"
}

printf 'bssid,lat,lon\n02:00:5e:00:1b:00,48.1374,11.5755\n02:00:5e:00:1c:00,48.1376,11.5757\n' > "$folder/access-points.csv"
chmod 644 "$folder/access-points.csv"
echo "$password" | bearing admin bootstrap --email you@example.com
bearing organizations create Acme --slug acme
bearing projects create Trackers --slug trackers
bearing access-points import /tmp/access-points.csv
bearing locate --ap 02:00:5e:00:1b:00=-52 --ap 02:00:5e:00:1c:00=-55 > "$folder/position"
cat "$folder/position"
grep --quiet 48.137 "$folder/position"
