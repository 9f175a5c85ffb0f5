import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { OperationError } from '@bearing/contracts/errors'
import { BATCH_ROWS } from '@bearing/files/access-points/cut-batches'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { zip } from '../../testing/archives.js'
import { fakeGateway, type Answers } from '../../testing/fake-gateway.js'
import { FakeImports } from '../../testing/fake-imports.js'
import { MAIN, runCli, type Ran } from '../../testing/run-cli.js'

const WIGLE = `WigleWifi-1.4,appRelease=2.0
MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type
00:1a:2b:3c:4d:5e,"Cafe, ""Mitte""",[ESS],2024-01-01 10:00:00,6,-67,48.1,11.5,520,4,WIFI
00:1a:2b:3c:4d:60,Home_nomap,[ESS],2024-01-01 10:00:00,6,-67,48.1,11.5,520,4,WIFI
00:1a:2b:3c:4d:61,x,[LE],2024-01-01 10:00:00,6,-67,48.1,11.5,520,4,BLE
ff:ff:ff:ff:ff:ff,x,[ESS],2024-01-01 10:00:00,6,-67,48.1,11.5,520,4,WIFI
00:1a:2b:3c:4d:62,x,[ESS],2024-01-01 10:00:00,6,-67,Infinity,11.5,520,4,WIFI
00:1a:2b:3c:4d:63,x,[ESS],2024-01-01 10:00:00,6,-67,48.1,11.5,520,900,WIFI
broken
00:1a:2b:3c:4d:64,,[ESS],2024-01-01 10:00:00,6,0,48.2,11.6,520,4,WIFI
`
const MAC = 0x001a2b3c4d5e

let folder: string
let imports: FakeImports

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
  imports = new FakeImports()
})

afterEach(() => rm(folder, { recursive: true }))

