import { OperationError } from '@bearing/contracts/errors'
import { resolveWifiLocation } from '@bearing/contracts/location/wifi'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AccessPointReader } from '../access-points/access-point-reader.js'
import { locate, type Location } from '@bearing/positioning/locate'
import { readScan } from '@bearing/positioning/scan'
import { LocatingRules } from './locating-rules.js'

type NotFound = Extract<Location, { found: false }>

/** Turns a Wi-Fi scan into a position. */
@Controller()
export class ResolveWifiLocation {
  constructor(
    private readonly accessPoints: AccessPointReader,
    private readonly rules: LocatingRules,
  ) {}

  @Handle(resolveWifiLocation)
  async execute(input: Input<typeof resolveWifiLocation>): Promise<Output<typeof resolveWifiLocation>> {
    const { minAccessPoints } = this.rules
    const heard = input.accessPoints.map(({ macAddress, signalStrength }) => ({
      bssid: macAddress,
      signalDbm: signalStrength,
    }))
    const scan = readScan(heard)
    // What cannot be located is not looked up either.
    const bssids = scan.size < minAccessPoints ? [] : scan.keys()
    const known = await this.accessPoints.find(input.organization_id, bssids)
    const location = locate(heard, known, this.rules)
    if (!location.found) throw explained(location, minAccessPoints)
    const { lat, lon, uncertaintyMeters } = location
    return { lat, lon, uncertainty: uncertaintyMeters, fulfilledWith: 'WIFI' }
  }
}

/** Says how many there were and how many it takes, but nothing that tells which of them are known. */
function explained({ reason, usable }: NotFound, needed: number): OperationError {
  switch (reason) {
    case 'too_few_usable':
      return new OperationError(
        'too_few_access_points',
        `The scan has ${counted(usable, 'usable access point')}, and at least ${String(needed)} different ones are needed. Group and all-zero addresses do not count.`,
      )
    case 'none_known':
      return new OperationError(
        'location_not_found',
        `None of the ${counted(usable, 'usable access point')} in the scan has a known position.`,
        { reason },
      )
    case 'too_few_known':
      return new OperationError(
        'location_not_found',
        `Of the ${counted(usable, 'usable access point')} in the scan, fewer than ${String(needed)} have known positions that agree with each other.`,
        { reason },
      )
  }
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`
}
