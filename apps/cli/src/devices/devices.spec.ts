import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallOutput } from '@bearing/client/call-types'
import { readCell } from '@bearing/contracts/management/devices/device-csv'
import { writeCell } from '@bearing/contracts/text/write-cell'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

type Device = CallOutput<'showDevice'>

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
})
afterEach(() => rm(folder, { recursive: true }))

const device = (n: number, more: Partial<Device> = {}): Device => ({
  ...{ id: id(n), device_serial: `D-${String(n)}`, hardware_version: null, software_type: null },
  ...{ software_version: null, first_seen_at: null, last_seen_at: null, chunk_count: 0, chunk_bytes: 0 },
  ...{ registered_at: CREATED_AT, sampling: {}, nickname: null },
  ...more,
})

const paged = (data: Device[], next: string | null = null): CallOutput<'listDevices'> => ({
  data,
  paging: { page: 1, per_page: 100, page_count: 1, item_count: data.length, total_count: data.length },
  next,
})

const listAttributes = (): CallOutput<'listAttributes'> => ({
  data: [
    { name: 'customer', type: 'string', created_at: CREATED_AT },
    { name: 'weight', type: 'number', created_at: CREATED_AT },
  ],
  paging: { page: 1, per_page: 100, page_count: 1, item_count: 2, total_count: 2 },
})

describe('bearing devices list', () => {
  it('sends filters and the order, and reads all pages by cursor', async () => {
    const inputs: unknown[] = []
    const { code, stdout } = await runAgainst(
      {
        listDevices: (input) => {
          inputs.push(input)
          return input.cursor === undefined
            ? paged([device(1)], 'more')
            : paged([device(2, { nickname: 'Crane' })])
        },
      },
      ['devices', 'list', '--silent-for', '7d', '--software-version', 'v1.2', '--sort=-last_seen'],
    )
    expect([code, inputs.length]).toEqual([0, 2])
    expect(inputs[1]).toMatchObject({
      silent_for: '7d',
      software_version: 'v1.2',
      sort: '-last_seen',
      cursor: 'more',
    })
    expect(stdout).toContain('D-1')
    expect(stdout).toContain('Crane')
  })

  it('reads an attribute filter, and refuses one without a value', async () => {
    let sent: unknown
    const answers: Answers = {
      listDevices: (input) => {
        sent = input
        return paged([])
      },
    }
    await runAgainst(answers, ['devices', 'list', '--attribute', 'built>2026-01-31'])
    expect(sent).toMatchObject({ attribute: 'built', attribute_above: '2026-01-31' })
    expect(await runAgainst(answers, ['devices', 'list', '--attribute', 'weight'])).toMatchObject({ code: 2 })
  })
})

