import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { bearing } from '../tools/bearing.js'
import { send } from '../tools/http.js'

/** The gateway hands on what devices send without reading it. */
describe('a look-up', () => {
  const own = forSuite(() => newOrganization())
  const other = forSuite(() => newOrganization())
  const scanned = ['02:00:5e:10:01:00', '02:00:5e:10:02:00'].map((macAddress) => ({ macAddress }))

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-look-ups-'))
    const file = join(directory, 'places.csv')
    const rows = scanned.map(({ macAddress }, index) => `${macAddress},48.000${String(index)},11`)
    await writeFile(file, ['bssid,lat,lon', ...rows, ''].join('\n'))
    expect(await bearing(other, ['access-points', 'import', file])).toMatchObject({ code: 0 })
    await rm(directory, { recursive: true })
    await eventually(async () => {
      expect(await look(other, JSON.stringify({ accessPoints: scanned }))).toMatchObject({ status: 200 })
    })
  })

  const look = (organization: TestOrganization, body: string, what = 'wifi') =>
    send(
      testStack().gatewayUrls[0] ?? '',
      'POST',
      `/v1/organizations/${organization.slug}/projects/${organization.project.slug}/location/${what}`,
      { credential: organization.token.credential, body },
    )

  it('knows nothing of another organization, whatever the body names', async () => {
    const accessPoints = `"accessPoints":${JSON.stringify(scanned)}`
    const ids = `"organization_id":"${other.id}","project_id":"${other.project.id}"`
    for (const body of [
      `{${ids},${accessPoints}}`,
      `{${accessPoints},${ids},${ids}}`,
      `{"__proto__":{${ids}},${accessPoints}}`,
      `{"over":{${ids}},${accessPoints}}`,
    ])
      expect(await look(own, body)).toMatchObject({
        status: 404,
        json: { code: 'location_not_found', accessPoints: { received: 2, usable: 2 } },
      })
    expect(await look(own, `{${ids},${accessPoints}}`, 'ground-fix')).toMatchObject({ status: 404 })
    expect(await look(other, `{"organization_id":"${own.id}",${accessPoints}}`)).toMatchObject({
      status: 200,
    })
  })

  it('with a number that none is is refused with its place, because it would become null', async () => {
    const cells = '"lte":[{"mcc":1e999,"mnc":1,"tac":2,"eci":3}]'
    const odd = '"signalStrength":-1e999,"age":1e999,"frequency":1e999'
    const accessPoints = scanned.map(({ macAddress }) => `{"macAddress":"${macAddress}",${odd}}`)
    const scan = `"accessPoints":[${accessPoints.join(',')}]`
    for (const [body, path, pointer] of [
      [`{${scan}}`, 'wifi', '/accessPoints/0/signalStrength'],
      [`{${cells}}`, 'cell', '/lte/0/mcc'],
      [`{${cells},${scan}}`, 'ground-fix', '/lte/0/mcc'],
    ] as const)
      expect(await look(other, body, path)).toMatchObject({
        status: 400,
        json: { code: 'invalid_input', errors: [{ pointer }] },
      })
  })

  it('beside others in one message, each receives only its own errors', async () => {
    const right = JSON.stringify({ accessPoints: scanned })
    const bodies = [
      right,
      '{',
      '[]',
      `${right}${right}`,
      '{"accessPoints":5}',
      right,
      '',
      '\n{"calls":[]}',
      right,
    ]
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => bodies)
        .flat()
        .map((body) => look(other, body)),
    )
    expect(replies.map(({ status }) => status)).toEqual(
      Array.from({ length: 4 }, () => [200, 400, 400, 400, 400, 200, 400, 400, 200]).flat(),
    )
    expect(replies.slice(1, 4).map(({ json }) => json?.code)).toEqual([
      'malformed_json',
      'invalid_input',
      'malformed_json',
    ])
  })
})
