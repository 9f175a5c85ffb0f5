import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackFromDebian } from '@bearing/local/debian-package'

const MODULES = 'usr/lib/python3/dist-packages'
/** The one of Debian 12 knows neither the name of a project nor an empty default. It is in Python, so that a newer release's runs. */
const NEWER = { release: 'trixie', insteadOf: ['bookworm', 'bullseye'] } as const
/** About as many seconds are waited for containers to be healthy. */
const MOST_TRIES = 180
/**
 * Stands for podman, which waits for health only since 4.6, and checks it only where systemd has timers: here the waiting process makes
 * the checks. Podman 4.3 cannot start what `--requires` a container that has ended; podman-compose waits for both anyway. Its
 * `wait` takes 20 s for a container that has ended.
 */
const PODMAN = `#!/bin/sh
holds() {
  if [ "$1" = --condition=healthy ]; then podman healthcheck run "$2"
  else podman inspect --format '{{.State.Status}}' "$2" | grep -E 'exited|stopped'; fi > /dev/null 2>&1
}
if [ "$1 \${2:-}" = 'wait --condition=healthy' ] || [ "$1 \${2:-}" = 'wait --condition=stopped' ]; then
  condition=$2
  shift 2
  tries=0
  for container; do
    until holds "$condition" "$container"; do
      tries=$((tries + 1))
      [ $tries -lt ${String(MOST_TRIES)} ] || exit 1
      sleep 1
    done
  done
else
  for word; do
    shift
    case $word in --requires=*) ;; *) set -- "$@" "$word" ;; esac
  done
  exec podman "$@"
fi
`

/** Finds podman-compose in packages of Debian, which are unpacked and not installed. @returns its command line, for `env` */
export async function findPodmanCompose(cache: string): Promise<readonly string[]> {
  const modules = join(cache, 'podman-compose', MODULES)
  const program = join(modules, 'podman_compose.py')
  if (!existsSync(program))
    await unpackFromDebian(
      join(cache, 'podman-compose'),
      ['podman-compose', 'python3-dotenv', 'python3-yaml'],
      NEWER,
    )
  await mkdir(cache, { recursive: true })
  const podman = join(cache, 'podman-that-waits')
  await writeFile(podman, PODMAN, { mode: 0o755 })
  return [`PYTHONPATH=${modules}`, 'python3', program, '--podman-path', podman]
}
