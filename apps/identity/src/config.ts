import { isIP } from 'node:net'
import { readNamedKeys } from '@bearing/service/named-keys'
import {
  DATABASE_POOL_SETTING,
  PUBLIC_URL_SETTING,
  REDIS_URL_SETTING,
  SERVICE_SETTINGS,
  databaseSetting,
} from '@bearing/service/service-settings'
import type { Setting } from '@bearing/service/settings'
import { z } from 'zod'
import { readSmtpUrl } from './ground/rules/read-smtp-url.js'
import { readSigningKeys } from './ground/rules/read-signing-keys.js'

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A text that a rule reads, with the rule's mistakes as the setting's. */
function readBy<Value>(read: (text: string, told: (mistake: string) => void) => Value | undefined) {
  return z.string().transform((text, context) => readInto(read, text, context))
}

function readInto<Value>(
  read: (text: string, told: (mistake: string) => void) => Value | undefined,
  text: string,
  context: z.RefinementCtx,
): Value {
  const value = read(text, (message) => {
    context.addIssue({ code: 'custom', message })
  })
  return value ?? z.NEVER
}

/** As `setServers` of node:dns takes them. */
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
      'Private Ed25519 keys that claims are signed with, as a JSON Web Key Set; the first one signs, all are published',
    secret: true,
  },
  IDENTITY_PEPPERS: {
    schema: readBy(readNamedKeys),
    description:
      'Keys that the hashes of secrets are made with, as id:base64 of at least 32 bytes, comma separated; the first one is for new secrets, and one may only go when no credential uses it any more',
    secret: true,
  },
  PUBLIC_URL: PUBLIC_URL_SETTING,
  SMTP_URL: {
    schema: z
      .string()
      .transform((text, context) => (text === '' ? undefined : readInto(readSmtpUrl, text, context))),
    description:
      'Mail server that invitations and links for new passwords are sent with: `smtps://user:password@host`, or `smtp://…` for STARTTLS; without it both are refused',
    default: '',
    secret: true,
  },
  MAIL_FROM: {
    schema: z.union([z.literal(''), z.email()]),
    description: 'Address that mails come from; needed with `SMTP_URL`',
    default: '',
  },
  MAIL_TO_LOG: {
    schema: z.enum(['', 'local']),
    description:
      '`local`: mails are printed instead of sent, links and all. For `pnpm start`, and never where others read the log',
    default: '',
  },
  BREACHED_PASSWORDS_FILE: {
    schema: z.string(),
    description:
      'A list of breached passwords, beside the small one that is built in: sorted lines `SHA-1:count`, as the downloader of haveibeenpwned.com writes them',
    default: '',
  },
  CLAIMS_LIFETIME_S: {
    // Claims that are about to end are not remembered: with less than half a minute nothing would ever be.
    schema: whole(30, 60),
    description: 'Seconds that signed claims are good for',
    default: '60',
  },
  REDIS_URL: REDIS_URL_SETTING,
  STREAM_REPLICAS: {
    schema: z.coerce.number().int().min(1).max(5),
    description:
      'Servers of a NATS cluster that each stream is stored on; 3 where nothing may be lost with one of them',
    default: '1',
  },
  NATS_MAX_FILE_STORE: {
    schema: z
      .string()
      .regex(/^\d{1,15}(?:[kmgt](?:b|ib?)?)?$/i, 'must be bytes, such as 20GB')
      .transform(readNatsSize)
      .pipe(z.number().min(16_777_216, 'must be at least 16MB')),
    description:
      'Bytes that a NATS server stores at most, the same as `max_file_store` of NATS; divided among the streams, so that files never use the reserve of chunks, observations and events',
    default: '20GB',
  },
  PUT_ASIDE_DAYS: {
    schema: z.coerce.number().int().min(1).max(3_650),
    description:
      'Days after which messages are deleted that no service could work off: dead letters and rejected observations',
    default: '30',
  },
  PASSWORD_ATTEMPTS: {
    schema: whole(1, 1_000_000),
    description:
      'Wrong passwords for an account from one address (IPv6: a /64) that cost no waiting, in a day',
    default: '5',
  },
  PASSWORD_ATTEMPTS_OF_STRANGERS: {
    schema: whole(1, 1_000_000),
    description:
      'The same from all addresses together that its right password did not come from in the last 14 days',
    default: '50',
  },
  PASSWORD_BACK_OFF_S: {
    schema: whole(1, 86_400),
    description: 'Seconds that an address waits at most for its next attempt at an account',
    default: '900',
  },
  TOKENS_PER_ORGANIZATION: {
    schema: whole(1, 1_000_000),
    description: 'Organization auth tokens of one organization that work at the same time',
    default: '1000',
  },
  SESSION_IDLE_S: {
    // Uses are noted once a minute: with much less than this, somebody at work would be signed out.
    schema: whole(300, 2_592_000),
    description: 'Seconds without use after which a session of a browser ends',
    default: '43200',
  },
  SESSION_LIFETIME_S: {
    schema: whole(300, 31_536_000),
    description: 'Seconds after which a session ends, however much it is used',
    default: '604800',
  },
  TOTP_ISSUER: {
    schema: z.string().regex(/^[^:\p{Cc}]{1,64}$/u, 'must be 1 to 64 characters, without ":"'),
    description: 'What authenticator apps call this Bearing',
    default: 'Bearing',
  },
  SSO_ALLOW_PRIVATE_ISSUERS: {
    schema: z.enum(['yes', 'no']).transform((text) => text === 'yes'),
    description:
      'Whether identity providers may be at addresses that are not public, and on this machine without TLS: `yes` or `no`. Admins of organizations name them, so with `yes` they can make identity ask machines of your network',
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
      .pipe(z.array(z.string().refine(isDnsServer, 'must be addresses'))),
    description:
      'Name servers that e-mail domains are verified with, as address or address:port, comma separated; those of the machine unless given',
    default: '',
  },
  PASSWORD_HASH_CONCURRENCY: {
    schema: whole(1, 64),
    description: 'Passwords that are hashed at the same time',
    default: '2',
  },
  PASSWORD_HASH_SHARE: {
    schema: whole(1, 100),
    description:
      'Percent of its time that each of these threads hashes; then it rests, for others to be served',
    default: '10',
  },
  PASSWORD_HASH_WAITING: {
    schema: whole(0, 10_000),
    description: 'Passwords that may wait to be hashed; more are refused as overloaded',
    default: '64',
  },
  PASSWORD_HASH_MEMORY_KIB: {
    schema: whole(7_168, 1_048_576),
    description: 'Memory that hashing a password takes, in KiB (argon2id, m)',
    default: '19456',
  },
  PASSWORD_HASH_PASSES: {
    schema: whole(1, 100),
    description: 'Passes over that memory (argon2id, t)',
    default: '2',
  },
  PASSWORD_HASH_LANES: {
    schema: whole(1, 16),
    description: 'Lanes of that memory (argon2id, p)',
    default: '1',
  },
} as const satisfies Record<string, Setting>
