import { DEVICE_DATA_KINDS, deviceDataSubject } from '@bearing/contracts/management/data/device-data'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { NATS_URL, verb } from '../session/verb.js'
import { idOf, parsed, type Taken } from '../ground/arguments.js'
import { count } from '../ground/output/format.js'
import { readSince } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'
import { withOperator } from '../session/with-operator.js'

type Kind = (typeof DEVICE_DATA_KINDS)[number]

const NAME = /^[\w-]{1,64}$/

const FROM_LIST = 'bearing organizations list --json'
const SCOPE = {
  '--organization <id>': idOf('only data of this organization', FROM_LIST),
  '--project <id>': idOf('only data of this project of it', FROM_LIST),
} as const
const KINDS: Taken<Kind[]> = { about: 'only these kinds of data', choices: DEVICE_DATA_KINDS }

verb('admin stream-consumers create', {
  about: 'make a consumer for a service that reads the data of devices',
  takes: {
    ...SCOPE,
    '<name>': parsed('its name, and that of the NATS user who reads it', nameOf),
    '--kind <kinds...>': KINDS,
    '--since <time>': 'begin with what came since then: 2h, or 2026-01-31T12:00:00Z',
    '--from <number>': parsed('begin with this number of the stream', Number),
    ...NATS_URL,
  },
  help: `Without --since and --from it begins with what comes next. The stream keeps a day at most. The reply has the permissions that the
NATS user of the service needs: it can read what this consumer gives out, and nothing else. See /docs/internal-services.`,
  examples: ['billing --kind chunk --since 2h'],
  run: async (cli, { name, ...flags }) => {
    const { organization: organization_id, project: project_id, kind = [] } = flags
    if (project_id !== undefined && organization_id === undefined)
      throw new UsageError(
        'Give --organization with --project.',
        '"bearing organizations list" shows the ids.',
      )
    const scope = { ...(organization_id && { organization_id }), ...(project_id && { project_id }) }
    const subjects =
      kind.length > 0
        ? kind.map((one) => deviceDataSubject({ ...scope, kind: one }))
        : [deviceDataSubject(scope)]
    const start = startOf(flags)
    const { feedReaderPermissions, makeFeedConsumer } = await import('@bearing/nats/feed-consumers')
    await withOperator(cli, flags.natsUrl, ({ connection }) =>
      makeFeedConsumer(connection, DEVICE_DATA_STREAM, { name, subjects, start }),
    )
    const permissions = feedReaderPermissions(DEVICE_DATA_STREAM, name)
    cli.output.done(`Consumer ${name} made.`)
    cli.output.record(
      {
        ...{ Stream: DEVICE_DATA_STREAM.name, Reads: subjects.join(', ') },
        ...{ 'May publish': permissions.publish.join(', ') },
        'May subscribe': permissions.subscribe.join(', '),
      },
      { name, stream: DEVICE_DATA_STREAM.name, subjects, permissions },
    )
  },
})

verb('admin stream-consumers list', {
  about: 'list the consumers, and how far each is behind',
  takes: NATS_URL,
  run: async (cli, { natsUrl }) => {
    const { listFeedConsumers } = await import('@bearing/nats/feed-consumers')
    const consumers = await withOperator(cli, natsUrl, ({ connection }) =>
      listFeedConsumers(connection, DEVICE_DATA_STREAM),
    )
    cli.output.table(
      consumers.map(({ createdAt, acknowledgedTo, lost, ...consumer }) => ({
        ...consumer,
        created_at: createdAt.toISOString(),
        acknowledged_to: acknowledgedTo,
        lost: lost && { from: lost[0], to: lost[1] },
      })),
      {
        Name: 'name',
        Reads: ({ subjects }) => subjects.join(', '),
        Waiting: 'waiting',
        'Acknowledged to': 'acknowledged_to',
        Lost: ({ lost }) => (lost ? `${count(lost.from)}–${count(lost.to)}` : '–'),
        Created: 'created_at',
      },
      'No consumers. "bearing admin stream-consumers create <name>" makes one.',
    )
  },
})

verb('admin stream-consumers delete', {
  about: 'delete a consumer',
  takes: { '<name>': parsed('its name', nameOf), ...NATS_URL },
  examples: ['billing'],
  question: 'Delete the consumer? Its place in the stream is lost.',
  run: async (cli, { name, natsUrl }) => {
    const { deleteFeedConsumer } = await import('@bearing/nats/feed-consumers')
    const existed = await withOperator(cli, natsUrl, ({ connection }) =>
      deleteFeedConsumer(connection, DEVICE_DATA_STREAM, name),
    )
    if (!existed)
      throw new UsageError(
        `There is no consumer ${name}.`,
        '"bearing admin stream-consumers list" shows them.',
      )
    cli.output.done(`Consumer ${name} deleted.`)
    cli.output.record({ Name: name }, { name, deleted: true })
  },
})

function nameOf(text: string): string {
  if (NAME.test(text)) return text
  throw new UsageError('The name of a consumer is 1 to 64 of a–z, A–Z, 0–9, "_" and "-".')
}

function startOf({
  since,
  from,
}: {
  readonly since?: string | undefined
  readonly from?: number | undefined
}): { since: Date } | { number: number } | undefined {
  if (since !== undefined && from !== undefined) throw new UsageError('Give either --since or --from.')
  if (since !== undefined) return { since: new Date(readSince(since)) }
  if (from === undefined) return undefined
  if (!Number.isSafeInteger(from) || from < 1)
    throw new UsageError('--from is a number of the stream, from 1.')
  return { number: from }
}
