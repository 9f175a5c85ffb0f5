import { parseArgs } from 'node:util'
import type { Fleet } from './capacity.js'

const DAY_S = 86_400
const HOUR_S = 3_600
/** Of each device, where rates are not given. */
const LOOK_UPS_PER_DAY = 10
const CHUNKS_PER_HOUR = 4

const OPTIONS = {
  devices: 'devices (default: 1,000,000)',
  'look-ups': 'look-ups a second (default: 10 a day for each device)',
  cached: 'share of look-ups whose access points are cached, 0 to 1 (default: 0)',
  chunks: 'chunks a second (default: 4 an hour for each device)',
  'chunk-bytes': 'bytes of a chunk (default: 500)',
  'retention-days': 'days for which chunks are stored (default: 30)',
  credentials: 'credentials in use, such as project keys (default: 100)',
  'access-points': 'access points (default: 10,000,000)',
} as const
type Name = keyof typeof OPTIONS

export const USAGE = [
  'pnpm calculate [options]',
  ...Object.entries(OPTIONS).map(([name, what]) => `  --${name.padEnd(16)}${what}`),
].join('\n')

/**
 * Reads a fleet from command-line arguments.
 *
 * @throws where one is unknown or no number in its range, with what to write
 */
export function readFleet(args: readonly string[]): Fleet {
  const values = parse(args)
  const number = (name: Name, usual: number, most = Number.MAX_SAFE_INTEGER) => {
    const text = values[name]
    if (text === undefined) return usual
    const value = Number(text.replaceAll(/[,_]/g, ''))
    if (text.trim() === '' || !(value >= 0) || value > most)
      throw new Error(`--${name} is a number from 0 to ${String(most)}.\n${USAGE}`)
    return value
  }
  const devices = number('devices', 1_000_000)
  return {
    devices,
    lookUps: number('look-ups', (devices * LOOK_UPS_PER_DAY) / DAY_S),
    cached: number('cached', 0, 1),
    chunks: number('chunks', (devices * CHUNKS_PER_HOUR) / HOUR_S),
    chunkBytes: number('chunk-bytes', 500),
    retentionDays: number('retention-days', 30),
    credentials: number('credentials', 100),
    accessPoints: number('access-points', 10_000_000),
  }
}

function parse(args: readonly string[]): Partial<Record<Name, string>> {
  const options = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error })
  }
}
