import { NO_FALLBACK } from '@bearing/contracts/location/settings/location-fallback'
import { describe, expect, it } from '@jest/globals'
import type { Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const URL = 'https://geo.example/v1/geolocate'
const SET = { ...NO_FALLBACK, url: URL, has_key: true }
const KEY = 'geo-s3cret-of-acme'
const environment = { ...AS_USER, BEARING_ORG: 'acme' }
const PATH = '/v1/organizations/acme/location/fallback'
const run = (answers: Answers, rest: string[], stdin?: string) =>
  runAgainst(answers, ['location', 'fallback', ...rest], {
    environment,
    ...(stdin !== undefined && { stdin }),
  })

describe('bearing location fallback', () => {
  it('show says that nobody is asked, or who', async () => {
    const none = await run({ showLocationFallback: () => NO_FALLBACK }, ['show'])
    expect(none).toMatchObject({ code: 0, requests: [`GET ${PATH}`] })
    expect(none.stdout).toMatch(/Asked elsewhere\s+no/)
    const answers: Answers = { showLocationFallback: () => SET }
    const shown = await run(answers, ['show'])
    for (const text of [URL, 'as ?key=', '68 %', '60 a minute']) expect(shown.stdout).toContain(text)
    expect(JSON.parse((await run(answers, ['show', '--json'])).stdout)).toEqual(SET)
  })

  it('set reads the key from standard input, shows it nowhere, and leaves alone what is not given', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      showLocationFallback: () => ({ ...SET, timeout_ms: 700, key_as: 'bearer' }),
      setLocationFallback: ({ organization_id: _, ...input }) => {
        asked.push(input)
        return SET
      },
    }
    const terms = {
      ...{ url: URL, key_as: 'bearer', accuracy_confidence: 68, requests_per_minute: 60, timeout_ms: 700 },
    }
    const set = await run(answers, ['set', URL, '--new-key'], `${KEY}\n`)
    expect(set.code).toBe(0)
    expect(set.stdout + set.stderr).not.toContain(KEY)
    await run(answers, ['set', URL, '--requests-per-minute', '5'])
    await run(answers, ['set', URL, '--no-key', '--key-as', 'query'])
    expect(asked).toEqual([
      { ...terms, key: KEY },
      { ...terms, requests_per_minute: 5 },
      { ...terms, key: null, key_as: 'query' },
    ])
    expect(await run(answers, ['set', URL, '--timeout-ms', 'soon'])).toMatchObject({ code: 2, requests: [] })
  })

  it('set says that a key does not go along to another URL', async () => {
    const answers: Answers = {
      showLocationFallback: () => SET,
      setLocationFallback: () => ({ ...SET, url: 'https://other.example/', has_key: false }),
    }
    expect((await run(answers, ['set', 'https://other.example/'])).stderr).toContain('--new-key')
  })

  it('delete turns the provider off, and prints that there is none', async () => {
    const off = await run({ turnOffLocationFallback: () => NO_FALLBACK }, ['delete', '--json'])
    expect(off).toMatchObject({ code: 0, requests: [`DELETE ${PATH}`] })
    expect(JSON.parse(off.stdout)).toEqual(NO_FALLBACK)
  })
})
