import type { CallOutput } from '@bearing/client/call-types'
import { Period } from '@bearing/contracts/counts/usage'
import { InvalidArgumentError } from 'commander'
import { idOf, parsed } from '../ground/arguments.js'
import { count, counted, size } from '../ground/output/format.js'
import type { Cli } from '../session/cli.js'
import type { Session } from '../session/session.js'
import { ID, verb } from '../session/verb.js'

type Overview = CallOutput<'showOverview'>
type Point = Overview['points'][number]

interface Flags {
  readonly period?: Period | undefined
  readonly device?: string | undefined
  readonly webhook?: string | undefined
  readonly token?: string | undefined
  readonly key?: true | undefined
}

const LEVELS = '▁▂▃▄▅▆▇█'
const DAYS: Readonly<Record<Period, number>> = { '24h': 1, '7d': 7, '30d': 30 }

verb('usage', {
  about: 'show devices, look-ups and data of a project (--project) or an organization, over time',
  takes: {
    '--period <period>': parsed('24h, 7d or 30d (default: 24h; of one object the longest)', readPeriod),
    '--device <serial>': { about: 'chunks of a device', conflicts: ['webhook', 'token', 'key'] },
    '--webhook <id>': {
      ...idOf('attempts to deliver to a webhook', 'bearing webhooks list', 'webhook'),
      conflicts: ['token', 'key'],
    },
    '--token <id>': {
      ...idOf('requests with an organization token', 'bearing org-tokens list', 'token'),
      conflicts: ['key'],
    },
    '--key': 'requests with the project key',
  },
  examples: ['', '--period 30d', '--project thermostats', '--device DEVICE-0001', `--token ${ID}`],
  run: async (cli, flags) => {
    const session = await cli.session()
    if (flags.device !== undefined) return showDevice(cli, session, flags.device, flags.period ?? '7d')
    if (flags.webhook !== undefined) return showWebhook(cli, session, flags.webhook, flags.period ?? '30d')
    if (flags.token !== undefined || flags.key) return showRequests(cli, session, flags)
    return showOverview(cli, session, flags.period ?? '24h')
  },
})

function readPeriod(text: string): Period {
  const period = Period.safeParse(text)
  if (period.success) return period.data
  throw new InvalidArgumentError('Use 24h, 7d or 30d.')
}

async function showOverview({ output }: Cli, session: Session, period: Period): Promise<void> {
  const { organization, client } = session
  const overview = session.sources.project
    ? await client.call('showProjectOverview', { organization, project: session.project, period })
    : await client.call('showOverview', { organization, period })
  if (output.document(overview)) return
  const { points, devices, lookups, median_radius, step } = overview
  const all = Object.values(lookups).reduce((sum, one) => sum + one, 0)
  const located = lookups.found + lookups.fallback
  const data = points.map(({ chunks, files }) => chunks.bytes + files.bytes)
  const line = (text: string, values: readonly number[]) => `${text}  ${sparkline(values)}`
  output.record(
    {
      Devices: line(
        `${count(devices.count)}${devices.is_minimum ? ' or more' : ''}, ${count(devices.new)} new`,
        points.map(({ devices_seen }) => devices_seen),
      ),
      Located: line(
        `${share(located, all)}, median radius ${radius(median_radius)}`,
        points.map(({ lookups: { found, fallback } }) => found + fallback),
      ),
      'Look-ups': line(`${count(all)}, ${share(lookups.refused, all)} refused`, points.map(totalOf)),
      Data: line(size(data.reduce((sum, one) => sum + one, 0)), data),
    },
    overview,
  )
  output.print('')
  output.table(
    points,
    {
      [step === 'hour' ? 'Hour (UTC)' : 'Day (UTC)']: startOf(step),
      Devices: 'devices_seen',
      Chunks: ({ chunks }) => chunks.count,
      Data: { right: ({ chunks, files }) => size(chunks.bytes + files.bytes) },
      'Look-ups': (point) => totalOf(point),
      Located: { right: (point) => share(point.lookups.found + point.lookups.fallback, totalOf(point)) },
      Radius: { right: (point) => radius(point.median_radius) },
      Refused: (point) => point.lookups.refused,
    },
    null,
  )
}

async function showDevice({ output }: Cli, session: Session, serial: string, period: Period): Promise<void> {
  const { organization, project, client } = session
  const usage = await client.call('showDeviceUsage', { organization, project, device_serial: serial, period })
  const { points, step } = usage
  if (output.document(usage)) return
  output.print(`Chunks  ${sparkline(points.map(({ chunks }) => chunks.count))}`)
  output.print('')
  output.table(
    points,
    {
      [step === 'hour' ? 'Hour (UTC)' : 'Day (UTC)']: startOf(step),
      Chunks: ({ chunks }) => chunks.count,
      Bytes: { right: ({ chunks }) => size(chunks.bytes) },
    },
    null,
  )
}

async function showWebhook(
  { output }: Cli,
  session: Session,
  webhook_id: string,
  period: Period,
): Promise<void> {
  const { organization, project, client } = session
  const usage = await client.call('showWebhookUsage', { organization, project, webhook_id, period })
  const { points, step, lag } = usage
  if (output.document(usage)) return
  output.print(`Attempts  ${sparkline(points.map(({ delivered, failed }) => delivered + failed))}`)
  output.print('')
  output.table(
    points,
    {
      [step === 'hour' ? 'Hour (UTC)' : 'Day (UTC)']: startOf(step),
      Delivered: 'delivered',
      Failed: 'failed',
      'Median time': {
        right: ({ median_duration_ms: median }) => (median === null ? '' : `${count(Math.round(median))} ms`),
      },
      ...(lag && { Stored: 'items_stored', Accepted: 'items_delivered', Refused: 'items_refused' }),
    },
    null,
  )
  if (lag) output.say(`Behind by ${counted(lag.items, 'item')}, ${count(Math.round(lag.seconds))} s.`)
}

async function showRequests(
  { output }: Cli,
  session: Session,
  { token, period = '30d' }: Flags,
): Promise<void> {
  const { organization, client } = session
  const days = DAYS[period]
  const usage =
    token === undefined
      ? await client.call('showProjectKeyUsage', { organization, project: session.project, days })
      : await client.call('showOrganizationTokenUsage', { organization, organization_token_id: token, days })
  if (output.document(usage)) return
  output.print(
    `Requests  ${sparkline(usage.days.map(({ day: _, ...counts }) => sum(Object.values(counts))))}`,
  )
  output.print('')
  output.table(
    usage.days,
    {
      'Day (UTC)': 'day',
      OK: 'ok',
      Invalid: 'invalid',
      Denied: 'denied',
      Limited: 'limited',
      Failed: 'failed',
    },
    null,
  )
}

/** Returns a line of blocks, one for each value. Zero is a space. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values)
  return values
    .map((value) => (value === 0 ? ' ' : LEVELS[Math.ceil((value / most) * LEVELS.length) - 1]))
    .join('')
}

function startOf(step: Overview['step']) {
  return ({ at }: { readonly at: string }) =>
    step === 'hour' ? `${at.slice(0, 10)} ${at.slice(11, 16)}` : at.slice(0, 10)
}

function totalOf({ lookups }: Point): number {
  return sum(Object.values(lookups))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function share(part: number, all: number): string {
  return all === 0 ? '' : `${((part / all) * 100).toFixed(1)} %`
}

function radius(meters: number | null): string {
  return meters === null ? 'unknown' : `${count(Math.round(meters))} m`
}
