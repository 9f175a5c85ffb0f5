import { batchSubject } from '@bearing/contracts/operation'
import { OBJECT_STORE, objectSubject } from '../streams/object-subjects.js'
import {
  NATS_USERS,
  NATS_USER_NAMES,
  type NatsUser,
  type NatsUserName,
} from '@bearing/contracts/nats/nats-users'
import { WORK_STREAMS, type WorkStream } from '@bearing/contracts/nats/streams'
import type { Work } from '../streams/work-consumer.js'
import { DISCOVERY, replyPrefix } from './inboxes.js'

/** The subjects that a user may use: NATS refuses everything else. */
export interface Permissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** The stream that a service stores its events in. */
export function streamOf(service: string): string {
  return service.toUpperCase()
}

/** The permissions that a user needs for what it does, and no more. */
export function permissionsOf(name: string, user: NatsUser): Permissions {
  return {
    publish: sorted([
      ...user.calls.map(({ subject }) => subject),
      ...user.calls.filter(({ batched }) => batched).map(batchSubject),
      ...user.publishes.map(({ subject }) => subject),
      ...(user.broadcasts ?? []).map(({ subject }) => subject),
      ...(user.createsStreams ? streamSubjects() : []),
      ...workSubjects(name, user),
      ...(user.storesFiles ? fileSubjects() : []),
      ...(user.discovers ? ['$SRV.>'] : []),
      // And not `allow_responses`: NATS would track every request for as long as its reply may take, and look through
      // all of them at every message.
      ...(user.serves ? [`${replyPrefix('*', name)}.>`] : []),
      ...(isDiscovered(user) ? [`${replyPrefix('*', DISCOVERY)}.>`] : []),
    ]),
    subscribe: sorted([
      `_INBOX.${name}.>`,
      ...user.subscribes.map(({ subject }) => subject),
      ...(user.serves ? [`${name}.>`] : []),
      ...(isDiscovered(user) ? ['$SRV.*', `$SRV.*.${name}`, `$SRV.*.${name}.*`] : []),
    ]),
  }
}

function isDiscovered({ serves, reports = false }: NatsUser): boolean {
  return serves || reports
}

/** All users, as a NATS server's configuration has them: see {@link userConfiguration}. */
export function usersConfiguration(nkeys: Readonly<Record<NatsUserName, string>>): string[] {
  return NATS_USER_NAMES.map((name) => userConfiguration(nkeys[name], permissionsOf(name, NATS_USERS[name])))
}

/**
 * A user, as a NATS server's configuration has it.
 *
 * @param nkey its public key, or a variable of the environment that holds it, such as `$NATS_GATEWAY_NKEY`
 */
export function userConfiguration(nkey: string, { publish, subscribe }: Permissions): string {
  return [
    '{',
    `  nkey: ${nkey}`,
    '  permissions: {',
    // An empty list of what is allowed would allow everything.
    publish.length > 0 ? `    publish: { allow: ${list(publish)} }` : '    publish: { deny: [">"] }',
    `    subscribe: { allow: ${list(subscribe)} }`,
    '  }',
    '}',
  ].join('\n')
}

function streamSubjects(): string[] {
  const streams = NATS_USER_NAMES.filter((name) => NATS_USERS[name].publishes.length > 0).map(streamOf)
  return [
    ...[...streams, OBJECT_STORE, ...WORK_STREAMS.map(({ name }) => name)].flatMap((stream) =>
      ['CREATE', 'INFO', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
    ),
    ...workers().flatMap(({ worker, stream }) =>
      ['CREATE', 'DELETE', 'INFO'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${worker}`),
    ),
  ]
}

/**
 * Returns the service that consumes each queue. Consumers are created like streams: their creator decides where messages go.
 *
 * @param streams those that exist (default: all that can)
 */
export function workers(streams: readonly WorkStream[] = WORK_STREAMS): Work[] {
  const names = new Set(streams.map(({ name }) => name))
  return NATS_USER_NAMES.flatMap((worker) =>
    ((NATS_USERS[worker] as NatsUser).consumes ?? [])
      .filter(({ name }) => names.has(name))
      .map(({ name: stream }) => ({ worker, stream })),
  )
}

function workSubjects(
  user: string,
  { stores = [], consumes = [], manages = [], opens = [] }: NatsUser,
): string[] {
  return [
    ...stores.map(({ subject }) => `${subject}.>`),
    // A publisher to a queue has to know how full it is: see QueueShares.
    ...stores.filter(({ queue }) => queue).map(({ name }) => `$JS.API.STREAM.INFO.${name}`),
    ...consumes.flatMap(({ name }) => [
      `$JS.API.STREAM.INFO.${name}`,
      `$JS.API.CONSUMER.INFO.${name}.${user}`,
      `$JS.API.CONSUMER.MSG.NEXT.${name}.${user}`,
      `$JS.ACK.${name}.${user}.>`,
    ]),
    ...manages.flatMap(({ name, feed }) =>
      ['INFO', ...(feed ? ['PURGE'] : ['MSG.GET', 'MSG.DELETE'])].map(
        (verb) => `$JS.API.STREAM.${verb}.${name}`,
      ),
    ),
    ...manages.filter(({ feed }) => feed).map(({ name }) => `$JS.API.CONSUMER.LIST.${name}`),
    ...opens.flatMap(({ name }) => [
      `$JS.API.STREAM.INFO.${name}`,
      `$JS.API.CONSUMER.CREATE.${name}.>`,
      `$JS.API.CONSUMER.LIST.${name}`,
      `$JS.API.CONSUMER.DELETE.${name}.*`,
    ]),
  ]
}

/** The service that keeps files writes, reads and deletes them, but may not touch the stream itself. */
function fileSubjects(): string[] {
  return [
    objectSubject.chunks('*'),
    objectSubject.about('*'),
    `$JS.API.DIRECT.GET.${OBJECT_STORE}`,
    `$JS.API.STREAM.PURGE.${OBJECT_STORE}`,
  ]
}

function list(subjects: readonly string[]): string {
  return `[\n${subjects.map((subject) => `      "${subject}"\n`).join('')}    ]`
}

function sorted(subjects: readonly string[]): string[] {
  return [...new Set(subjects)].sort()
}
