import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NATS_USER_NAMES } from '@bearing/contracts/nats/nats-users'
import { findNatsServer } from '@bearing/local/nats-binary'
import { nkeyOf } from '@bearing/nats/nkey'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { nkeyVariable, withUsers } from './nats-users.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const conf = readFileSync(join(CHECKOUT, 'deploy', 'nats.conf'), 'utf8')

/** Returns the variables that `node deploy/new-env.mjs` creates. */
function newEnvironment(): Record<string, string> {
  const { stdout } = spawnSync(process.execPath, [join(CHECKOUT, 'deploy', 'new-env.mjs')], {
    encoding: 'utf8',
  })
  const lines = stdout.matchAll(/^(\w+)='?(.*?)'?$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

/** Servers before 2.10, such as Debian's, do not know when to write to the disk; the image of docker-compose.yml is a later one. */
function readableBy(command: string, text: string): string {
  const { stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  const [, minor] = /v2\.(\d+)\./.exec(stdout) ?? []
  return Number(minor) < 10 ? text.replace(/^ *sync_interval:.*$/m, '') : text
}

describe('deploy/nats.conf', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'bearing-nats-conf-'))
  })
  afterAll(() => {
    rmSync(directory, { recursive: true })
  })

  it('has the users that the contracts declare, with what each needs (pnpm generate writes them)', () => {
    expect(conf).toBe(withUsers(conf))
    expect([...conf.matchAll(/nkey: \$(\w+)/g)].map(([, name]) => name)).toEqual(
      NATS_USER_NAMES.map(nkeyVariable),
    )
  })

  it('writes to the disk what it acknowledges, since nobody else has it', () => {
    expect(conf).toMatch(/^jetstream \{[^}]*^ *sync_interval: always$/m)
  })

  it('says how much may be stored, or it would be less after each restart', () => {
    expect(conf).toMatch(/^jetstream \{[^}]*^ *max_file_store: \$NATS_MAX_FILE_STORE$/m)
  })

  it('lets nobody in without an nkey', () => {
    expect(conf).not.toMatch(/(password|token|no_auth_user):/)
  })

  it('is accepted by NATS, with the keys that deploy/new-env.mjs makes, and not without', async () => {
    const command = await findNatsServer(join(CHECKOUT, '.bearing', 'nats-server'))
    const file = join(directory, 'nats.conf')
    writeFileSync(file, readableBy(command, conf.replace('/data', directory)))
    const test = (env: Record<string, string>) =>
      spawnSync(command, ['-t', '-c', file], { env, encoding: 'utf8' }).status
    expect(test({ ...newEnvironment(), NATS_MAX_FILE_STORE: '20GB' })).toBe(0)
    expect(test(newEnvironment())).not.toBe(0)
    expect(test({})).not.toBe(0)
  })
})

it('deploy/new-env.mjs writes seeds whose nkeys are in the NATS configuration', () => {
  const made = newEnvironment()
  for (const name of NATS_USER_NAMES) {
    const seed = made[nkeyVariable(name).replace('NKEY', 'SEED')] ?? ''
    expect(nkeyOf(seed).publicKey).toBe(made[nkeyVariable(name)])
  }
})
