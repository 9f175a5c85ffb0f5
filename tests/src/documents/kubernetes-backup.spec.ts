import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { SERVICES } from '@bearing/prisma/services'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import { parseAllDocuments } from 'yaml'
import { DebianPostgres, debianPostgres, describeWithPgDump } from '../tools/debian-postgres.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'backups.md'), 'utf8')
const MIGRATE = join(ROOT, 'prisma', 'dist', 'main.js')
const run = promisify(execFile)

/** Returns the commands of a section. */
function commandsOf(heading: string): string {
  const [, section = ''] = PAGE.split(`### ${heading}\n`)
  const [commands = ''] = section.split(/\n##+ /)
  return [...commands.matchAll(/```bash\n(.*?)```/gs)].map(([, block = '']) => block).join('')
}

/**
 * A cluster whose Postgres is that of the test: `kubectl exec` runs the program after `--` here, as the superuser. The names that
 * commands use have to be those of deploy/kubernetes.
 */
const CLUSTER = `
kubectl() {
  case "$*" in
    'get clusters.postgresql.cnpg.io bearing-postgres --namespace bearing '*) echo bearing-postgres-2 ;;
    'get pvc --namespace bearing --selector app.kubernetes.io/name=nats '*) echo 'bearing-nats-js-bearing-nats-0 bearing-nats-js-bearing-nats-1' ;;
    'create --namespace bearing -f -') { cat; echo ---; } >> created ;;
    exec*' bearing-postgres-2 --container postgres -- '*)
      while [ "$1" != -- ]; do shift; done
      shift
      "$@" ;;
  esac
}
helm() { [ "$1 $2" = 'upgrade bearing' ] && "$NODE" "$MIGRATE"; }
`

const bin = debianPostgres()

describeWithPgDump('the commands of docs/backups.md for Kubernetes', () => {
  let server: DebianPostgres
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-kubernetes-backup-'))
    server = await DebianPostgres.start(bin ?? '')
    // As CloudNativePG makes them from deploy/kubernetes/postgres.yaml.
    await query(server.url, `CREATE ROLE bearing_owner LOGIN CREATEROLE PASSWORD 'owner'`)
    await query(server.url, 'CREATE DATABASE bearing OWNER bearing_owner')
    await run(process.execPath, [MIGRATE], { env: settings() })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  async function query(url: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const urlOf = (username: string, password: string) =>
    Object.assign(new URL('/bearing', server.url), { username, password }).href
  const settings = () => ({
    DATABASE_URL: urlOf('bearing_owner', 'owner'),
    ...Object.fromEntries(
      SERVICES.map((service) => [`${service.toUpperCase()}_DATABASE_URL`, urlOf(service, 'secret')]),
    ),
  })
  const superuser = () =>
    Object.assign(new URL('/bearing', server.url), { password: new URL(server.url).password }).href

  /** Runs commands in a folder. */
  async function shell(commands: string, cwd: string): Promise<void> {
    const { hostname, port, username, password } = new URL(server.url)
    await run('bash', ['-ec', CLUSTER + commands], {
      cwd,
      env: {
        ...{
          PATH: [bin, process.env['PATH']].join(delimiter),
          NODE: process.execPath,
          MIGRATE,
          ...settings(),
        },
        ...{ PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
      },
    })
  }

  it('back up and restore as the superuser, and leave what the owner without such rights migrates', async () => {
    const users = () => query(superuser(), 'SELECT email FROM identity.users')
    const add = (email: string) =>
      query(
        superuser(),
        `INSERT INTO identity.users (id, email, created_at) VALUES (gen_random_uuid(), '${email}', now())`,
      )
    await add('before@example.com')
    await shell(commandsOf('Back up on Kubernetes'), directory)
    await add('after@example.com')
    await shell(commandsOf('Restore on Kubernetes'), directory)
    expect(await users()).toEqual([{ email: 'before@example.com' }])
    const owners = await query(
      superuser(),
      `SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname IN ('identity', 'management', 'location')`,
    )
    expect(owners).toEqual([{ tableowner: 'bearing_owner' }])
    // Services have their rights and search paths again.
    for (const service of SERVICES)
      expect(await query(urlOf(service, 'secret'), 'SELECT count(*)::int AS waiting FROM outbox')).toEqual([
        { waiting: 0 },
      ])
  })

  it('take a snapshot of the volume of each NATS server', async () => {
    const folder = await mkdtemp(join(directory, 'snapshots-'))
    await shell(commandsOf('Back up on Kubernetes'), folder)
    const made = parseAllDocuments(readFileSync(join(folder, 'created'), 'utf8'))
      .map((document) => document.toJS() as unknown)
      .filter((object) => object !== null)
    expect(made).toEqual(
      [0, 1].map((index) => ({
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshot',
        metadata: { name: expect.stringMatching(`^bearing-nats-js-bearing-nats-${String(index)}-[0-9-]+$`) },
        spec: { source: { persistentVolumeClaimName: `bearing-nats-js-bearing-nats-${String(index)}` } },
      })),
    )
  })
})
