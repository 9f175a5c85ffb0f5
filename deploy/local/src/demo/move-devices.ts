import type { BearingClient } from '@bearing/client/client'
import { MOVING, SOFTWARE_TYPE, messageOf, placeOf } from './fleet.js'
import { scanAt } from './town.js'

/** Access to the project of the devices. */
export interface MovingOptions {
  readonly url: string
  readonly projectKey: string
  /** Reads the project key again: it may have been replaced. */
  readonly readKey: () => Promise<string>
  /** May locate. */
  readonly client: BearingClient
  readonly organization: string
  readonly project: string
}

const INTERVAL_MS = 10_000

/** Lets one device after the other send data and ask for its position, as long as this process runs. */
export function moveDevices(options: MovingOptions): void {
  let turn = 0
  let { projectKey } = options
  setInterval(() => {
    // The gateway may be starting again: the next turn tries again.
    void moveOne({ ...options, projectKey }, turn++)
      .then(async (status) => {
        if (status === 403) projectKey = await options.readKey()
      })
      .catch(() => undefined)
  }, INTERVAL_MS).unref()
}

/** Lets the next device of those that move send data, and ask for its position. Returns the status of the reply to the data. */
export async function moveOne(
  { url, projectKey, client, organization, project }: Omit<MovingOptions, 'readKey'>,
  turn: number,
): Promise<number | undefined> {
  const device = MOVING[turn % MOVING.length]
  if (!device) return undefined
  const { serial, hardwareVersion: hardware_version, softwareVersion: software_version } = device
  const now = Date.now()
  const query = new URLSearchParams({ hardware_version, software_type: SOFTWARE_TYPE, software_version })
  const { status } = await fetch(`${url}/api/v0/chunks/${serial}?${query.toString()}`, {
    method: 'POST',
    headers: { 'service-project-key': projectKey, 'content-type': 'application/octet-stream' },
    body: messageOf(device, now),
  })
  const accessPoints = scanAt(placeOf(device, now))
  await client.call('resolveWifiLocation', { organization, project, accessPoints, device_id: serial })
  return status
}
