import { CHUNK_STREAM, type WorkStream } from '@bearing/contracts/nats/streams'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { eventually } from '@bearing/testing/eventually'
import { NATS_HOSTS, type HostStack } from '@bearing/testing/hosts/host-stack'

/** Time limit for a cluster of NATS to be whole again, in milliseconds. */
const WHOLE_MS = 120_000

/** JetStream's description of a stream. */
interface StreamInfo {
  readonly cluster?: {
    readonly leader?: string
    readonly replicas?: readonly {
      readonly name: string
      readonly current: boolean
      readonly offline?: boolean
    }[]
  }
}

/** Does something with a connection to the cluster, which it closes afterwards. */
async function withNats<Value>(stack: HostStack, work: (nats: Connection) => Promise<Value>): Promise<Value> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
  try {
    return await work(connection)
  } finally {
    await connection.raw.close()
  }
}

async function ask<Reply>(nats: Connection, what: string): Promise<Reply> {
  return (await nats.raw.request(`$JS.API.${what}`, '', { timeout: 2_000 })).json<Reply>()
}

/** Returns the host of the NATS server that leads the stream of chunks, or one of its partitions. */
export async function leaderOf(
  stack: HostStack,
  { name }: WorkStream = CHUNK_STREAM,
): Promise<(typeof NATS_HOSTS)[number]> {
  return await withNats(stack, (nats) =>
    eventually(async () => {
      const { cluster } = await ask<StreamInfo>(nats, `STREAM.INFO.${name}`)
      const leader = NATS_HOSTS.find((host) => host === cluster?.leader)
      if (leader === undefined) throw new Error(`${name} has no leader`)
      return leader
    }),
  )
}

/** Waits until each stream has a leader, and all of its replicas have caught up. */
export async function untilCaughtUp(stack: HostStack): Promise<void> {
  await withNats(stack, (nats) =>
    eventually(
      async () => {
        const { streams = [] } = await ask<{ streams?: readonly string[] }>(nats, 'STREAM.NAMES')
        if (streams.length === 0) throw new Error('JetStream names no streams')
        for (const name of streams) {
          const { cluster } = await ask<StreamInfo>(nats, `STREAM.INFO.${name}`)
          const current = cluster?.replicas?.filter((replica) => replica.current && replica.offline !== true)
          if (cluster?.leader === undefined || current?.length !== NATS_HOSTS.length - 1)
            throw new Error(`${name} is not whole: ${JSON.stringify(cluster)}`)
        }
      },
      { withinMs: WHOLE_MS, everyMs: 200 },
    ),
  )
}

/** Returns what JetStream says of every stream and its consumers, one line of JSON each: where something lies that was not stored. */
export async function describeStreams(stack: HostStack): Promise<string> {
  return await withNats(stack, async (nats) => {
    const { streams = [] } = await ask<{ streams?: readonly string[] }>(nats, 'STREAM.NAMES')
    const lines: unknown[] = []
    for (const name of streams)
      lines.push(await ask(nats, `STREAM.INFO.${name}`), await ask(nats, `CONSUMER.LIST.${name}`))
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  })
}
