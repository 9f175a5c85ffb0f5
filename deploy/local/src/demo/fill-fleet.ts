import { createHash } from 'node:crypto'
import type { BearingClient } from '@bearing/client/client'
import { DAY_MS } from '@bearing/contracts/durations'
import { elfFile } from './elf-file.js'
import { DAYS, FLEET, SOFTWARE_TYPE, type DemoDevice } from './fleet.js'
import type { HistoryOptions } from './history.js'
import { writeHistory } from './write-history.js'

/** Destination of the fleet. */
export interface FleetOptions extends Pick<HistoryOptions, 'databaseUrls'> {
  /** Of an admin of the organization. */
  readonly client: BearingClient
  readonly organization: string
  readonly project: string
}

type Scope = Pick<FleetOptions, 'organization' | 'project'>

const EXPIRING = { description: 'CI of the firmware', days: 9 }
/** The first accepts what it is sent, the second has failed since yesterday. */
const WEBHOOKS = [
  { url: 'https://fleet.example.com/bearing', description: 'Backend of the fleet' },
  { url: 'https://hooks.example.com/on-call', description: 'Alerts of the on-call team' },
] as const
/** Versions whose symbols are there: half of the coredumps are of one of them. */
const WITH_SYMBOLS = ['1.5.1', '1.4.2']
const CRASHED = [1, 15, 8, 16, 24, 21]

/**
 * Fills a project with a fleet and 30 days of its data: devices, positions, coredumps, symbols, webhooks and an organization token that
 * ends in nine days. A project that has it already stays as it is, and one that was half filled is completed.
 *
 * @returns whether it was filled now
 */
export async function fillFleet(options: FleetOptions): Promise<boolean> {
  const { client, databaseUrls, organization, project } = options
  const scope = { organization, project }
  if (await isFilled(client, scope)) return false
  await fillDevices(client, scope)
  await client.call('changePositionPolicy', { ...scope, store_positions: true, retention_days: DAYS + 1 })
  await fillTokens(client, organization)
  const files = await fillFiles(client, scope)
  const [working, failing] = await fillWebhooks(client, scope)
  const { id: organizationId } = await client.call('showOrganization', { organization })
  const { id: projectId } = await client.call('showProject', scope)
  await writeHistory({
    ...{ databaseUrls, organizationId, projectId, files, now: Date.now() },
    webhooks: { working, failing },
  })
  return true
}

/** Chunks are written last, all or none. */
async function isFilled(client: BearingClient, scope: Scope): Promise<boolean> {
  const [device] = FLEET
  const { data } = await client.call('listDevices', { ...scope, q: device?.serial ?? '' })
  return data.some(({ chunk_count }) => chunk_count > 0)
}

async function fillDevices(client: BearingClient, scope: Scope): Promise<void> {
  await client.call('declareAttribute', { ...scope, attribute: 'customer', type: 'string' })
  await client.call('declareAttribute', { ...scope, attribute: 'battery_capacity', type: 'number' })
  await client.call('importDevices', {
    ...scope,
    devices: FLEET.map(({ serial: device_serial, nickname, attributes }) => ({
      ...{ device_serial, nickname, attributes: { ...attributes } },
    })),
  })
}

async function fillTokens(client: BearingClient, organization: string): Promise<void> {
  const tokens = await client.listAll('listOrganizationTokens', { organization })
  const { description, days } = EXPIRING
  if (tokens.some((token) => token.description === description)) return
  const expires_at = new Date(Date.now() + days * DAY_MS).toISOString()
  await client.call('createOrganizationToken', { organization, description, expires_at })
}

/** Uploads coredumps, and symbols for half of them. @returns ids of the files, the newest first */
async function fillFiles(client: BearingClient, scope: Scope): Promise<string[]> {
  const known = await client.listAll('listCoredumps', scope)
  if (known.length === 0) {
    for (const version of WITH_SYMBOLS) await uploadSymbols(client, scope, version)
    for (const number of CRASHED) await uploadCoredump(client, scope, FLEET[number - 1])
  }
  return (await client.listAll('listFiles', scope)).map(({ id }) => id)
}

async function uploadSymbols(client: BearingClient, scope: Scope, version: string): Promise<void> {
  const buildId = createHash('sha1').update(version).digest()
  const token = await upload(
    client,
    { ...scope, kind: 'symbols' },
    elfFile(buildId, Buffer.alloc(90_000, version)),
  )
  await client.call('commitSymbols', {
    ...{ ...scope, kind: 'symbols', file: { token, name: `cargo-bike-${version}.elf` } },
    software_version: { version, software_type: SOFTWARE_TYPE },
  })
}

async function uploadCoredump(
  client: BearingClient,
  scope: Scope,
  found: DemoDevice | undefined,
): Promise<void> {
  if (!found) return
  const { serial: device_serial, softwareVersion: software_version, number } = found
  const device = { device_serial, software_type: SOFTWARE_TYPE, software_version }
  const bytes = Buffer.alloc(12_000 + number * 900, `stack of ${device_serial} `)
  const token = await upload(client, { ...scope, kind: 'coredump', device }, bytes)
  await client.call('commitCoredump', {
    ...scope,
    kind: 'coredump',
    file: { token, name: 'core.bin' },
    device,
  })
}

type Preparation = Omit<Parameters<typeof prepare>[1], 'size'>

async function upload(client: BearingClient, of: Preparation, bytes: Buffer): Promise<string> {
  const { upload_url, token } = await prepare(client, { ...of, size: bytes.length })
  const reply = await fetch(upload_url, { method: 'PUT', body: new Uint8Array(bytes) })
  if (!reply.ok) throw new Error(`A file of the demo was not accepted: ${String(reply.status)}`)
  return token
}

function prepare(
  client: BearingClient,
  input: Scope & { kind: 'coredump' | 'symbols'; size: number; device?: { device_serial: string } },
) {
  return client.call('prepareUpload', input)
}

async function fillWebhooks(
  client: BearingClient,
  scope: Scope,
): Promise<[working: string, failing: string]> {
  const known = await client.listAll('listWebhooks', scope)
  const ensure = async (webhook: (typeof WEBHOOKS)[number]) =>
    known.find(({ url }) => url === webhook.url)?.id ??
    (
      await client.call('createWebhook', {
        ...scope,
        ...webhook,
        events: ['device.first_seen', 'coredump.uploaded'],
      })
    ).id
  const [working, failing] = WEBHOOKS
  return [await ensure(working), await ensure(failing)]
}
