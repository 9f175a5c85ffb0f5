import { Buffer } from 'node:buffer'
import { normalizeRange } from '@bearing/access/address-ranges'
import { readNamedKeys } from '@bearing/service/named-keys'
import { DATABASE_POOL_SETTING, SERVICE_SETTINGS, databaseSetting } from '@bearing/service/service-settings'
import type { Setting, Values } from '@bearing/service/settings'
import { z } from 'zod'

/** Keys as `<base64>,<base64>`: at least one. */
const keys = (text: string) => text.split(',').map((key) => new Uint8Array(Buffer.from(key.trim(), 'base64')))

/** Sizes as `<name>=<bytes>,<name>=<bytes>`. */
const sizes = (text: string) =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', bytes = ''] = part.split('=')
      return [name.trim(), Number(bytes)]
    }),
  )

/** Ranges of addresses, comma separated. */
function ranges(text: string, context: z.RefinementCtx): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => {
      const range = normalizeRange(part)
      if (range === undefined)
        context.addIssue({
          code: 'custom',
          message: 'must be addresses or ranges like 10.0.0.0/8, comma separated',
        })
      return range ?? []
    })
}

/** Pauses in seconds, comma separated. */
const DELAYS = /^\d{1,6}(,\d{1,6}){0,49}$/

/** As contracts: DataPolicy has it. */
const MAX_BYTES_PER_DAY = 2 ** 50

/** The settings of the management service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  MANAGEMENT_DATABASE_URL: databaseSetting('management'),
  DATABASE_POOL: DATABASE_POOL_SETTING,
  RETENTION_INTERVAL_MS: {
    schema: z.coerce.number().int().min(1_000).max(86_400_000),
    description:
      'Milliseconds after which chunks are looked for again that are older than their project keeps them',
    default: '600000',
  },
  MANAGEMENT_UPLOAD_KEYS: {
    schema: z
      .string()
      .transform(keys)
      .pipe(
        z
          .tuple([z.instanceof(Uint8Array)], z.instanceof(Uint8Array))
          .refine(
            (all) => all.every((key) => key.length >= 32),
            'must be keys of 32 bytes or more in base64, comma separated',
          ),
      ),
    description:
      'Keys that addresses and tokens of uploads are signed with, in base64, comma separated; the first signs, all are accepted',
    secret: true,
  },
  MANAGEMENT_SECRET_KEYS: {
    schema: z.string().transform((text, context) => {
      const read = readNamedKeys(text, (message) => {
        context.addIssue({ code: 'custom', message })
      })
      return read ?? z.NEVER
    }),
    description:
      'Keys that the secrets of webhooks are sealed under, as id:base64 of at least 32 bytes, comma separated; the first one is for new secrets, and one may only go when every secret that is older than the one before it was rotated',
    secret: true,
  },
  WEBHOOK_PRIVATE_RANGES: {
    schema: z.string().transform(ranges),
    description:
      'Ranges of addresses that webhooks may be sent to although they are not public, there without TLS too: `10.1.0.0/16,fd00::/8`. Managers of projects name the addresses, so they can make management ask every machine in them',
    default: '',
  },
  WEBHOOK_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(30_000),
    description: 'Milliseconds that a receiver of a webhook has for its whole reply',
    default: '10000',
  },
  WEBHOOK_RETRY_DELAYS_S: {
    schema: z
      .string()
      .regex(DELAYS, 'must be seconds, comma separated')
      .transform((text) => text.split(',').map((seconds) => Number(seconds) * 1_000)),
    description:
      'Seconds after which a delivery to a webhook is tried again, for each attempt, comma separated; a fifth more by chance',
    default: '5,300,1800,7200,18000,36000,50400,72000,86400',
  },
  WEBHOOK_PAUSE_AFTER_S: {
    schema: z.coerce.number().int().min(1).max(2_592_000),
    description: 'Seconds after which a webhook is paused that has accepted nothing meanwhile',
    default: '259200',
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
    description: 'The most bytes that an uploaded file may have, by its kind (contracts: FileKind)',
    default: 'coredump=268435456,default=2147483648',
  },
  PROJECTS_PER_ORGANIZATION: {
    schema: z.coerce.number().int().min(1).max(1_000_000),
    description: 'Projects that one organization may have',
    default: '1000',
  },
  DEVICES_PER_ORGANIZATION: {
    schema: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    description:
      'Devices that the projects of one organization may have together; data of further devices becomes dead letters, and those that are known are not affected',
    default: '1000000',
  },
  PROJECT_FILES_MAX_BYTES: {
    schema: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    description: 'The most bytes that the files of one project may have together; 0 for any number',
    default: '4294967296',
  },
  ORGANIZATION_FILES_MAX_BYTES: {
    schema: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    description:
      'The most bytes that the files of all projects of one organization may have together; 0 for any number',
    default: '6442450944',
  },
  PROJECT_CHUNK_BYTES_PER_DAY: {
    schema: z.coerce.number().int().min(0).max(MAX_BYTES_PER_DAY),
    description:
      'The most bytes of chunks that the devices of one project may send in a day (UTC); its data policy can allow less; 0 for any number',
    default: '4294967296',
  },
  ORGANIZATION_CHUNK_BYTES_PER_DAY: {
    schema: z.coerce.number().int().min(0).max(MAX_BYTES_PER_DAY),
    description:
      'The most bytes of chunks that the devices of all projects of one organization may send in a day (UTC); 0 for any number',
    default: '8589934592',
  },
  UPLOAD_KEPT_MS: {
    schema: z.coerce.number().int().min(1_000).max(604_800_000),
    description: 'Milliseconds after which an upload that was not committed is taken away',
    default: '86400000',
  },
  UPLOAD_SWEEP_INTERVAL_MS: {
    schema: z.coerce.number().int().min(100).max(3_600_000),
    description: 'Milliseconds after which abandoned uploads are looked for again',
    default: '60000',
  },
  S3_BUCKET: {
    schema: z.string().max(63),
    description: 'Bucket of S3 that files are kept in; without one, in the object store of NATS',
    default: '',
  },
  S3_ENDPOINT: {
    schema: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
    description: 'Address of an S3-compatible server that clients reach too; AWS unless given',
    default: '',
  },
  S3_REGION: { schema: z.string().min(1), description: 'Region of the bucket', default: 'us-east-1' },
  S3_ACCESS_KEY_ID: {
    schema: z.string(),
    description: 'Who uses the bucket; without it, what the machine is given (AWS SDK)',
    default: '',
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string(),
    description: 'Proof of that',
    default: '',
    secret: true,
  },
} as const satisfies Record<string, Setting>

/** The parsed settings. */
export type Settings = Values<typeof CONFIG>
