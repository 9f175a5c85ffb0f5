import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { deviceDataSubject } from '@bearing/contracts/management/data/device-data'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { deleteFeedConsumer, makeFeedConsumer } from '@bearing/nats/feed-consumers'
import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { jetstream } from '@nats-io/jetstream'
import pg from 'pg'

/** The address that the lab lets webhooks reach. */
export const RECEIVER_ADDRESS = '127.0.0.2'
/** Items of one round after its first batch, and of a batch of the program: about as many of 500 bytes as a destination has in one. */
const ITEMS = 16_000
const BATCH = 2_000
const CONSUMER = 'bench-sink'

const [compress, inflate] = [promisify(gzip), promisify(gunzip)]

/**
 * Compares a destination of compressed lines with a program that reads the stream of device data and posts the same lines, in turns.
 *
 * @returns of each round the items a second of the destination, as a share of those of the program
 */
export async function compareSinks(
  stack: Stack,
  organization: TestOrganization,
  rounds: number,
): Promise<number[]> {
  const receiver = await startReceiver()
  const database = new pg.Client(stack.databaseUrls.management)
  await database.connect()
  const { id } = await organization.token.client.call('createWebhook', {
    ...{ organization: organization.slug, project: organization.project.slug },
    ...{ url: receiver.url, destination: { kind: 'ndjson' } },
  })
  const set = (text: string) => database.query(`UPDATE webhooks SET ${text} WHERE id = $1`, [id])
  const sink = async () => {
    // Deliveries that the round before has queued would skip to its end.
    await database.query('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [id])
    const rate = receiver.measure()
    await set("data_position = 0, data_at = 'epoch', paused_reason = NULL")
    const measured = await rate
    await set("paused_reason = 'by_user'")
    return measured
  }
  await set("paused_reason = 'by_user'")
  const ratios: number[] = []
  for (let round = -1; round < rounds; round++) {
    const rate = receiver.measure()
    await forward(stack, organization, receiver.url)
    const bare = await rate
    const measured = await sink()
    if (round >= 0) ratios.push(measured / bare)
  }
  await database.end()
  receiver.stop()
  return ratios
}

/** Reads the stream from its beginning, and posts the messages as they are, one batch while it reads the next one. */
async function forward(stack: Stack, organization: TestOrganization, url: string): Promise<void> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'bench' })
  const subjects = [deviceDataSubject({ organization_id: organization.id })]
  await makeFeedConsumer(connection, DEVICE_DATA_STREAM, {
    ...{ name: CONSUMER, subjects, start: { since: new Date(0) } },
  })
  const consumer = await jetstream(connection.raw, { checkAPI: false }).consumers.get(
    DEVICE_DATA_STREAM.name,
    CONSUMER,
  )
  const post = async (lines: string) => {
    const reply = await fetch(url, { method: 'POST', body: await compress(lines) })
    await reply.arrayBuffer()
  }
  let [sent, lines, posting] = [0, [] as string[], Promise.resolve()]
  const messages = await consumer.consume({ max_messages: BATCH })
  for await (const message of messages) {
    lines.push(`${message.string()}\n`)
    message.ack()
    if (lines.length < BATCH) continue
    await posting
    posting = post(lines.join(''))
    sent += lines.length
    lines = []
    if (sent === ITEMS + BATCH) break
  }
  await posting
  await messages.close()
  await deleteFeedConsumer(connection, DEVICE_DATA_STREAM, CONSUMER)
  await connection.drain()
}

/** Counts lines. */
async function startReceiver() {
  let received: (lines: number) => void = () => undefined
  const server = createServer((request, reply) => {
    void (async () => {
      const bytes = await inflate(Buffer.concat(await request.toArray()))
      received(bytes.reduce((lines, byte) => lines + Number(byte === 10), 0))
      reply.writeHead(204).end()
    })()
  })
  server.listen(0, RECEIVER_ADDRESS)
  await once(server, 'listening')
  return {
    url: `http://${RECEIVER_ADDRESS}:${String((server.address() as AddressInfo).port)}/`,
    /** Returns lines a second, from the end of the first request on. */
    measure: () =>
      new Promise<number>((resolve) => {
        let lines = 0
        let startedMs = NaN
        received = (count) => {
          if (Number.isNaN(startedMs)) startedMs = performance.now()
          else lines += count
          if (lines < ITEMS) return
          received = () => undefined
          resolve((lines / (performance.now() - startedMs)) * 1_000)
        }
      }),
    stop: () => server.close(),
  }
}
