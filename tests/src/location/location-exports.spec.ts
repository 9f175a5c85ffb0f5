import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { bearing } from '../tools/bearing.js'
import { send } from '../tools/http.js'

const own = forSuite(() => newOrganization())
const folder = folderForSuite()

const LEARNED = '02:b0:00:00:01:00'
const IMPORTED = '02:b0:00:00:02:00'

const exported = async (...args: string[]) =>
  (await bearing(own, ['access-points', 'export', ...args])).stdout.trimEnd().split('\n').slice(1)

it('what an organization owns is exported: imported, learned, and what it was learned from, to be read in again', async () => {
  const file = (name: string) => join(folder, name)
  const scans = [0, 1].map((index) => ({
    timestamp: Date.now() - 60_000 * (2 - index),
    position: { latitude: 48 + index * 1e-5, longitude: 11, accuracy: 5 },
    wifiAccessPoints: [
      { macAddress: LEARNED, signalStrength: -50 - index, ssid: 'a name' },
      { macAddress: '02:b0:00:00:03:00', signalStrength: -60, ssid: 'x_nomap' },
    ],
  }))
  await writeFile(file('scans.jsonl'), scans.map((scan) => JSON.stringify(scan)).join('\n'))
  await writeFile(file('places.csv'), `bssid,lat,lon\n${IMPORTED},48,11\n`)
  expect(await bearing(own, ['observations', 'submit', file('scans.jsonl')])).toMatchObject({ code: 0 })
  expect(await bearing(own, ['access-points', 'import', file('places.csv')])).toMatchObject({ code: 0 })
  const both = [
    expect.stringMatching(`^${LEARNED},48\\.00000\\d\\d,1[01]\\.\\d{7},\\d.\\d\\d,2,false,true,`),
    expect.stringMatching(`^${IMPORTED},48\\.0000000,11\\.0000000,0.00,1,true,false,`),
  ]
  await eventually(async () => expect(await exported()).toEqual(both), { withinMs: 60_000 })
  expect(await exported('--only', 'learned')).toEqual(both.slice(0, 1))
  expect(await exported('--only', 'imported')).toEqual(both.slice(1))

  const path = `/v1/organizations/${own.slug}/location/access_points/export?only=learned`
  const [gateway = ''] = testStack().gatewayUrls
  expect(await send(gateway, 'GET', path, { credential: own.token.credential })).toMatchObject({
    status: 200,
    json: { macAddress: LEARNED, learned: true },
  })
  const wrong = await send(gateway, 'GET', path.replace('=learned', '=shared'), {
    credential: own.token.credential,
  })
  expect(wrong).toMatchObject({ status: 400, json: { errors: [{ pointer: '/only' }] } })

  const lines = file('export.jsonl')
  expect(await bearing(own, ['observations', 'export', '--output', lines])).toMatchObject({ code: 0 })
  const observations = (await readFile(lines, 'utf8')).trimEnd().split('\n')
  expect(observations).toHaveLength(2)
  expect(observations.join()).not.toContain('name')
  expect(await bearing(own, ['observations', 'submit', lines])).toMatchObject({ code: 0 })
  const json = ['--dry-run', '--json']
  const tried = await bearing(own, ['access-points', 'import', lines, ...json])
  expect(JSON.parse(tried.stdout)).toMatchObject([{ content: 'observations', rows_sent: 2 }])
})

it('radio cells are exported as they are imported, and erased ones are exported no more', async () => {
  const theirs = await newOrganization()
  const header = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal'
  const cells = [
    'LTE,262,1,7001,25600001,,11.5000000,48.1000000,500,50',
    'GSM,262,2,5,6,,10.0000000,47.0000000,900,7',
  ]
  const file = join(folder, 'cells.csv')
  await writeFile(file, [header, ...cells.map((cell) => `${cell},1,1700000000,1700000000,0`)].join('\n'))
  expect(await bearing(own, ['cells', 'import', file])).toMatchObject({ code: 0 })
  const sorted = [...cells]
    .sort()
    .map((cell) => expect.stringMatching(`^${cell.replaceAll('.', '\\.')},0,`) as unknown)
  const copy = join(folder, 'own.csv')
  for (const organization of [own, theirs]) {
    expect(await bearing(organization, ['cells', 'export', '--output', copy, '--force'])).toMatchObject({
      code: 0,
    })
    const lines = (await readFile(copy, 'utf8')).trimEnd().split('\n')
    expect([lines[0], ...lines.slice(1).sort()]).toEqual([header, ...(organization === own ? sorted : [])])
  }
  await bearing(own, ['cells', 'export', '--output', copy, '--force'])
  expect(await bearing(theirs, ['cells', 'import', copy])).toMatchObject({ code: 0 })
  const theirsNow = (await bearing(theirs, ['cells', 'export'])).stdout.trimEnd().split('\n').slice(1)
  expect(theirsNow.sort()).toEqual(sorted)

  const asAdmin = {
    ...{ BEARING_ORG_TOKEN: undefined, BEARING_EMAIL: own.admin.email, BEARING_PASSWORD: own.admin.apiKey },
  }
  const cell = 'lte,262,1,7001,25600001'
  const erase = (...args: string[]) => bearing(own, [...args], asAdmin)
  const erased = await erase('access-points', 'erase', LEARNED.toUpperCase())
  expect(erased).toMatchObject({ code: 0 })
  expect(await erase('access-points', 'erase', '--area', '48,11,50', '--confirm', '48,11,50')).toMatchObject({
    code: 0,
  })
  expect(await erase('cells', 'erase', cell, '--confirm', cell)).toMatchObject({ code: 0 })
  expect(await exported()).toEqual([])
  expect((await bearing(own, ['observations', 'export'])).stdout).toBe('')
  expect(
    (await bearing(own, ['cells', 'export', '--only', 'imported'])).stdout.trimEnd().split('\n'),
  ).toEqual([header, sorted[0]])
  for (const wrong of [['x'], [], ['--area', '48,11'], ['--area', '91,11,5'], [LEARNED, '--area', '48,11,5']])
    expect(await erase('access-points', 'erase', ...wrong)).toMatchObject({ code: 2 })
})
