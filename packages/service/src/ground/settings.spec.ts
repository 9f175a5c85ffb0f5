import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { readSettings } from './settings.js'

const CONFIG = {
  PORT: { schema: z.coerce.number().max(65_535), description: 'Port that it listens on', default: '80' },
} as const
const CONSTANTS = { KEPT_MS: 1_000, DELAYS_S: [1, 2] }
const read = (environment: Record<string, string>) => ({ ...readSettings(CONFIG, environment, CONSTANTS) })
const test = (constants: string) => ({ NODE_ENV: 'test', TEST_CONSTANTS: constants })

it.each(['8080\n', '8080\r\n', '\ufeff8080'])(
  'a setting from a file is read without its line break: %j',
  (PORT) => {
    expect(read({ PORT })).toMatchObject({ PORT: 8_080 })
  },
)

it('a setting that is a line break alone is not set', () => {
  expect(read({ PORT: '\n' })).toMatchObject({ PORT: 80 })
})

describe('constants of a service', () => {
  it('are returned with its settings, and no variable of their name changes them', () => {
    expect(read({ PORT: '8080', KEPT_MS: '5' })).toEqual({ PORT: 8_080, ...CONSTANTS })
  })

  it('are replaced by TEST_CONSTANTS in a test', () => {
    expect(read(test('{"KEPT_MS":5,"DELAYS_S":[]}'))).toEqual({ PORT: 80, KEPT_MS: 5, DELAYS_S: [] })
  })

  it.each([undefined, 'production', 'development'])(
    'are not replaced with NODE_ENV=%s: the service does not start',
    (environment) => {
      const variables = { TEST_CONSTANTS: '{"KEPT_MS":5}', ...(environment && { NODE_ENV: environment }) }
      expect(() => read(variables)).toThrow('TEST_CONSTANTS: is only for tests')
    },
  )

  it.each(['{"OTHER":1}', '{"constructor":1}', '{"KEPT_MS":"5"}', '{"KEPT_MS":[5]}', '{"DELAYS_S":5}', '{'])(
    'are not replaced by %s, which is a mistake, reported with all others',
    (constants) => {
      expect(() => read({ ...test(constants), PORT: '70000' })).toThrow(/PORT: [^]*TEST_CONSTANTS: /)
    },
  )
})
