import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'

const pem = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString()
const newSerial = () => `IMPORT-${randomUUID()}`

describe('a file of device keys', () => {
  let own: TestOrganization
  let folder: string

  beforeAll(async () => {
    ;[own, folder] = await Promise.all([newOrganization(), mkdtemp(join(tmpdir(), 'device-keys-'))])
  })
  afterAll(() => rm(folder, { recursive: true }))

  const load = async (name: string, text: string) => {
    const file = join(folder, name)
    await writeFile(file, text)
    const { code, stdout } = await runBearing(
      ['devices', 'keys', 'import', file, '-o', 'json', '--project', own.project.slug, '--org', own.slug],
      { BEARING_URL: testStack().gatewayUrls[0] ?? '', BEARING_ORG_TOKEN: own.token.token },
    )
    return { code, ...(JSON.parse(stdout) as object) }
  }
  const keysOf = async (device_serial: string) => {
    const of = { organization: own.slug, project: own.project.slug, device_serial }
    return (await own.token.client.call('listDeviceKeys', of)).data.length
  }

  it('is imported from CSV, with its refused lines and why, and again without a change', async () => {
    const serials = Array.from({ length: 300 }, newSerial)
    const shared = pem()
    const rows = serials.map((serial, index) => `${serial},"${index < 2 ? shared : pem()}"`)
    const text = `device_serial,public_key\n${rows.join('\n')}\nno serial,"${pem()}"\n${newSerial()},none\n`
    const first = await load('keys.csv', text)
    // A row with a quoted PEM has five lines.
    const invalid = expect.stringContaining('must be a public key of P-256') as unknown
    const lines = [
      {
        line: 11,
        device_serial: serials[1],
        error: expect.stringContaining('already registered') as unknown,
      },
      { line: 1_506, device_serial: '', error: expect.stringContaining('device_serial must') as unknown },
      { line: 1_507, error: invalid },
    ]
    expect(first).toMatchObject({ code: 1, created: 299, unchanged: 0, failed: 3 })
    expect(await load('keys.csv', text)).toMatchObject({ code: 1, created: 0, unchanged: 299, failed: 3 })
    expect(
      (first as unknown as { lines: { line: number }[] }).lines.sort((a, b) => a.line - b.line),
    ).toMatchObject(lines)
    expect(await keysOf(serials[0] ?? '')).toBe(1)
    expect(await keysOf(serials[1] ?? '')).toBe(0)
  })

  it('is imported from NDJSON, and from the onboarding CSV of nRF Cloud utilities', async () => {
    const [json, nrf] = [newSerial(), newSerial()]
    const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    const text = `${JSON.stringify({ device_serial: json, public_key: jwk })}\nnot JSON\n`
    expect(await load('keys.ndjson', text)).toMatchObject({ code: 1, created: 1, failed: 1 })
    expect(await load('onboard.csv', `${nrf},gateway,tag|other,APP|MODEM,"${pem()}"\n`)).toMatchObject({
      ...{ code: 0, created: 1, failed: 0 },
    })
    expect([await keysOf(json), await keysOf(nrf)]).toEqual([1, 1])
  })
})
