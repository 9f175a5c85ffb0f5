import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NATS_USERS, NATS_USER_NAMES } from '@bearing/contracts/nats/nats-users'
import { findNatsServer } from '@bearing/local/nats-binary'
import { permissionsOf } from '@bearing/nats/permissions'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { nkeyVariable, withUsersAsValues } from './nats-users.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')

/** Returns the output of `deploy/new-env.mjs`. */
const newEnvironment = () =>
  spawnSync(process.execPath, [join(CHECKOUT, 'deploy', 'new-env.mjs')], { encoding: 'utf8' }).stdout

describe('deploy/kubernetes/nats-values.yaml', () => {
  const text = readFileSync(join(CHECKOUT, 'deploy', 'kubernetes', 'nats-values.yaml'), 'utf8')
  const { config } = parse(text) as {
    config: { merge: { authorization: { users: object[] } }; cluster: { replicas: number; merge: object } }
  }

  it('has the users that the contracts declare (pnpm generate writes them)', () => {
    expect(parse(text)).toEqual(parse(withUsersAsValues(text)))
    expect(config.merge.authorization.users).toEqual(
      NATS_USER_NAMES.map((name) => {
        const { publish, subscribe } = permissionsOf(name, NATS_USERS[name])
        return {
          nkey: `<< $${nkeyVariable(name)} >>`,
          permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } },
        }
      }),
    )
    expect(config.cluster.replicas).toBe(3)
  })

  it('is accepted by NATS as the configuration that its chart makes of it', async () => {
    const command = await findNatsServer(join(CHECKOUT, '.bearing', 'nats-server'))
    const directory = mkdtempSync(join(tmpdir(), 'bearing-nats-values-'))
    try {
      const cluster = { name: 'bearing', port: 6222, ...config.cluster.merge }
      const made = { server_name: 'one', jetstream: { store_dir: '/data' }, cluster, ...config.merge }
      const file = join(directory, 'nats.conf')
      writeFileSync(file, JSON.stringify(made).replaceAll(/"<< (.*?) >>"/g, '$1'))
      const keys = [...newEnvironment().matchAll(/^(NATS_\w+_NKEY)=(.*)$/gm)].map(([, name = '', key]) => [
        name,
        key,
      ])
      const env = Object.fromEntries(keys) as Record<string, string>
      const { status, stderr } = spawnSync(command, ['-t', '-c', file], { encoding: 'utf8', env })
      expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
