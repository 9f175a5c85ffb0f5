import { geolocate } from '@bearing/contracts/location/geolocate'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { GroundLocator } from '../ground-fix/ground-locator.js'

/** What the accuracy of that shape means, in per cent: its documentation says the 95th percentile. */
const CONFIDENCE = 95

/** Answers clients of public geolocation services. */
@Controller()
export class Geolocate {
  constructor(private readonly locator: GroundLocator) {}

  @Handle(geolocate)
  async execute(input: Input<typeof geolocate>): Promise<Output<typeof geolocate>> {
    const { wifiAccessPoints, cellTowers, radioType } = input
    const scans = [{ pointer: '/wifiAccessPoints', accessPoints: wifiAccessPoints ?? [] }]
    const { lat, lon, uncertainty } = await this.locator.locate(
      input,
      { scans, cellTowers, radioType },
      CONFIDENCE,
    )
    return { location: { lat, lng: lon }, accuracy: uncertainty }
  }
}
