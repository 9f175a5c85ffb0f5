import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NATS_USER_NAMES, NATS_USERS, type NatsUser } from '@bearing/contracts/nats/nats-users'
import type { Event, Operation } from '@bearing/contracts/operation'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { WORK_STREAMS } from '@bearing/contracts/nats/streams'
import { code, codes, table } from './markdown.js'

/** The folder of the checkout. */
const ROOT = join(import.meta.dirname, '..', '..', '..')

const USERS: readonly (readonly [string, NatsUser])[] = NATS_USER_NAMES.map((name) => [
  name,
  NATS_USERS[name],
])
/** Operations that the API reference describes. */
const ROUTED = new Set(
  Object.values(ROUTES as Readonly<Record<string, Route>>).map(({ operation }) => operation.subject),
)
const SERVICES = ['identity', 'management', 'location']

/** Returns the tables of operations and events over NATS, and of streams. */
export async function natsList(): Promise<string> {
  const exported = await contracts()
  const operations = exported.filter(isOperation).filter(({ stored }) => stored !== true)
  // Those that nobody publishes are messages of streams.
  const events = exported.filter(isEvent).filter((event) => publishersOf(event) !== '')
  return `${SERVICES.map((service) => `## Operations of ${service}\n\n${operationTable(operations.filter(({ subject }) => subject.startsWith(`${service}.`)))}`).join('\n\n')}

## Events

Events are published after the commit of the change. Those with a stream are in JetStream for seven days; the others reach only current subscribers. An event can be published more than once, with the same \`id\` if it has one.

${eventTable(events)}

## Streams

Messages that are stored before they are processed.

${table(
  ['stream', 'subjects', 'stored by', 'processed by'],
  WORK_STREAMS.map((stream) => [
    code(stream.name),
    code(`${stream.subject}.>`),
    namesOf(({ stores = [] }) => stores.some(({ name }) => name === stream.name)),
    namesOf(({ consumes = [] }) => consumes.some(({ name }) => name === stream.name)),
  ]),
)}`
}

/** Returns everything that contracts export once, in the order of the files. */
async function contracts(): Promise<unknown[]> {
  const modules = await Promise.all(
    builtModules().map((path) => import(pathToFileURL(join(ROOT, path)).href) as Promise<object>),
  )
  return [...new Set(modules.flatMap((module) => Object.values(module) as unknown[]).flatMap(parts))]
}

/** Returns what was built from each source: a folder of a former build may also contain modules without a source. */
function builtModules(): string[] {
  return globSync('packages/contracts/src/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.includes('.spec.'))
    .map((path) => path.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
    .toSorted()
}

/** Some contracts export several operations as one object. */
function parts(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || isOperation(value) || isEvent(value)) return [value]
  return Object.values(value).filter(isOperation)
}

function isOperation(value: unknown): value is Operation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'subject' in value &&
    'permission' in value &&
    'summary' in value
  )
}

function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && 'subject' in value && 'data' in value
}

function operationTable(operations: readonly Operation[]): string {
  return table(
    ['subject', 'what it does', 'permission', 'callers', 'errors'],
    bySubject(operations).map((operation) => [
      code(operation.subject),
      operation.summary,
      code(operation.permission),
      namesOf(({ calls }) => calls.some(({ subject }) => subject === operation.subject)),
      ROUTED.has(operation.subject) ? '' : codes([...operation.errors].toSorted()),
    ]),
  )
}

function eventTable(events: readonly Event[]): string {
  return table(
    ['subject', 'fields', 'published by', 'received by', 'stream'],
    bySubject(events).map((event) => [
      code(event.subject),
      codes(fieldsOf(event)),
      publishersOf(event),
      namesOf(({ subscribes }) => isIn(subscribes, event)),
      USERS.some(([, { publishes }]) => isIn(publishes, event)) ? 'yes' : '',
    ]),
  )
}

function isIn(list: readonly Event[] | undefined, { subject }: Event): boolean {
  return list?.some((one) => one.subject === subject) ?? false
}

function publishersOf(event: Event): string {
  return namesOf(({ publishes, broadcasts }) => isIn(publishes, event) || isIn(broadcasts, event))
}

/** Returns the fields of an event, whose data is an object. */
function fieldsOf({ data }: Event): string[] {
  return Object.keys((data as { readonly shape?: object }).shape ?? {})
}

function bySubject<Item extends { readonly subject: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
}

function namesOf(has: (user: NatsUser) => boolean): string {
  return USERS.filter(([, user]) => has(user))
    .map(([name]) => name)
    .join(', ')
}
