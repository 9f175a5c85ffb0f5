import { isIP } from 'node:net'
import { MAX_CHUNK_PARTITIONS } from '@bearing/contracts/nats/streams'
import { DEVICE_LOGINS } from '@bearing/contracts/principal'
import { readNamedKeys } from '@bearing/service/ground/named-keys'
import {
  DATABASE_POOL_SETTING,
  PUBLIC_URL_SETTING,
  REDIS_URL_SETTING,
  SERVICE_SETTINGS,
  databaseSetting,
} from '@bearing/service/ground/service-settings'
import type { Constants, Setting, Values } from '@bearing/service/ground/settings'
import { z } from 'zod'
import { readSmtpUrl } from './ground/rules/read-smtp-url.js'
import { readSigningKeys } from './ground/rules/read-signing-keys.js'

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Reads text with a rule, and reports the rule's mistakes as mistakes of the setting. */
function readBy<Value>(read: (text: string, report: (mistake: string) => void) => Value | undefined) {
  return z.string().transform((text, context) => readInto(read, text, context))
}

function readInto<Value>(
  read: (text: string, report: (mistake: string) => void) => Value | undefined,
  text: string,
  context: z.RefinementCtx,
): Value {
  const value = read(text, (message) => {
    context.addIssue({ code: 'custom', message })
  })
  return value ?? z.NEVER
}

/** Returns whether `setServers` of node:dns accepts the text. */
function isDnsServer(text: string): boolean {
  return isIP(text.replace(/^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$2')) !== 0
}

/** Reads a size as NATS does: `20GB` and `20GiB` are 20 × 1024³ bytes, `20G` is 20 × 1000³. */
function readNatsSize(text: string): number {
  const [, number = '', unit = '', binary = ''] = /^(\d+)([kmgt]?)(.*)$/i.exec(text) ?? []
  const power = ' kmgt'.indexOf(unit.toLowerCase() || ' ')
  return Number(number) * (binary === '' ? 1_000 : 1_024) ** power
}

/** The settings of the identity service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  IDENTITY_DATABASE_URL: databaseSetting('identity'),
  DATABASE_POOL: DATABASE_POOL_SETTING,
  IDENTITY_SIGNING_KEYS: {
    schema: readBy(readSigningKeys),
    description:
      'Private Ed25519 keys for signing claims, as a JSON Web Key Set; the first one signs, all are published',
    secret: true,
  },
  IDENTITY_PEPPERS: {
    schema: readBy(readNamedKeys),
    description:
      'Keys for hashing secrets, as id:base64 of at least 32 bytes, comma separated; the first one is for new secrets. Remove a key only when no credential uses it any more',
    secret: true,
  },
  PUBLIC_URL: PUBLIC_URL_SETTING,
  SMTP_URL: {
    schema: z
      .string()
      .transform((text, context) =>
        text === '' ? undefined : text === 'log:' ? text : readInto(readSmtpUrl, text, context),
      ),
    description:
      'Mail server for invitations and password resets: `smtps://user:password@host?from=bearing@example.com`, or `smtp://…` for STARTTLS, with the sender of mails; without it both are rejected. `log:` prints mails with their links, for trying Bearing out; never use it if others can read the log',
    default: '',
    secret: true,
  },
  BREACHED_PASSWORDS_FILE: {
    schema: z.string(),
    description:
      'List of breached passwords in addition to the built-in one: sorted lines `SHA-1:count`, as the downloader of haveibeenpwned.com writes them',
    default: '',
  },
  REDIS_URL: REDIS_URL_SETTING,
  STREAM_REPLICAS: {
    schema: z.coerce.number().int().min(1).max(5),
    description: 'Servers of a NATS cluster that store each stream; 3 to survive the loss of one server',
    default: '1',
  },
  CHUNK_PARTITIONS: {
    schema: z.coerce.number().int().min(1).max(MAX_CHUNK_PARTITIONS),
    description:
      'Streams that the chunks of devices are divided among, by project; each has a leader of its own in a NATS cluster. The number can only grow',
    default: '1',
  },
  NATS_MAX_FILE_STORE: {
    schema: z
      .string()
      .regex(/^\d{1,15}(?:[kmgt](?:b|ib?)?)?$/i, 'must be bytes, such as 20GB')
      .transform(readNatsSize)
      .pipe(z.number().min(16_777_216, 'must be at least 16MB')),
    description:
      'Bytes that a NATS server can store, the same as its `max_file_store`; divided among the streams, so that files never use the reserve of chunks, observations and events',
    default: '20GB',
  },
  SESSION_IDLE_S: {
    // The last use is stored once a minute, so much less would sign out active users.
    schema: whole(300, 2_592_000),
    description: 'Seconds without requests after which a browser session ends',
    default: '43200',
  },
  SESSION_LIFETIME_S: {
    schema: whole(300, 31_536_000),
    description: 'Seconds after which a browser session ends in any case',
    default: '604800',
  },
  DEVICE_LOGINS: {
    schema: z.enum(DEVICE_LOGINS),
    description:
      'Which command lines a browser can sign in (`bearing login`): `on`, all; `same-network`, those that asked from the IPv4 address or IPv6 /64 of the browser; `off`, none. It also applies to their present sessions',
    default: 'on',
  },
  SSO_ALLOW_PRIVATE_ISSUERS: {
    schema: z.enum(['yes', 'no']).transform((text) => text === 'yes'),
    description:
      'Whether identity providers may have private IP addresses, and on this machine no TLS: `yes` or `no`. Admins of organizations choose the URLs, so `yes` lets them make identity send requests to your network',
    default: 'no',
  },
  DNS_SERVERS: {
    schema: z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      )
      .pipe(z.array(z.string().refine(isDnsServer, 'must be IP addresses'))),
    description:
      'Name servers for verifying email domains, as IP address or IP address:port, comma separated; those of the machine if empty',
    default: '',
  },
} as const satisfies Record<string, Setting>

/** Numbers that only tests change. */
export const CONSTANTS = {
  /** Seconds between two checkpoints of a chain of the audit log, if it moved. */
  CHECKPOINT_INTERVAL_S: 60,
  /** Days after which dead letters are deleted. */
  PUT_ASIDE_DAYS: 30,
  /** Failed sign-ins per account and network (IPv6: a /64) allowed in a day, before backoff starts. */
  PASSWORD_ATTEMPTS: 5,
  /** Active organization auth tokens of one organization. */
  TOKENS_PER_ORGANIZATION: 1_000,
  /** Passwords that are hashed concurrently. */
  PASSWORD_HASH_CONCURRENCY: 2,
  /** Memory for hashing a password, in KiB (argon2id, m), as OWASP recommends. */
  PASSWORD_HASH_MEMORY_KIB: 19_456,
  /** Seconds for which signed claims are valid: as long as services may be wrong about a revoked credential. */
  CLAIMS_LIFETIME_S: 60,
  /** Passes of a password hash over its memory (argon2id, t), as OWASP recommends for 19 MiB. */
  PASSWORD_HASH_PASSES: 2,
  /** Percentage of time that each hashing thread works; it pauses for the rest, so that other requests are served. */
  PASSWORD_HASH_SHARE: 10,
  /** Passwords that may wait to be hashed; more are rejected as overloaded: they would wait longer than a client does. */
  PASSWORD_HASH_WAITING: 64,
  /** Longest backoff in seconds between sign-in attempts of a network to an account: an attacker gets 96 guesses a day. */
  PASSWORD_BACK_OFF_S: 900,
} satisfies Constants

/** The parsed settings, and the constants. */
export type Settings = Values<typeof CONFIG> & typeof CONSTANTS