async function file(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function importing(
  args: string[],
  stdin: string | Buffer = '',
  answers = imports.answers,
): Promise<Ran & { requests: string[] }> {
  await using gateway = await fakeGateway(answers)
  const environment = {
    BEARING_URL: gateway.url,
    BEARING_ORG_TOKEN: 'T',
    BEARING_ORG: 'acme',
    TMPDIR: folder,
  }
  const ran = await runCli(['access-points', 'import', ...args], { environment, stdin })
  return { ...ran, requests: gateway.requests }
}

/** Asks again until there is an answer. */
async function until<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('an import', () => {
  it('of a WiGLE file sends what can be used and counts what cannot', async () => {
    const { code, stdout } = await importing([await file('survey.csv', WIGLE), '--json'])
    expect(code).toBe(0)
    expect(imports.rows).toEqual([
      [MAC, 48.1, 11.5, -67],
      [MAC + 6, 48.2, 11.6, null],
    ])
    expect(imports.digest).toBe(createHash('sha256').update(WIGLE).digest('hex'))
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{
          content: 'observations',
          state: 'committed',
          already_imported: false,
          rows_read: 8,
          rows_sent: 2,
          added: 2,
        },
        skipped: {
          malformed: 1,
          not_wifi: 1,
          unusable_mac: 1,
          opted_out: 1,
          bad_coordinates: 1,
          inaccurate: 1,
        },
        first_lines: {
          malformed: 9,
          not_wifi: 5,
          unusable_mac: 6,
          opted_out: 4,
          bad_coordinates: 7,
          inaccurate: 8,
        },
      },
    ])
  })

  it('of a list of positions says so, and prints a summary for people', async () => {
    const { code, stdout } = await importing([
      await file('aps.csv', 'BSSID,Lat,Lon,note\n00:1a:2b:3c:4d:5e,1,2,\n001a2b3c4d60,0,0,x\n'),
    ])
    expect(code).toBe(0)
    expect(imports.state.content).toBe('positions')
    expect(imports.rows).toEqual([[MAC, 1, 2, null]])
    expect(stdout).toMatch(/aps\.csv +committed +2 +1 +1 +0\n/)
    expect(stdout).toMatch(/Bad or missing coordinates +1 +line 3\n/)
  })

  it('of a gzipped file knows it by its first bytes, and is that of the file that was packed', async () => {
    expect((await importing([await file('survey.txt', gzipSync(WIGLE))])).code).toBe(0)
    expect(imports.rows).toHaveLength(2)
    expect(imports.digest).toBe(createHash('sha256').update(WIGLE).digest('hex'))
  })

  it('of reports on one line that is longer than any row has all of them', async () => {
    const items = Array.from({ length: 8_500 }, (_, index) => ({
      timestamp: 1.7e12 + index,
      position: { latitude: 48.1, longitude: index / 1e3, accuracy: 5 },
      wifiAccessPoints: Array.from({ length: 8 }, (_ap, number) => ({
        macAddress: (MAC + (8 * index + number) * 2 ** 8).toString(16).padStart(12, '0'),
        signalStrength: -60,
      })),
    }))
    const text = `${JSON.stringify({ items })}\n`
    expect(text.length).toBeGreaterThan(4 * 1_048_576)
    const { code, stdout } = await importing([await file('one-line.json', text), '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ rows_read: 68_000, rows_sent: 68_000 }])
    expect(
      imports.rows.every(([mac, , lon], row) => mac === MAC + row * 2 ** 8 && lon === (row >> 3) / 1e3),
    ).toBe(true)
  })

  it('of standard input leaves nothing behind', async () => {
    expect((await importing(['-'], gzipSync(WIGLE))).code).toBe(0)
    expect(imports.rows).toHaveLength(2)
    expect(await readdir(folder)).toEqual([])
  })

  it('of standard input that is interrupted leaves nothing behind either, and nobody else could read it', async () => {
    const env = { BEARING_ORG_TOKEN: 'T', BEARING_ORG: 'acme', TMPDIR: folder }
    const child = spawn(process.execPath, [MAIN, 'access-points', 'import', '-'], { env })
    child.stdin.write(WIGLE)
    const spooled = await until(
      async () => (await readdir(folder)).map((name) => join(folder, name, 'stdin'))[0],
    )
    const { mode } = await until(() => stat(spooled).catch(() => undefined))
    expect(mode & 0o777).toBe(0o600)
    child.kill('SIGINT')
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(130)
    expect(await readdir(folder)).toEqual([])
  })

  it('of many rows arrives whole, although batches fail on the way', async () => {
    const rows = Array.from(
      { length: 4 * BATCH_ROWS + 3 },
      (_, index) => `${(MAC + index * 2 ** 8).toString(16).padStart(12, '0')},1.5,${String(index / 1e4)}`,
    )
    let attempts = 0
    const busy: Answers['appendToImport'] = (input, headers) => {
      if (attempts++ % 3 === 1) throw new OperationError('overloaded', 'Busy.', { retry_after: 0 })
      return imports.answers.appendToImport?.(input, headers) ?? { rows: 0 }
    }
    const { code } = await importing([await file('aps.csv', `bssid,lat,lon\n${rows.join('\n')}`)], '', {
      ...imports.answers,
      appendToImport: busy,
    })
    expect(code).toBe(0)
    expect([...imports.batches.keys()].sort()).toEqual([0, 1, 2, 3, 4])
    expect(imports.rows.map(([mac]) => mac)).toEqual(rows.map((row) => parseInt(row.slice(0, 12), 16)))
  })

  it('that was done before is not done again', async () => {
    imports.state = { ...imports.state, state: 'committed', added: 7, updated: 0 }
    const { code, stdout, stderr, requests } = await importing([await file('survey.csv', WIGLE)])
    expect(code).toBe(0)
    expect(stderr).toContain('already imported')
    expect(stdout).toMatch(/committed before +– +– +7 +0\n/)
    expect(requests).toHaveLength(1)
    const { stdout: json } = await importing([await file('survey.csv', WIGLE), '--json'])
    expect(JSON.parse(json)).toMatchObject([
      { already_imported: true, rows_read: null, skipped: null, added: 7 },
    ])
  })

  it('that is being committed is waited for', async () => {
    imports.state = { ...imports.state, state: 'committing' }
    const { code, requests } = await importing([await file('survey.csv', WIGLE)])
    expect(code).toBe(0)
    expect(requests.map((request) => request.split(' ')[0])).toEqual(['POST', 'GET', 'GET'])
  })

  it('that was interrupted resumes behind the batches that were received', async () => {
    const rows = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `${(MAC + index * 2 ** 8).toString(16).padStart(12, '0')},1.5,2`,
      )
    const many = await file('aps.csv', `bssid,lat,lon\n${rows(2 * BATCH_ROWS + 1).join('\n')}`)
    const commitImport: Answers['commitImport'] = ({ batches, rows: sent }) => {
      expect({ batches, sent }).toEqual({ batches: 3, sent: 2 * BATCH_ROWS + 1 })
      imports.state = { ...imports.state, state: 'committing' }
      return imports.state
    }
    imports.state = {
      ...imports.state,
      batches: 2,
      rows: BATCH_ROWS + 5,
      next_batch: 1,
      next_row: BATCH_ROWS,
    }
    const { code, stderr } = await importing([many], '', { ...imports.answers, commitImport })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('an earlier run was interrupted')
    expect([...imports.batches.keys()].sort()).toEqual([1, 2])
  })

  it('that was interrupted when all had arrived sends nothing again', async () => {
    imports.state = { ...imports.state, batches: 1, rows: 2, next_batch: 1, next_row: 2 }
    const commitImport: Answers['commitImport'] = ({ batches, rows }) => {
      expect({ batches, rows }).toEqual({ batches: 1, rows: 2 })
      imports.state = { ...imports.state, state: 'committing' }
      return imports.state
    }
    const { code, stdout, requests } = await importing([await file('survey.csv', WIGLE), '--json'], '', {
      ...imports.answers,
      commitImport,
    })
    expect({ code, sent: requests.filter((request) => request.startsWith('PUT')) }).toEqual({
      code: 0,
      sent: [],
    })
    expect(JSON.parse(stdout)).toMatchObject([{ rows_read: 8, rows_sent: 2, skipped: { malformed: 1 } }])
  })

  it('that another run commits meanwhile is waited for', async () => {
    const appendToImport: Answers['appendToImport'] = () => {
      imports.state = { ...imports.state, state: 'committing' }
      throw new OperationError('import_conflict', 'It takes no more rows.')
    }
    const { code, stderr, stdout } = await importing([await file('survey.csv', WIGLE)], '', {
      ...imports.answers,
      appendToImport,
    })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('is being imported already, waiting')
    expect(stdout).toMatch(/committed before/)
  })

  it('is begun again where the service is busy', async () => {
    let attempts = 0
    const beginImport: Answers['beginImport'] = () => {
      if (attempts++ === 0) throw new OperationError('overloaded', 'Busy.', { retry_after: 0 })
      return imports.state
    }
    const { code } = await importing([await file('survey.csv', WIGLE)], '', {
      ...imports.answers,
      beginImport,
    })
    expect(code).toBe(0)
  })

  it('of several files continues after an unusable one, and reports each', async () => {
    const paths = [
      await file('none.csv', 'bssid,lat,lon\n'),
      await file('survey.csv', WIGLE),
      await file('x.csv', 'name;mac\n'),
    ]
    const { code, stdout, stderr } = await importing([...paths, '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject([
      {
        file: paths[0],
        state: 'unusable',
        rows_read: null,
        failure: `${paths[0] ?? ''} has no row that can be imported.`,
      },
      { file: paths[1], state: 'committed', rows_sent: 2, failure: null },
      { file: paths[2], state: 'unusable', content: null },
    ])
    expect(stderr).toContain('contains only a header')
    const gone = {
      beginImport: () => {
        throw new OperationError('permission_denied', 'No more.')
      },
    }
    const tried = await importing([...paths.slice(0, 2), '--json'], '', gone)
    expect(tried.code).toBe(1)
    expect(JSON.parse(tried.stdout)).toMatchObject([{ state: 'unusable' }])
  })

  it('that was interrupted, and whose batches were cut in another way, starts again', async () => {
    imports.state = { ...imports.state, batches: 1, rows: 5_000, next_batch: 1, next_row: 5_000 }
    expect((await importing([await file('survey.csv', WIGLE)])).code).toBe(0)
    expect([...imports.batches.keys()]).toEqual([0])
  })

  it('that is tried reads everything, counts what would be skipped, and talks to nobody', async () => {
    const { code, stdout, requests } = await importing([
      await file('survey.csv', WIGLE),
      '--dry-run',
      '--json',
    ])
    expect({ code, requests }).toEqual({ code: 0, requests: [] })
    expect(JSON.parse(stdout)).toMatchObject([
      {
        state: 'dry_run',
        import_id: null,
        rows_read: 8,
        rows_sent: 2,
        skipped: { malformed: 1, opted_out: 1 },
      },
    ])
  })

  it('of a file that is said to be what it is, is the same; as something else it is another, or none', async () => {
    const path = await file(
      'aps.csv',
      'mac,lat,lon,macAddress,latitude,longitude\n001a2b3c4d5e,1,2,001a2b3c4d5e,1,2\n',
    )
    const digestOf = async (...args: string[]) => {
      expect((await importing([path, ...args])).code).toBe(0)
      return imports.digest
    }
    const found = await digestOf()
    expect(await digestOf('--format', 'neostumbler')).toBe(found)
    const asGiven = await digestOf('--format', 'csv')
    expect(asGiven).not.toBe(found)
    expect(await digestOf('--format', 'mls')).not.toBe(found)
    const { code, stderr } = await importing([path, '--format', 'wigle'])
    expect(code).toBe(2)
    expect(stderr).toContain('not a file of the format wigle')
  })

  it('whose commit was answered by a broken connection is found committed', async () => {
    const commitImport: Answers['commitImport'] = (input, headers) => {
      if (imports.state.state !== 'open')
        throw new OperationError('import_conflict', 'It is committing already.')
      void imports.answers.commitImport?.(input, headers)
      throw new OperationError('deadline_exceeded', 'Too late.', { retry_after: 0 })
    }
    const { code } = await importing([await file('survey.csv', WIGLE)], '', {
      ...imports.answers,
      commitImport,
    })
    expect(code).toBe(0)
  })

  it('that fails on the server is exit code 1, with the reason', async () => {
    const showImport = () => ({ ...imports.state, state: 'failed' as const, failure: 'The disk is full.' })
    const { code, stderr } = await importing([await file('survey.csv', WIGLE)], '', {
      ...imports.answers,
      showImport,
    })
    expect(code).toBe(1)
    expect(stderr).toContain('The disk is full.')
  })
})

