import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { SettingsError, readSettings } from '@bearing/service/ground/settings'
import { describe, expect, it } from '@jest/globals'
import { CONFIG } from './config.js'

const jwk = (kid: string) => ({
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid,
})
const pepper = (id: string, bytes = 32) => `${id}:${randomBytes(bytes).toString('base64')}`

const GOOD = {
  NATS_URL: 'nats://localhost',
  IDENTITY_DATABASE_URL: 'postgresql://identity@localhost/bearing',
  IDENTITY_SIGNING_KEYS: JSON.stringify({ keys: [jwk('a'), jwk('b')] }),
  IDENTITY_PEPPERS: `${pepper('2026-02')}, ${pepper('2026-01')}`,
}

function mistakes(changes: Record<string, string | undefined>): string {
  try {
    readSettings(CONFIG, { ...GOOD, ...changes })
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return ''
}

describe('the settings of identity', () => {
  it('are read, with keys and peppers in their order', () => {
    const settings = readSettings(CONFIG, GOOD)
    expect(settings.IDENTITY_SIGNING_KEYS.map(({ kid }) => kid)).toEqual(['a', 'b'])
    expect(settings.IDENTITY_PEPPERS.map(({ id, key }) => [id, key.length])).toEqual([
      ['2026-02', 32],
      ['2026-01', 32],
    ])
  })

  it('report all their mistakes together, without the secrets in them', () => {
    const short = pepper('short', 16)
    const text = mistakes({
      IDENTITY_DATABASE_URL: 'mysql://root:hunter2@localhost',
      IDENTITY_SIGNING_KEYS: '{"keys":[',
      IDENTITY_PEPPERS: `${short},nonsense`,
      SESSION_IDLE_S: '0',
    })
    for (const name of [
      'IDENTITY_DATABASE_URL',
      'IDENTITY_SIGNING_KEYS',
      'IDENTITY_PEPPERS',
      'SESSION_IDLE_S',
    ])
      expect(text).toContain(name)
    expect(text).toContain('key "short" has fewer than 32 bytes')
    expect(text).toContain('key 2 is not of the form')
    for (const secret of ['hunter2', 'nonsense', short]) expect(text).not.toContain(secret)
  })

  it.each([
    ['a public key', () => ({ ...jwk('a'), d: undefined })],
    ['another curve', () => ({ ...jwk('a'), crv: 'Ed448' })],
    ['halves that do not belong together', () => ({ ...jwk('a'), x: jwk('b').x })],
  ])('refuse %s to sign with', (_, key) => {
    expect(mistakes({ IDENTITY_SIGNING_KEYS: JSON.stringify({ keys: [key()] }) })).toContain(
      'IDENTITY_SIGNING_KEYS',
    )
  })

  it('refuse two keys or two peppers of one name', () => {
    expect(mistakes({ IDENTITY_SIGNING_KEYS: JSON.stringify({ keys: [jwk('a'), jwk('a')] }) })).toContain(
      'two keys have the kid "a"',
    )
    expect(mistakes({ IDENTITY_PEPPERS: `${pepper('a')},${pepper('a')}` })).toContain(
      'two keys have the id "a"',
    )
  })
})
