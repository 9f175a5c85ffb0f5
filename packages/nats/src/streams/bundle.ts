import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { cutParts, joinParts, readLine } from '../lined-message.js'
import { EVENT_ID } from '../permissions/genuine.js'
import type { StoredMessage } from './stored-message.js'

// Messages of one turn of the event loop that a stream stores as one message. Writing and reading are both here.

/**
 * The last part of the subject of a bundle. No device has this name. No character is `@`: servers before 2.10.28 and 2.11.2 cut subjects
 * at it when they hand a message on to the server of its consumer (https://github.com/nats-io/nats-server/pull/6777).
 */
export const BUNDLE = '~bundle'
/** The former value. Bundles with it may be in queues until the version before has ended. */
const FORMER_BUNDLE = '@bundle'
/** The most messages of a bundle, and their bytes, headers included. A larger message is stored alone. */
const [MOST_MESSAGES, MOST_BYTES] = [64, 128 * 1024]

const Head = z.object({
  messages: z
    .array(
      z.object({
        name: z.string().min(1),
        id: z.string(),
        bytes: z.int().min(0),
        headers: z.record(z.string(), z.string()),
      }),
    )
    .min(1)
    .max(MOST_MESSAGES),
})

/** A message of a bundle. */
export interface BundledMessage {
  readonly subject: string
  readonly header: (name: string) => string | undefined
  readonly id: string
  readonly body: Uint8Array
}

/** Messages that can be one bundle, so far. */
interface Group<One> {
  readonly members: One[]
  readonly subjects: Set<string>
  bytes: number
}

/**
 * Groups messages that can be stored as one: their subjects differ in the last part only. Two messages of one subject are in two
 * groups, so that their sequences say which was first.
 */
export function groupsOfBundles<One extends { readonly message: StoredMessage }>(
  all: readonly One[],
): One[][] {
  const open = new Map<string, Group<One>>()
  const groups: One[][] = []
  for (const one of all) {
    const { subject } = one.message
    const prefix = prefixOf(subject)
    const bytes = bytesOf(one.message)
    let group = open.get(prefix)
    if (!group || isFull(group, bytes) || group.subjects.has(subject)) {
      group = { members: [], subjects: new Set(), bytes: 0 }
      open.set(prefix, group)
      groups.push(group.members)
    }
    group.members.push(one)
    group.subjects.add(subject)
    group.bytes += bytes
  }
  return groups
}

function isFull({ members, bytes }: Group<unknown>, more: number): boolean {
  return members.length === MOST_MESSAGES || bytes + more > MOST_BYTES
}

function bytesOf({ body, headers }: StoredMessage): number {
  return Object.values(headers).reduce((sum, value) => sum + (value?.length ?? 0), body.length)
}

/** Makes one message of a group of several ({@link groupsOfBundles}). */
export function writeBundle(messages: readonly StoredMessage[]): StoredMessage {
  const prefix = prefixOf(messages[0]?.subject ?? '')
  const head = messages.map(({ subject, id, body, headers }) => ({
    name: subject.slice(prefix.length + 1),
    id,
    bytes: body.length,
    headers,
  }))
  return {
    subject: `${prefix}.${BUNDLE}`,
    id: randomUUID(),
    body: joinParts(
      JSON.stringify({ messages: head }),
      messages.map(({ body }) => body),
    ),
    headers: {},
  }
}

/** Returns the messages of a bundle; undefined if the message is no bundle, or one that cannot be read. */
export function readBundle(subject: string, bytes: Uint8Array): BundledMessage[] | undefined {
  if (![BUNDLE, FORMER_BUNDLE].includes(subject.slice(prefixOf(subject).length + 1))) return undefined
  try {
    const { head, body } = readLine(bytes)
    const { messages } = Head.parse(head)
    const bodies = cutParts(
      body,
      messages.map((message) => message.bytes),
    )
    return bodies?.map((part, index) => bundled(prefixOf(subject), messages[index], part))
  } catch {
    return undefined
  }
}

type Entry = z.output<typeof Head>['messages'][number]

function bundled(prefix: string, entry: Entry | undefined, body: Uint8Array): BundledMessage {
  if (!entry) throw new Error('unreachable: there is a part for each entry')
  const { name, id, headers } = entry
  return {
    subject: `${prefix}.${name}`,
    header: (wanted) => (wanted === EVENT_ID ? id : headers[wanted]) || undefined,
    id,
    body,
  }
}

function prefixOf(subject: string): string {
  return subject.slice(0, subject.lastIndexOf('.'))
}
