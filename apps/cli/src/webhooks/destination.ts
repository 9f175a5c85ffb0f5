import { readFile } from 'node:fs/promises'
import { AUDIT_FORMATS, WEBHOOK_KINDS } from '@bearing/contracts/management/webhook-destination'
import { InvalidArgumentError } from 'commander'
import { oneOf, parsed, type ValuesOf } from '../ground/arguments.js'
import { UsageError, unreadable } from '../ground/usage-error.js'
import type { Cli } from '../session/cli.js'

const SOURCES = ['device-data', 'audit-log'] as const
const DESTINATIONS = WEBHOOK_KINDS.filter((kind) => kind !== 'webhook')

/** Returns the options that name a destination. */
export function destinationFlags(about: string) {
  return {
    '--to <kind>': oneOf(about, DESTINATIONS),
    '--region <region>': 'region of the bucket (with --to s3)',
    '--source <source>': oneOf('what it receives (with --to ndjson or s3; default: device-data)', SOURCES),
    '--format <format>': oneOf('form of the audit log (default: json)', AUDIT_FORMATS),
    '--lock-days <days>': parsed('lock objects of the audit log for so many days (with --to s3)', wholeDays),
    '--ca <file>': 'certificate of the CA of the receiver, in PEM (with --to syslog)',
    '--key-header <name>': 'header of the project key (with --to device_api; default: Service-Project-Key)',
  } as const
}

type DestinationFlags = ValuesOf<ReturnType<typeof destinationFlags>>

/** Returns the destination that flags name, with credentials from standard input. */
export async function destinationOf(cli: Cli, { to: kind, region, keyHeader, ...flags }: DestinationFlags) {
  const { format, source, lockDays, ca } = flags
  if (kind === undefined) {
    if (region ?? keyHeader ?? format ?? source ?? lockDays ?? ca) throw new UsageError('Give --to as well.')
    return undefined
  }
  const contents = {
    ...(source !== undefined && ({ source: source === 'audit-log' ? 'audit_log' : 'device_data' } as const)),
    ...(format !== undefined && { format }),
  }
  switch (kind) {
    case 's3': {
      if (region === undefined) throw new UsageError('Give --region as well.')
      const [access_key_id = '', secret_access_key = ''] = await cli.askSecrets(
        ['the access key id', 'the secret access key'],
        'known',
      )
      return { ...contents, kind, region, access_key_id, secret_access_key, object_lock_days: lockDays }
    }
    case 'ndjson':
      return { ...contents, kind }
    case 'syslog': {
      if (ca === undefined) return { kind, format }
      const ca_certificate = await readFile(ca, 'utf8').catch((error: unknown) => {
        throw unreadable(ca, error)
      })
      return { kind, format, ca_certificate }
    }
    case 'device_api':
      return { kind, project_key: await cli.askSecret('the project key'), project_key_header: keyHeader }
  }
}

function wholeDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number of days.')
}
