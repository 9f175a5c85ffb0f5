import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNatsServer } from '@bearing/local/nats-binary'
import { packagedPrograms } from '@bearing/local/postgres-home'
import type { ContainerTools } from '@bearing/start/images/container-tools'
import { makeImage } from './base-image.js'
import { ROOT } from '../tools/root.js'

/** Images that docker-compose.yml pulls, by their full names. */
export const STAND_INS = {
  postgres: 'docker.io/library/postgres:18',
  nats: 'docker.io/library/nats:2-alpine',
} as const

const PROGRAMS = '/usr/local/pgsql'
/**
 * Does the steps of the published image that docker-compose.yml relies on: starts as root, gives its folders to the user postgres, makes
 * the database once as that user, reachable on the socket only, and then listens.
 */
const ENTRYPOINT = `#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres /var/lib/postgresql /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
set -- "$@" -c unix_socket_directories=/run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl start --wait --options "-c listen_addresses= -c unix_socket_directories=/run/postgresql"
  psql --host=/run/postgresql --username=postgres --command="CREATE DATABASE \\"$POSTGRES_DB\\""
  pg_ctl stop --wait --mode=fast
fi
exec "$@" -c listen_addresses='*'
`

/**
 * Makes the {@link STAND_INS}, for machines that reach no registry of images: the Postgres and the NATS server of the tests, with what
 * the published images have besides: `pg_isready`, and the `wget` of busybox.
 *
 * @param base image of Debian
 */
export async function makeStandIns(tools: ContainerTools, base: string): Promise<void> {
  const install = async (container: string, ...packages: readonly string[]) => {
    const script = `apt-get update -qq && apt-get install -qq --yes --no-install-recommends ${packages.join(' ')}`
    const how = ['--isolation', 'chroot', '--network', 'host']
    await tools.buildah('run', ...how, container, '--', 'sh', '-c', script)
  }
  await makeImage(tools, base, STAND_INS.nats, async (container) => {
    await install(container, 'busybox')
    await tools.buildah('run', '--isolation', 'chroot', container, '--', 'ln', '-s', 'busybox', '/bin/wget')
    const server = await findNatsServer(join(ROOT, '.bearing', 'nats-server'))
    await tools.buildah('copy', container, server, '/usr/local/bin/nats-server')
    await tools.buildah('config', '--entrypoint', '["nats-server"]', container)
  })
  const folder = await mkdtemp(join(tmpdir(), 'bearing-stand-in-'))
  try {
    const entrypoint = join(folder, 'entrypoint')
    await writeFile(entrypoint, ENTRYPOINT)
    await makeImage(tools, base, STAND_INS.postgres, async (container) => {
      await install(container, 'postgresql-client')
      const user = ['useradd', '--system', '--user-group', '--home-dir', '/var/lib/postgresql', 'postgres']
      await tools.buildah('run', '--isolation', 'chroot', container, '--', ...user)
      await tools.buildah('copy', '--chmod', '755', container, entrypoint, '/entrypoint')
      await tools.buildah('copy', container, join(packagedPrograms(), '..'), PROGRAMS)
      for (const variable of [
        `PATH=${PROGRAMS}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        'PGDATA=/var/lib/postgresql/18/docker',
        'LANG=C.UTF-8',
      ])
        await tools.buildah('config', '--env', variable, container)
      // As the published image ends: a smart shutdown would wait for clients.
      await tools.buildah('config', '--entrypoint', '["/entrypoint"]', '--stop-signal', 'SIGINT', container)
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
