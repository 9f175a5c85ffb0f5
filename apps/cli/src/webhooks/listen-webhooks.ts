import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { counted, second } from '../ground/output/format.js'
import { sanitize } from '../ground/output/sanitize.js'
import { retryTransient } from '@bearing/client/retry-transient'
import { UsageError } from '../ground/usage-error.js'
import { wholeNumber, parsed } from '../ground/arguments.js'
import { LocalDelivery, localReceiver, newSecret, type Delivered } from './local-delivery.js'
import { LISTED_EVENTS, recentEvents, type ListedEvent, type RecentEvent } from './recent-events.js'

/** Period that each request covers, in milliseconds: the clocks of this machine and of the server may differ by this much. */
const WINDOW_MS = 300_000
/** Events of a webhook without `--event`. */
const USUAL: readonly ListedEvent[] = ['device.first_seen', 'coredump.uploaded']

verb('webhooks listen', {
  about: 'send the events of a project to a port of this machine, until it is interrupted',
  takes: {
    '<receiver>': 'a port, or the URL of a receiver on this machine',
    '--event <event>': {
      about: `events to send (default: ${USUAL.join(' and ')}); repeatable: ${LISTED_EVENTS.join(', ')}`,
      parse: collect,
    },
    '--interval <seconds>': {
      ...parsed('time between two requests: 1 to 3600', wholeNumber(1, 3_600)),
      initial: 5,
    },
    '--secret': 'sign with your secret, whsec_…, from standard input (default: a new one, which is printed)',
  },
  help: `To develop a receiver without a URL that the server can reach. No webhook is created: the command reads the lists of devices,
coredumps and last positions again and again, and sends each new event with the body that a webhook would send, signed with a
secret that is new each time; give --secret for a receiver that has one. Each is sent once, within ten seconds, whatever the receiver answers.`,
  examples: ['9797', 'http://localhost:9797/hooks --event device.location_resolved'],
  run: async (cli, { receiver: text, event: types = [...USUAL], interval, secret: isOwn }) => {
    if (cli.output.format === 'csv' || cli.output.format === 'yaml')
      throw new UsageError('The output has no end: use -o ndjson, or the table.')
    const receiver = localReceiver(text)
    const [given] = isOwn ? await cli.askSecrets(['the secret'], 'known') : []
    const secret = given ?? newSecret()
    const delivery = new LocalDelivery(receiver, secret, cli.terminal.now)
    const session = await cli.session()
    const { client, organization, project } = session
    const scope = {
      organization_id: (await client.call('showOrganization', { organization })).id,
      project_id: (await client.call('showProject', { organization, project })).id,
    }
    const { signal } = cli.terminal
    let known: ReadonlySet<string> | undefined
    for (;;) {
      const since = new Date(cli.terminal.now() - WINDOW_MS).toISOString()
      const found = await retryTransient(signal, () => recentEvents(session, types, since))
      // Events of the first request are the past.
      if (known === undefined) printReady(cli, receiver, given === undefined ? secret : undefined, interval)
      else
        for (const event of found.filter(({ key }) => !known?.has(key)))
          print(cli, event, receiver, await delivery.send(bodyOf(event, scope), signal))
      known = new Set(found.map(({ key }) => key))
      await sleep(interval * 1_000, undefined, { signal })
    }
  },
})

function collect(text: string, before: readonly ListedEvent[] = []): ListedEvent[] {
  const event = LISTED_EVENTS.find((known) => known === text)
  if (!event) throw new InvalidArgumentError(`Use ${LISTED_EVENTS.join(', ')}.`)
  return [...new Set([...before, event])]
}

/** @param secret a new one, which is printed once, and only here */
function printReady({ output }: Cli, receiver: URL, secret: string | undefined, interval: number): void {
  if (output.forPrograms) output.line({ receiver: receiver.href, ...(secret !== undefined && { secret }) })
  else output.record({ Receiver: receiver.href, Secret: secret }, {})
  output.say(`Waiting for events, every ${counted(interval, 'second')}.`)
}

/** Returns the body of a delivery (Standard Webhooks: type, timestamp, data). */
function bodyOf({ type, at, data }: RecentEvent, scope: object): string {
  return JSON.stringify({ type, timestamp: at, data: { ...scope, ...data } })
}

function print(
  { output }: Cli,
  { type, at, deviceSerial }: RecentEvent,
  receiver: URL,
  delivered: Delivered,
): void {
  if (output.forPrograms) {
    output.line({ ...{ event: type, device_serial: deviceSerial, at }, ...delivered })
    return
  }
  const { status, error, duration_ms: took } = delivered
  const answer = error === null ? String(status) : ERRORS[error](receiver)
  output.print(sanitize(`${second(at)}  ${type}  ${deviceSerial ?? '–'}  ${answer}  ${String(took)} ms`))
}

const ERRORS: Readonly<Record<NonNullable<Delivered['error']>, (receiver: URL) => string>> = {
  refused: ({ origin }) => `nothing listens at ${origin}`,
  timeout: () => 'no answer in time',
  broken: () => 'no answer, the connection broke',
}
