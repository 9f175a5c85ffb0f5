import { type Point, ROUTE_COUNT, moved, placeOnRoute } from './town.js'

/** Everything that the demo says about the fleet follows from a device and a moment, so that a moving one continues its track. */
export interface DemoDevice {
  readonly serial: string
  readonly nickname: string
  readonly attributes: { readonly customer: string; readonly battery_capacity: number }
  readonly softwareVersion: string
  readonly hardwareVersion: string
  /** True if it rides day and night. */
  readonly rides: boolean
  /** Days before now of its first and of its last message. */
  readonly fromDays: number
  readonly toDays: number
  readonly number: number
}

export const DAYS = 30
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Deliveries on the way included: at a message every six minutes a track follows the streets. */
const METERS_PER_MS = 0.5 / 1_000
/** Working hours, in UTC. */
const [OPENS, CLOSES] = [6, 18]
/** Between two messages: of a working device, the same on the last day, and of a parked one. */
const [WORKING_MS, RECENT_MS, PARKED_MS] = [30 * MINUTE_MS, 6 * MINUTE_MS, 4 * HOUR_MS]
const CUSTOMERS = ['Kiezkorb', 'Spreebote', 'Nordring Bikes']

export const SOFTWARE_TYPE = 'main'
export const FLEET: readonly DemoDevice[] = Array.from({ length: 24 }, (_, index) => deviceOf(index + 1))
/** A device with a track of the last hours, and those that move while `pnpm start` runs. */
export const MOVING = FLEET.filter(({ rides }) => rides)

function deviceOf(number: number): DemoDevice {
  return {
    number,
    serial: `BIKE-${String(number).padStart(4, '0')}`,
    nickname: `Cargo bike ${String(number)}`,
    attributes: {
      customer: CUSTOMERS[number % CUSTOMERS.length] ?? '',
      battery_capacity: number % 4 === 0 ? 960 : 720,
    },
    // 14, 7 and 3 devices.
    softwareVersion: number <= 14 ? '1.5.1' : number <= 21 ? '1.5.0' : '1.4.2',
    hardwareVersion: number % 4 === 0 ? 'rev-d' : 'rev-c',
    rides: [1, 4, 10].includes(number),
    fromDays: number >= 12 && number <= 14 ? number - 8 : DAYS,
    toDays: number === 24 ? 6 : number === 23 ? 2 : 0,
  }
}

/** Returns the moments at which a device has sent something, oldest first. */
export function momentsOf(device: DemoDevice, now: number): number[] {
  const moments: number[] = []
  const end = now - device.toDays * DAY_MS - ((device.number * 7) % 23) * 10_000
  let at = now - device.fromDays * DAY_MS + device.number * MINUTE_MS
  while (at < end) {
    moments.push(Math.round(at))
    const step = !isWorking(device, at) ? PARKED_MS : at > now - DAY_MS ? RECENT_MS : WORKING_MS
    at += step * (0.85 + 0.3 * noise(device.number, at))
  }
  return moments
}

function isWorking({ rides, number }: DemoDevice, at: number): boolean {
  const date = new Date(at)
  const isWeekend = date.getUTCDay() % 6 === 0
  return (
    rides || (date.getUTCHours() >= OPENS && date.getUTCHours() < CLOSES && (!isWeekend || number % 3 === 0))
  )
}

/** Returns the place of a device at a moment: on its round trip, or where it is parked. */
export function placeOf(device: DemoDevice, at: number): Point {
  const distance = isWorking(device, at)
    ? (at % (365 * DAY_MS)) * METERS_PER_MS + device.number * 613
    : device.number * 173
  return placeOnRoute(device.number % ROUTE_COUNT, distance)
}

/** Returns a position as a look-up would have found it: beside the place, with a radius. */
export function fixOf(device: DemoDevice, at: number): Point & { readonly uncertainty: number } {
  const uncertainty = Math.round(12 + 34 * noise(device.number, at + 1) ** 2)
  const angle = 2 * Math.PI * noise(device.number, at + 2)
  const off = uncertainty * 0.8 * noise(device.number, at + 3)
  return { ...moved(placeOf(device, at), off * Math.cos(angle), off * Math.sin(angle)), uncertainty }
}

/** Returns what a device sends at a moment. */
export function messageOf(device: DemoDevice, at: number): string {
  const battery = 0.35 + 0.6 * noise(device.number, Math.floor(at / HOUR_MS))
  const text = {
    at: new Date(at).toISOString(),
    battery: Number(battery.toFixed(2)),
    moving: isWorking(device, at),
  }
  return JSON.stringify({ ...text, trace: '=-'.repeat(40 + Math.round(300 * noise(device.number, at + 4))) })
}

/** Returns a number from 0 to 1 that looks random and is the same each time. */
function noise(number: number, at: number): number {
  let hash = Math.imul(number, 0x9e3779b1) ^ Math.imul(Math.floor(at) % 0x7fffffff, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 0x1_0000_0000
}
