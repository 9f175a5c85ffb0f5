import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Connection } from '@bearing/nats/connection'
import { Caller } from './caller.js'
import { randomPlace } from './places.js'

/** Asks a location service where scans were taken, one after the other. */
export class LookUps {
  private constructor(
    private readonly caller: Caller,
    private readonly stored: number,
  ) {}

  /** @param stored how many access points the service has */
  static async open(connection: Connection, stored: number): Promise<LookUps> {
    return new LookUps(await Caller.open(connection, 'location'), stored)
  }

  /** @returns how long each took, in milliseconds */
  async measure(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) times.push(await this.ask(randomPlace(this.stored)))
    return times
  }

  private async ask(bssids: readonly number[]): Promise<number> {
    const { client, organizationId } = this.caller
    const claims = await this.caller.claims()
    const accessPoints = bssids.map((bssid, index) => ({
      macAddress: formatMacAddress(bssid),
      signalStrength: -45 - index,
    }))
    const input = { organization_id: organizationId, project_id: organizationId, accessPoints }
    const began = performance.now()
    const found = await client.call(resolveWifiLocation, input, { claims })
    const tookMs = performance.now() - began
    if (found?.accessPoints.used !== accessPoints.length) throw new Error('not all were known')
    return tookMs
  }
}
