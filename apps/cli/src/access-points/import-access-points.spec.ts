import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { unpackRows } from '@bearing/contracts/location/packed-rows'
import { OperationError } from '@bearing/contracts/errors'
import { CREATED_AT, id, playGateway, type Plays } from '../specs/play-gateway.js'
import { MAIN, runCli, type Ran } from '../specs/run-cli.js'
import { BATCH_ROWS } from './cut-batches.js'
import type { Import } from './import-target.js'

/** The location service, as far as imports go. */
class PlayImports {
  state: Import = {
    ...{ id: id(20), content: 'observations', state: 'open', created_at: CREATED_AT, batches: 0, rows: 0 },
    ...{ next_batch: 0, next_row: 0 },
    ...{ added: null, updated: null, failure: null },
  }
  digest: string | undefined
  readonly batches = new Map<number, unknown[][]>()
  readonly plays: Plays = {
    beginImport: ({ content, digest }) => {
      this.digest = digest
      this.state = { ...this.state, content }
      return this.state
    },
    appendToImport: ({ batch, packed = '' }) => {
      const rows: unknown[][] = []
      unpackRows(Buffer.from(packed, 'base64'), (bssid, lat, lon, dbm) =>
        rows.push([bssid, lat, lon, dbm ?? null]),
      )
      this.batches.set(batch, rows)
      return { rows: rows.length }
    },
    commitImport: ({ batches, rows }) => {
      if (batches !== this.batches.size || rows !== this.rows.length)
        throw new OperationError('import_conflict', 'What was stored is not what was sent.')
      this.state = { ...this.state, state: 'committing' }
      return this.state
    },
    showImport: () => {
      const shown = this.state
      this.state = { ...shown, state: 'committed', added: this.rows.length, updated: 0 }
      return shown
    },
  }

  get rows(): unknown[][] {
    return [...this.batches].sort(([a], [b]) => a - b).flatMap(([, rows]) => rows)
  }
}

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
let imports: PlayImports

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
  imports = new PlayImports()
})

afterEach(() => rm(folder, { recursive: true }))

async function file(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function importing(
  args: string[],
  stdin: string | Buffer = '',
  plays = imports.plays,
): Promise<Ran & { requests: string[] }> {
  await using gateway = await playGateway(plays)
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
    expect(stdout).toMatch(/Bad or missing coordinates +1\n/)
  })

  it('of a gzipped file knows it by its first bytes, and its digest is that of the file', async () => {
    const bytes = gzipSync(WIGLE)
    expect((await importing([await file('survey.txt', bytes)])).code).toBe(0)
    expect(imports.rows).toHaveLength(2)
    expect(imports.digest).toBe(createHash('sha256').update(bytes).digest('hex'))
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
    const busy: Plays['appendToImport'] = (input, headers) => {
      if (attempts++ % 3 === 1) throw new OperationError('overloaded', 'Busy.', { retry_after: 0 })
      return imports.plays.appendToImport?.(input, headers) ?? { rows: 0 }
    }
    const { code } = await importing([await file('aps.csv', `bssid,lat,lon\n${rows.join('\n')}`)], '', {
      ...imports.plays,
      appendToImport: busy,
    })
    expect(code).toBe(0)
    expect([...imports.batches.keys()].sort()).toEqual([0, 1, 2, 3, 4])
    expect(imports.rows.map(([mac]) => mac)).toEqual(rows.map((row) => parseInt(row.slice(0, 12), 16)))
  })

  it('that was done before is not done again', async () => {
    imports.state = { ...imports.state, state: 'committed', added: 7, updated: 0 }
    const { code, stderr, requests } = await importing([await file('survey.csv', WIGLE)])
    expect(code).toBe(0)
    expect(stderr).toContain('already imported, nothing to do')
    expect(requests).toHaveLength(1)
  })

  it('that is being committed is waited for', async () => {
    imports.state = { ...imports.state, state: 'committing' }
    const { code, requests } = await importing([await file('survey.csv', WIGLE)])
    expect(code).toBe(0)
    expect(requests.map((request) => request.split(' ')[0])).toEqual(['POST', 'GET', 'GET'])
  })

  it('that was interrupted goes on behind the batches that have arrived', async () => {
    const rows = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `${(MAC + index * 2 ** 8).toString(16).padStart(12, '0')},1.5,2`,
      )
    const many = await file('aps.csv', `bssid,lat,lon\n${rows(2 * BATCH_ROWS + 1).join('\n')}`)
    const commitImport: Plays['commitImport'] = ({ batches, rows: sent }) => {
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
    const { code, stderr } = await importing([many], '', { ...imports.plays, commitImport })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('an earlier run was interrupted')
    expect([...imports.batches.keys()].sort()).toEqual([1, 2])
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

  it('of a file that is said to be something else is another import, or none', async () => {
    const path = await file('aps.csv', 'mac,lat,lon\n001a2b3c4d5e,1,2\n')
    expect((await importing([path, '--format', 'mls'])).code).toBe(0)
    const asTold = imports.digest
    expect((await importing([path])).code).toBe(0)
    expect(imports.digest).not.toBe(asTold)
    const { code, stderr } = await importing([path, '--format', 'wigle'])
    expect(code).toBe(2)
    expect(stderr).toContain('no file of the format wigle')
  })

  it('whose commit was answered by a broken connection is found committed', async () => {
    const commitImport: Plays['commitImport'] = (input, headers) => {
      if (imports.state.state !== 'open')
        throw new OperationError('import_conflict', 'It is committing already.')
      void imports.plays.commitImport?.(input, headers)
      throw new OperationError('deadline_exceeded', 'Too late.', { retry_after: 0 })
    }
    const { code } = await importing([await file('survey.csv', WIGLE)], '', {
      ...imports.plays,
      commitImport,
    })
    expect(code).toBe(0)
  })

  it('that fails on the server is exit code 1, with the reason', async () => {
    const showImport = () => ({ ...imports.state, state: 'failed' as const, failure: 'The disk is full.' })
    const { code, stderr } = await importing([await file('survey.csv', WIGLE)], '', {
      ...imports.plays,
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
    ['an old WiGLE version', 'WigleWifi-1.2,x\nMAC,SSID\n', 'WigleWifi-1.4'],
    ['an empty file', '', 'is empty'],
    ['no usable row', 'bssid,lat,lon\nx,1,2\n', '1 (unusable_mac)'],
    ['only a header', 'bssid,lat,lon', 'nothing after its header'],
    ['a damaged gzip file', gzipSync(WIGLE).subarray(0, 60), 'damaged'],
  ])('of %s', async (_, content, said) => {
    const { code, stderr, requests } = await importing([await file('x.csv', content)])
    expect({ code, requests }).toEqual({ code: 2, requests: [] })
    expect(stderr).toContain(said)
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
