import { readNamedKeys } from '@bearing/service/ground/named-keys'
import { readRanges } from '@bearing/service/ground/read-ranges'
import {
  DATABASE_POOL_SETTING,
  SERVICE_SETTINGS,
  databaseSetting,
} from '@bearing/service/ground/service-settings'
import type { Constants, Setting, Values } from '@bearing/service/ground/settings'
import { z } from 'zod'

/** Sizes as `<name>=<bytes>,<name>=<bytes>`. */
const sizes = (text: string) =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', bytes = ''] = part.split('=')
      return [name.trim(), Number(bytes)]
    }),
  )

/** Reads `<id>:<secret>`. The id contains no colon. */
function readAccessKey(text: string, context: z.RefinementCtx) {
  const [, accessKeyId = '', secretAccessKey = ''] = /^([^:]+):(.+)$/s.exec(text) ?? []
  if (text === '') return undefined
  if (accessKeyId !== '') return { accessKeyId, secretAccessKey }
  context.addIssue('must be an access key id and its secret, with a colon between them')
  return z.NEVER
}

/** As contracts: DataPolicy has it. */
const MAX_BYTES_PER_DAY = 2 ** 50

/** The settings of the management service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  MANAGEMENT_DATABASE_URL: databaseSetting('management'),
  DATABASE_POOL: DATABASE_POOL_SETTING,
  MANAGEMENT_SECRET_KEYS: {
    schema: z.string().transform((text, context) => {
      const read = readNamedKeys(text, (message) => context.addIssue({ code: 'custom', message }))
      return read ?? z.NEVER
    }),
    description:
      'Keys for encrypting webhook secrets and signing upload URLs, as id:base64 of at least 32 bytes, comma separated; the first one is for new ones. Remove a key only when every secret that was created under it has been rotated',
    secret: true,
  },
  WEBHOOK_PRIVATE_RANGES: {
    schema: z.string().transform(readRanges),
    description:
      'Private ranges of IP addresses that webhooks may be sent to, there without TLS too: `10.1.0.0/16,fd00::/8`. Managers of projects choose the URLs, so they can make management send requests to every machine in these ranges',
    default: '',
  },
  DELETED_KEPT_DAYS: {
    schema: z.coerce.number().min(0).max(3650),
    description:
      'Days for which a deleted organization or project can be restored; then it is erased. Fractions are allowed',
    default: '7',
  },
  ORGANIZATION_CREATION: {
    schema: z.enum(['users', 'operators']),
    description:
      '`users`: every user creates organizations; `operators`: operators alone, with `bearing admin organizations create`. Teams of partner connections create theirs in both cases',
    default: 'users',
  },
  DEVICES_PER_ORGANIZATION: {
    schema: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    description:
      'Devices of all projects of one organization; data of further devices becomes dead letters, and known devices are not affected',
    default: '1000000',
  },
  ORGANIZATION_FILES_MAX_BYTES: {
    schema: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    description:
      'Bytes of all files of one organization, of which one project may use two thirds; 0 for no limit. All organizations that one user created may use as much together, unless `ORGANIZATION_CREATION` is `operators`',
    default: '1073741824',
  },
  ORGANIZATION_CHUNK_BYTES_PER_DAY: {
    schema: z.coerce.number().int().min(0).max(MAX_BYTES_PER_DAY),
    description:
      'Bytes of chunks that the devices of one organization may send per day (UTC), those of one project half of them; 0 for no limit',
    default: '8589934592',
  },
  UPLOAD_MAX_BYTES: {
    schema: z
      .string()
      .regex(
        /^[a-z_-]+=\d{1,11}(,[a-z_-]+=\d{1,11})*$/,
        'must be like coredump=1000000,default=2000000, comma separated',
      )
      .transform(sizes)
      .refine((found) => 'default' in found, 'must say the default')
      .refine(
        (found) => Object.values(found).every((bytes) => bytes <= 17_179_869_184),
        'must be at most 16 GiB each',
      ),
    description: 'Largest size of an uploaded file in bytes, by its kind (contracts: FileKind)',
    default: 'coredump=268435456,default=2147483648',
  },
  S3_BUCKET: {
    schema: z.string().max(63),
    description:
      'S3 bucket for files and payloads of chunks; if empty, files are stored in the object store of NATS, payloads in Postgres',
    default: '',
  },
  S3_ENDPOINT: {
    schema: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
    description: 'URL of an S3-compatible server that clients can reach too; AWS if empty',
    default: '',
  },
  S3_REGION: { schema: z.string().min(1), description: 'Region of the bucket', default: 'us-east-1' },
  S3_ACCESS_KEY: {
    schema: z.string().transform(readAccessKey),
    description:
      'Access key of the bucket, as `<access key id>:<secret access key>`; if empty, the credentials of the machine (AWS SDK)',
    default: '',
    secret: true,
  },
} as const satisfies Record<string, Setting>

/** Numbers that only tests change: receivers and devices are built for some of them. */
export const CONSTANTS = {
  /** Projects of one organization. */
  PROJECTS_PER_ORGANIZATION: 1_000,
  /** Share of ORGANIZATION_FILES_MAX_BYTES that one project may use. */
  PROJECT_FILES_SHARE: 2 / 3,
  /** Share of ORGANIZATION_FILES_MAX_BYTES that all organizations that one user created may use together. */
  CREATOR_FILES_SHARE: 1,
  /** Share of ORGANIZATION_CHUNK_BYTES_PER_DAY that one project may use; its data policy can allow less. */
  PROJECT_CHUNK_SHARE: 1 / 2,
  /** Milliseconds in which a receiver of a webhook has to send its whole response. */
  WEBHOOK_TIMEOUT_MS: 10_000,
  /** Seconds before each retry of a delivery, plus up to 20 % at random: three days in all, a weekend and a holiday. */
  WEBHOOK_RETRY_DELAYS_S: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** Seconds without a successful delivery after which a webhook is paused: three days. */
  WEBHOOK_PAUSE_AFTER_S: 259_200,
  /** Milliseconds for which items wait for more, before they are written to a bucket of a webhook. */
  S3_OBJECT_AGE_MS: 60_000,
  /** Milliseconds after which an upload that was not committed is deleted: a day, for clients that resume. */
  UPLOAD_KEPT_MS: 86_400_000,
  /** Seconds between the stop of credentials and the first erased row: claims live for 60 s, and requests under way end. */
  ERASURE_SETTLE_S: 120,
  /** Seconds after which another process continues an erasure whose process has died. A turn is shorter. */
  ERASURE_LEASE_S: 45,
} satisfies Constants

/** The parsed settings, and the constants. */
export type Settings = Values<typeof CONFIG> & typeof CONSTANTS
