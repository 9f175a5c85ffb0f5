import { geolocate } from '@bearing/contracts/location/lookups/geolocate'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { groundFixNotFound } from '../ground-fix/ground-fix-not-found.js'
import { Search } from '../sources/location-source.js'
import { Locator } from '../sources/locator.js'

/** The documentation of that shape says that the accuracy is the 95th percentile. */
const CONFIDENCE = 95

/** Answers clients of public geolocation services. */
@Controller()
export class Geolocate {
  constructor(private readonly locator: Locator) {}

  @Handle(geolocate)
  async execute(input: Input<typeof geolocate>): Promise<Output<typeof geolocate>> {
    const { wifiAccessPoints, cellTowers, radioType } = input
    const accessPoints = wifiAccessPoints ?? []
    const heard = { accessPoints, cells: { cellTowers, radioType }, asksProvider: false }
    const search = new Search(input, heard, CONFIDENCE)
    const position = await this.locator.locate(search)
    if (!position) throw groundFixNotFound(search, [{ pointer: '/wifiAccessPoints', accessPoints }])
    const { lat, lon, uncertainty, floor, altitude, altitudeAccuracy } = position
    const height = { floor, altitude, altitudeAccuracy }
    return { location: { lat, lng: lon }, accuracy: uncertainty, ...height }
  }
}
