import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NATS_USER_NAMES } from '@bearing/contracts/nats/nats-users'
import { nkeyOf } from '@bearing/nats/nkey'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readSecrets } from './secrets.js'

describe('the secrets of a local Bearing', () => {
  let directory: string
  let path: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bearing-secrets-'))
    path = join(directory, 'secrets.json')
  })
  afterEach(() => {
    rmSync(directory, { recursive: true })
  })

  it('are made once, for every service, where only their owner reads them', () => {
    const made = readSecrets(path)
    expect(readSecrets(path)).toEqual(made)
    const publicKeys = NATS_USER_NAMES.map((name) => nkeyOf(made.nkeys[name]).publicKey)
    expect(new Set(publicKeys).size).toBe(NATS_USER_NAMES.length)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('of a version that had one password of NATS for all are kept, and get what is missing', () => {
    const { nkeys: _, ...old } = readSecrets(path)
    writeFileSync(path, JSON.stringify({ ...old, nats: 'a password of old' }))
    const now = readSecrets(path)
    expect(now).toMatchObject(old)
    expect(Object.keys(now.nkeys)).toEqual(NATS_USER_NAMES)
    expect(readFileSync(path, 'utf8')).not.toContain('a password of old')
  })
})
