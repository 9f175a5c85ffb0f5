import { MAX_BATCH_CALLS, batchSubject } from '@bearing/contracts/operation'
import { OBJECT_STORE, objectSubject } from './object-subjects.js'
import { NATS_USERS, NATS_USER_NAMES, type NatsUser, type NatsUserName } from '@bearing/contracts/nats-users'
import { WORK_STREAMS } from '@bearing/contracts/streams'

/** What a user may do: NATS refuses everything else. */
export interface Permissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** Whether it may reply to what it was sent. */
  readonly replies: boolean
}

/**
 * How long after a request its reply may be sent: a minute more than the longest deadline that a caller may set, and one
 * reply for each call, since that is what operations give; calls that travel together may be answered one by one.
 */
const REPLIES = `allow_responses: { max: ${String(MAX_BATCH_CALLS)}, expires: "11m" }`

/** What the subjects of a connection's inboxes begin with: nobody else may listen there. */
export function inboxPrefix(name: string): string {
  return `_INBOX_${name}`
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
      ...(user.tells ?? []).map(({ subject }) => subject),
      ...(user.keepsStreams ? streamSubjects() : []),
      ...workSubjects(name, user),
      ...(user.keepsFiles ? fileSubjects() : []),
      ...(user.discovers ? ['$SRV.>'] : []),
    ]),
    subscribe: sorted([
      `${inboxPrefix(name)}.>`,
      ...user.hears.map(({ subject }) => subject),
      ...(user.answers ? [`${name}.>`, '$SRV.*', `$SRV.*.${name}`, `$SRV.*.${name}.*`] : []),
    ]),
    replies: user.answers,
  }
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
export function userConfiguration(nkey: string, { publish, subscribe, replies }: Permissions): string {
  return [
    '{',
    `  nkey: ${nkey}`,
    '  permissions: {',
    // An empty list of what is allowed would allow everything.
    publish.length > 0 ? `    publish: { allow: ${list(publish)} }` : '    publish: { deny: [">"] }',
    `    subscribe: { allow: ${list(subscribe)} }`,
    ...(replies ? [`    ${REPLIES}`] : []),
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
    ...workers().map(({ worker, stream }) => `$JS.API.CONSUMER.CREATE.${stream}.${worker}`),
  ]
}

/** Who works off which queue. Consumers are made like streams: whoever makes one says where its messages go. */
export function workers(): { readonly worker: string; readonly stream: string }[] {
  return NATS_USER_NAMES.flatMap((worker) =>
    ((NATS_USERS[worker] as NatsUser).worksOff ?? []).map(({ name: stream }) => ({ worker, stream })),
  )
}

function workSubjects(user: string, { stores = [], worksOff = [], tends = [] }: NatsUser): string[] {
  return [
    ...stores.map(({ subject }) => `${subject}.>`),
    ...worksOff.flatMap(({ name }) => [
      `$JS.API.STREAM.INFO.${name}`,
      `$JS.API.CONSUMER.INFO.${name}.${user}`,
      `$JS.API.CONSUMER.MSG.NEXT.${name}.${user}`,
      `$JS.ACK.${name}.${user}.>`,
    ]),
    ...tends.flatMap(({ name }) => [`$JS.API.STREAM.MSG.GET.${name}`, `$JS.API.STREAM.MSG.DELETE.${name}`]),
  ]
}

/** Whoever keeps files writes, reads and takes them away; the stream itself is none of their business. */
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
