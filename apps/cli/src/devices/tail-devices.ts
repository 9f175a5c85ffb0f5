import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { count, counted, second } from '../ground/output/format.js'
import { sanitize } from '../ground/output/sanitize.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Session } from '../session/session.js'
import { UsageError } from '../ground/usage-error.js'
import { wholeNumber, parsed } from '../ground/arguments.js'
import { softwareOf } from './devices.js'

/** The most devices of one poll, the last seen ones: a page of the API. */
const MOST = 1_000
/** Period that each poll covers, in milliseconds: the clocks of this machine and of the server may differ by this much. */
const WINDOW_MS = 300_000

type Device = CallOutput<'showDevice'>

interface Flags {
  readonly interval: number
  readonly softwareVersion?: string | undefined
  readonly hardwareVersion?: string | undefined
}

verb('devices tail', {
  about: 'print devices as they send data, until it is interrupted',
  takes: {
    '--interval <seconds>': {
      ...parsed('time between two requests: 1 to 3600', wholeNumber(1, 3_600)),
      initial: 5,
    },
    '--software-version <version>': 'only devices with this software version',
    '--hardware-version <version>': 'only devices with this hardware version',
  },
  help: `It reads the list of devices again and again: one line for each device that has sent data since the request before. Of more
than ${count(MOST)} devices in five minutes it sees the last ones. With -o ndjson, or -o json, each line is a device as JSON.`,
  examples: ['', '--interval 10 -o ndjson'],
  run: async (cli, flags) => {
    if (cli.output.format === 'csv' || cli.output.format === 'yaml')
      throw new UsageError('The output has no end: use -o ndjson, or the table.')
    const session = await cli.session()
    const { signal } = cli.terminal
    let known: ReadonlyMap<string, string> | undefined
    for (;;) {
      const found = await retryTransient(signal, () => poll(cli, session, flags))
      // Devices of the first poll are the past.
      if (known === undefined) cli.output.say(`Waiting for data, every ${counted(flags.interval, 'second')}.`)
      else for (const device of news(found, known)) print(cli, device)
      known = new Map(found.map((device) => [device.id, stateOf(device)]))
      await sleep(flags.interval * 1_000, undefined, { signal })
    }
  },
})

async function poll(cli: Cli, { client, organization, project }: Session, flags: Flags): Promise<Device[]> {
  const { data } = await client.call('listDevices', {
    ...{ organization, project, sort: '-last_seen', page: 1, per_page: MOST },
    last_seen_after: new Date(cli.terminal.now() - WINDOW_MS).toISOString(),
    ...(flags.softwareVersion !== undefined && { software_version: flags.softwareVersion }),
    ...(flags.hardwareVersion !== undefined && { hardware_version: flags.hardwareVersion }),
  })
  return data
}

/** Returns the devices that have sent something since, in the order in which they did. */
function news(found: readonly Device[], known: ReadonlyMap<string, string>): Device[] {
  return found
    .filter((device) => known.get(device.id) !== stateOf(device))
    .sort((a, b) => (a.last_seen_at ?? '').localeCompare(b.last_seen_at ?? ''))
}

function stateOf({ last_seen_at, chunk_count }: Device): string {
  return `${last_seen_at ?? ''} ${String(chunk_count)}`
}

function print({ output }: Cli, device: Device): void {
  if (output.forPrograms) {
    output.line(device)
    return
  }
  const { device_serial, last_seen_at, chunk_count } = device
  const time = last_seen_at === null ? '' : second(last_seen_at)
  output.print(sanitize(`${time}  ${device_serial}  ${softwareOf(device)}  ${counted(chunk_count, 'chunk')}`))
}
