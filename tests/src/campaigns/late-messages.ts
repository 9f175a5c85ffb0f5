import { setTimeout as sleep } from 'node:timers/promises'
import { WORK_STREAMS } from '@bearing/contracts/nats/streams'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { OBJECT_STORE } from '@bearing/nats/object-subjects'
import { StoredStream } from '@bearing/nats/stored-stream'
import type { Stack } from '@bearing/testing/stack'

/** Streams that may name an erased organization or project: events hold ids only, and expire after seven days. */
const EVENT_STREAMS = /^(identity|management|location)/i

/** A message that a service has stored in a stream. */
export interface Recorded {
  readonly subject: string
  readonly data: Uint8Array
  readonly headers: readonly (readonly [string, string])[]
}

/** Records what services store in streams. */
export function recordMessages(connection: Connection): Recorded[] {
  const recorded: Recorded[] = []
  // Messages of a feed come from management, which stores nothing there after an erasure.
  for (const { subject } of WORK_STREAMS.filter(({ feed }) => feed !== true))
    connection.raw.subscribe(`${subject}.>`, {
      callback: (_, { subject, data, headers }) => {
        if (!headers?.has('Nats-Msg-Id')) return
        const all = headers.keys().map((name) => [name, headers.get(name)] as const)
        recorded.push({ subject, data: data.slice(), headers: all })
      },
    })
  return recorded
}

/** As late messages come: from before the erasure, and stored after it. */
export async function sendAgain(stack: Stack, late: readonly Recorded[]): Promise<void> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
  const store = new MessageStore(connection)
  for (const [number, { subject, data, headers }] of late.entries()) {
    const { 'Nats-Msg-Id': id = '', ...others } = Object.fromEntries(headers)
    // The id of a chunk is part of the message.
    const again = subject.includes('chunk') ? id.replace(/^./, 'f') : `late ${String(number)}`
    await store.store({ subject, id: again, body: data, headers: others })
  }
  await connection.drain()
  await sleep(3_000)
}

/** Looks through every stream for subjects with one of the ids. */
export async function findMessages(
  stack: Stack,
  ids: readonly string[],
  objects: readonly string[],
): Promise<string[]> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
  const faults: string[] = []
  const reply = await connection.raw.request('$JS.API.STREAM.NAMES', '', { timeout: 5_000 })
  const { streams } = reply.json<{ streams: string[] }>()
  for (const name of streams) {
    if (EVENT_STREAMS.test(name)) continue
    const wanted = name === OBJECT_STORE ? objects : ids
    for (const subject of await new StoredStream(connection, { name, subject: '', queue: false }).subjects())
      if (wanted.some((id) => subject.includes(id))) faults.push(`messages are left in ${name}: ${subject}`)
  }
  await connection.drain()
  return faults
}
