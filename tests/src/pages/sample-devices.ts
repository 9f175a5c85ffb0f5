import { randomBytes } from 'node:crypto'
import type { StackAddresses } from '@bearing/testing/addresses'
import { eventually } from '@bearing/testing/eventually'
import type { TestOrganization, TestToken } from '@bearing/testing/factories'
import { send } from '../tools/http.js'
import { elfFile } from '../tools/uploading.js'

/** Slugs that the samples have. */
interface Scope {
  readonly organization: string
  readonly project: string
}

const DEVICES = 14
const SENDING = 'TRACKER-0001'
const VERSIONS = ['1.4.2', '1.5.0', '1.5.1-rc.3+northern-warehouses.20261102']
/** Access points on a grid around a place, in degrees. */
const GRID = 12
const STEP = 0.0012
const [LAT, LON] = [49.8728, 8.6512]
/** How long imported access points may take to be known everywhere. */
const KNOWN_MS = 60_000

/** Fills the pages of devices: chunks, files, positions, nicknames and attributes. */
export async function fillWithDevices(
  { token, project }: TestOrganization,
  scope: Scope,
  stack: StackAddresses,
): Promise<void> {
  const gateway = stack.gatewayUrls[0] ?? ''
  const { client } = token
  for (let number = 1; number <= DEVICES; number++)
    await send(gateway, 'POST', `/api/v0/chunks/${serialOf(number)}${queryOf(number)}`, {
      credential: { kind: 'project_key', key: project.key },
      headers: { 'content-type': 'application/octet-stream' },
      body: `chunk ${String(number)} `.repeat(number * 90),
    })
  await client.call('declareAttribute', { ...scope, attribute: 'customer', type: 'string' })
  await client.call('declareAttribute', { ...scope, attribute: 'battery_capacity', type: 'number' })
  await client.call('importDevices', {
    ...scope,
    devices: [
      {
        device_serial: SENDING,
        nickname: 'Forklift 7',
        attributes: { customer: 'Acme', battery_capacity: 5_200 },
      },
      { device_serial: serialOf(2), nickname: 'رافعة شوكية ٢ 🚜 <b>north</b>' },
      {
        device_serial: 'A-serial-number-of-nearly-128-characters_'.repeat(3).slice(0, 120),
        nickname:
          'A nickname that somebody has written as a whole sentence, because there was so much room for it.',
      },
    ],
  })
  for (const index of VERSIONS.keys()) await uploadFiles(client, scope, index)
  await fillWithPositions(client, scope)
}

function serialOf(number: number): string {
  return `TRACKER-${String(number).padStart(4, '0')}`
}

function queryOf(number: number): string {
  const version = VERSIONS[number % VERSIONS.length] ?? ''
  return `?${new URLSearchParams({ software_type: 'main', software_version: version, hardware_version: 'rev-c' }).toString()}`
}

/** A coredump of a version, and symbols for the first of them. */
async function uploadFiles(client: TestToken['client'], scope: Scope, index: number): Promise<void> {
  const software = { software_type: 'main', software_version: VERSIONS[index] ?? '' }
  const device = { device_serial: SENDING, ...software }
  const put = async (kind: 'coredump' | 'symbols', bytes: Buffer) => {
    const of = kind === 'symbols' ? {} : { device }
    const { upload_url, token } = await client.call('prepareUpload', {
      ...scope,
      kind,
      size: bytes.length,
      ...of,
    })
    await fetch(upload_url, { method: 'PUT', body: new Uint8Array(bytes) })
    return token
  }
  const name = index === 2 ? `${'core-of-the-tracker-in-the-northern-warehouse-'.repeat(4)}.bin` : 'core.bin'
  const token = await put('coredump', randomBytes(4_000 * 10 ** index))
  await client.call('commitCoredump', { ...scope, kind: 'coredump', file: { token, name }, device })
  if (index > 0) return
  const file = { token: await put('symbols', elfFile(randomBytes(20))), name: 'asset-tracker.elf' }
  const software_version = { version: software.software_version, software_type: software.software_type }
  await client.call('commitSymbols', { ...scope, kind: 'symbols', file, software_version })
}

/** Access points on a grid, and the last position of each device among them. */
async function fillWithPositions(client: TestToken['client'], scope: Scope): Promise<void> {
  const places = Array.from({ length: GRID * GRID }, (_, index) => {
    const address = `02:00:5e:10:${hex(Math.floor(index / GRID))}:${hex(index % GRID)}`
    const [row, column] = [Math.floor(index / GRID), index % GRID]
    return [address, LAT + row * STEP, LON + column * STEP * 1.5, null] as [string, number, number, null]
  })
  const { organization } = scope
  const { id: import_id } = await client.call('beginImport', {
    ...{ organization, content: 'positions', digest: randomBytes(32).toString('hex') },
  })
  await client.call('appendToImport', { organization, import_id, batch: 0, rows: places })
  await client.call('commitImport', { organization, import_id, batches: 1, rows: places.length })
  await client.call('changePositionPolicy', { ...scope, store_positions: true, retention_days: 30 })
  const locate = (number: number, from: number) =>
    client.call('resolveWifiLocation', {
      ...scope,
      accessPoints: [0, 1, GRID, GRID + 1].map((offset) => ({
        macAddress: places[(from + offset) % places.length]?.[0] ?? '',
        signalStrength: -50 - offset,
      })),
      device_id: serialOf(number),
    })
  await eventually(() => locate(1, 0), { withinMs: KNOWN_MS })
  for (let number = 1; number <= DEVICES; number++) await locate(number, number * 9)
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0')
}