describe('bearing devices import', () => {
  /** Imports a file, and returns what the gateway received. */
  async function importing(text: string, ...flags: string[]) {
    const sent: { dry_run: boolean; devices: unknown[] }[] = []
    const path = join(folder, 'devices.csv')
    await writeFile(path, text)
    const ran = await runAgainst(
      {
        listAttributes: () => {
          const { data, paging } = listAttributes()
          return { data: [...data, { name: 'tags', type: 'string', created_at: CREATED_AT }], paging }
        },
        importDevices: (input) => {
          sent.push(input)
          const data = input.devices.map(({ device_serial }) =>
            device_serial === 'BAD'
              ? { device_serial, outcome: 'failed' as const, changes: [], error: 'is bad' }
              : { device_serial, outcome: 'created' as const, changes: ['nickname'] },
          )
          return { data }
        },
      },
      ['--json', 'devices', 'import', path, ...flags],
    )
    return { ...ran, sent, report: (ran.stdout === '' ? undefined : JSON.parse(ran.stdout)) as unknown }
  }

  it('reads the list of nRF Cloud, which has no header and certificates of several lines', async () => {
    const { code, sent } = await importing(
      [
        'nrf-351358811124484,gateway,a|b,MODEM|APP,"-----BEGIN CERTIFICATE-----',
        'MIIB',
        '-----END CERTIFICATE-----"',
        'nrf-351358811124485,,,,',
      ].join('\n'),
      '--format',
      'nrf-cloud',
    )
    expect(code).toBe(0)
    expect(sent).toEqual([
      expect.objectContaining({
        devices: [
          { device_serial: 'nrf-351358811124484', attributes: { tags: 'a|b' } },
          { device_serial: 'nrf-351358811124485' },
        ],
      }),
    ])
  })

  it('sends the rows with values of the declared types, and names the lines that fail', async () => {
    const { code, sent, report } = await importing(
      [
        '\ufeffdevice_serial,nickname,attribute:customer,attribute:weight,last_seen_at',
        'D-1,"Crane, 7",\'=acme,12.5,2026-01-01T00:00:00Z',
        'D-2,,,,',
        '',
        'not a serial,,,,',
        'D-3,,,heavy,',
        'D-4,,',
        'D-5,"open,,,',
        // Begins within what the open quote may quote.
        'D-6,,,,\r',
      ].join('\n'),
    )
    expect(code).toBe(1)
    expect(sent).toEqual([
      expect.objectContaining({
        dry_run: false,
        devices: [
          { device_serial: 'D-1', nickname: 'Crane, 7', attributes: { customer: '=acme', weight: 12.5 } },
          { device_serial: 'D-2' },
        ],
      }),
    ])
    expect(report).toMatchObject({ dry_run: false, created: 2, failed: 5 })
    const { lines } = report as { lines: { line: number; outcome: string }[] }
    expect(lines.map(({ line, outcome }) => `${String(line)} ${outcome}`)).toEqual([
      '2 created',
      '3 created',
      '5 failed',
      '6 failed',
      '7 failed',
      '8 failed',
      '9 failed',
    ])
  })

  it('says that a dry run is one, and removes empty values only if asked', async () => {
    const text = 'device_serial,nickname,attribute:customer\nD-1,,'
    const { code, sent } = await importing(text, '--dry-run', '--clear')
    expect(code).toBe(0)
    expect(sent).toEqual([
      expect.objectContaining({
        dry_run: true,
        devices: [{ device_serial: 'D-1', nickname: null, attributes: { customer: null } }],
      }),
    ])
  })

  it('sends batches, and a device that is in several lines in their order', async () => {
    const rows = Array.from({ length: 600 }, (_, n) => `D-${String(n)},x`)
    const { sent } = await importing(['device_serial,nickname', ...rows, 'D-599,y'].join('\n'))
    expect(sent.map(({ devices }) => devices.length)).toEqual([250, 250, 100, 1])
  })

  it.each([
    ['no header', ''],
    ['no serial numbers', 'nickname\nx'],
    ['an unknown column', 'device_serial,color\nD-1,red'],
    ['an attribute that is not declared', 'device_serial,attribute:color\nD-1,red'],
    ['a column twice', 'device_serial,nickname,nickname\nD-1,a,b'],
  ])('refuses a file with %s before it sends anything', async (_, text) => {
    const { code, sent } = await importing(text)
    expect([code, sent]).toEqual([2, []])
  })
})

describe('bearing devices export', () => {
  it('writes text that a spreadsheet would run as a formula with an apostrophe, which the import removes', async () => {
    const { code, stdout } = await runAgainst(
      {
        listAttributes,
        listDevices: () =>
          paged([device(1, { nickname: '=1+1', attributes: { customer: '@a,"b"', weight: -1 } })]),
      },
      ['devices', 'export'],
    )
    expect(code).toBe(0)
    expect(stdout.split('\n')[1]).toBe(`D-1,'=1+1,"'@a,""b""",-1,,,,,,${CREATED_AT}`)
    for (const text of ['=1+1', '+1', '-1', '@a', "'quoted", "'=", 'plain', '1'])
      expect(readCell(writeCell(text, true))).toBe(text)
  })
})

describe('bearing devices delete', () => {
  const preview: Answers = {
    previewDeviceDeletion: () => ({ count: 2, devices: [device(1)], token: 'the-token' }),
  }

  it('shows what a filter matches, and deletes nothing', async () => {
    const ran = await runAgainst(preview, ['devices', 'delete', '--silent-for', '365d', '--dry-run'])
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Would delete 2 devices') })
    expect(ran.requests).toHaveLength(1)
  })

  it('sends the token of the preview, and waits for the end', async () => {
    const deletion = { id: id(9), total: 2, deleted: 0, created_at: CREATED_AT, finished_at: null }
    let token: string | undefined
    const ran = await runAgainst(
      {
        ...preview,
        deleteDevices: (input) => {
          token = input.token
          return { ...deletion, state: 'running' }
        },
        showDeviceDeletion: () => ({ ...deletion, deleted: 2, state: 'done', finished_at: CREATED_AT }),
      },
      ['--json', 'devices', 'delete', '--silent-for', '365d', '--yes'],
    )
    expect([ran.code, token]).toEqual([0, 'the-token'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: 'done', deleted: 2 })
  })

  it.each([
    [['devices', 'delete']],
    [['devices', 'delete', '--yes']],
    [['devices', 'delete', '--silent-for', '1d']],
    [['devices', 'delete', '--silent-for', '1d', '--yes', '--dry-run']],
    [['devices', 'delete', 'D-1']],
    [['devices', 'delete', 'D-1', '--confirm', 'D-2']],
    [['devices', 'delete', 'D-1', '--confirm', 'D-1', '--silent-for', '1d']],
  ])('deletes nothing with %j', async (args) => {
    const ran = await runAgainst({}, args)
    expect([ran.code, ran.requests]).toEqual([2, []])
  })
})
