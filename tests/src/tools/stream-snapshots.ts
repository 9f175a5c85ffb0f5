import { randomUUID } from 'node:crypto'
import { connectNats } from '@bearing/nats/connection'

/** Bytes of a part of a snapshot. */
const CHUNK_BYTES = 128 * 1024
const PATIENCE = { timeout: 30_000 }

/** A copy of a stream with its consumers, as `nats stream backup` writes it. */
export interface StreamSnapshot {
  readonly name: string
  readonly config: object
  readonly state: object
  readonly parts: readonly Uint8Array[]
}

/** Takes a snapshot of each stream, over NATS, while others use it. @param natsUrl of a user who may do everything */
export async function snapshotStreams(natsUrl: string): Promise<StreamSnapshot[]> {
  await using nats = await open(natsUrl)
  const { streams } = await nats.ask<{ streams: readonly string[] }>('STREAM.NAMES', {})
  const snapshots: StreamSnapshot[] = []
  for (const name of streams) {
    const inbox = `snapshot.${randomUUID()}`
    const subscription = nats.raw.subscribe(inbox)
    const { config, state } = await nats.ask<StreamSnapshot>(`STREAM.SNAPSHOT.${name}`, {
      deliver_subject: inbox,
      chunk_size: CHUNK_BYTES,
    })
    const parts: Uint8Array[] = []
    for await (const message of subscription) {
      if (message.data.length === 0) break
      parts.push(message.data)
      message.respond()
    }
    snapshots.push({ name, config, state, parts })
  }
  return snapshots
}

/** Restores streams into a JetStream that does not have them, as `nats stream restore` does. */
export async function restoreStreams(natsUrl: string, snapshots: readonly StreamSnapshot[]): Promise<void> {
  await using nats = await open(natsUrl)
  for (const { name, config, state, parts } of snapshots) {
    const { deliver_subject: subject } = await nats.ask<{ deliver_subject: string }>(
      `STREAM.RESTORE.${name}`,
      { config, state },
    )
    for (const part of parts) await nats.raw.request(subject, part, PATIENCE)
    const done = await nats.raw.request(subject, '', PATIENCE)
    requireNoError(name, done.json())
  }
}

async function open(url: string) {
  const { raw } = await connectNats({ url, name: 'snapshots' })
  const ask = async <Reply>(what: string, body: object): Promise<Reply> => {
    const reply = await raw.request(`$JS.API.${what}`, JSON.stringify(body), PATIENCE)
    requireNoError(what, reply.json())
    return reply.json<Reply>()
  }
  return { raw, ask, [Symbol.asyncDispose]: () => raw.close() }
}

function requireNoError(what: string, reply: { error?: { description?: string } }): void {
  if (reply.error) throw new Error(`${what}: ${reply.error.description ?? 'refused'}`)
}