describe('nothing is sent', () => {
  it.each([
    ['an unknown format', 'name;mac\nx;y\n', 'bssid or mac, lat and lon'],
    ['UTF-16', Buffer.from('\ufeffbssid,lat,lon\n', 'utf16le'), 'iconv'],
    ['WiGLE without its columns', 'WigleWifi-1.2,x\nMAC,SSID\n', 'CurrentLatitude'],
    ['an empty file', '', 'is empty'],
    ['no usable row', 'bssid,lat,lon\nx,1,2\n', '1 (unusable_mac, first in line '],
    ['only a header', 'bssid,lat,lon', 'contains only a header'],
    ['a damaged gzip file', gzipSync(WIGLE).subarray(0, 60), 'damaged'],
    [
      'a zip archive',
      zip({ 'wifis.csv': Buffer.from('macAddress,latitude,longitude\n001a2b3c4d5e,1,2\n') }),
      'Extract it',
    ],
    [
      'beacons',
      'macAddress,latitude,longitude,bluetoothScanAge\n001a2b3c4d5e,1,2,3\n',
      '1 (not_wifi, first in line ',
    ],
  ])('of %s', async (_, content, said) => {
    const { code, stderr, requests } = await importing([await file('x.csv', content)])
    expect({ code, requests }).toEqual({ code: 2, requests: [] })
    expect(stderr).toContain(said)
  })

  it.each([
    ['ends early', '{"type":"FeatureCollection","features":[FEATURE,{"type":"Feat', 'its JSON ends early'],
    ['ends behind a feature', '{"type":"FeatureCollection","features":[FEATURE', 'its JSON ends early'],
    [
      'has a bracket too many',
      '{"type":"FeatureCollection","features":[FEATURE},FEATURE]}',
      'its JSON is not valid',
    ],
  ])('visible of GeoJSON that %s', async (_, content, said) => {
    const feature =
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"bssid":"001a2b3c4d5e"}}'
    const path = await file('x.geojson', content.replaceAll('FEATURE', feature))
    for (const args of [[path], [path, '--dry-run']]) {
      const { code, stderr, requests } = await importing(args)
      expect(code).toBe(2)
      expect(requests.filter((request) => request.endsWith('/commit'))).toEqual([])
      expect(stderr).toContain(said)
    }
  })

  it('of any file where one of them cannot be read', async () => {
    const { code, stderr, requests } = await importing([
      await file('survey.csv', WIGLE),
      join(folder, 'nowhere.csv'),
    ])
    expect({ code, requests }).toEqual({ code: 2, requests: [] })
    expect(stderr).toContain('nowhere.csv cannot be read (ENOENT)')
  })
})
