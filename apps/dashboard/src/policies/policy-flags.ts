import { FILE_KINDS } from '@bearing/contracts/management/file'
import { SAMPLING_ASPECTS } from '@bearing/contracts/management/sampling'
import type { DataPolicy } from './data-policy.js'

const NUMBERS = [
  ['bytes_per_day', '--bytes-per-day'],
  ['requests_per_minute', '--requests-per-minute'],
  ['device_requests_per_minute', '--device-requests-per-minute'],
  ['retention_days', '--retention-days'],
  ['files_bytes', '--files-bytes'],
] as const

/** Returns the flags of the command that changes one policy to another; empty if they are the same. */
export function policyFlags(before: DataPolicy, after: DataPolicy): string {
  const kinds = FILE_KINDS.filter(
    (kind) => before.file_retention_days[kind] !== after.file_retention_days[kind],
  ).map((kind) => `${kind}=${String(after.file_retention_days[kind] ?? 'none')}`)
  return [
    ...NUMBERS.filter(([name]) => before[name] !== after[name]).map(
      ([name, flag]) => `${flag} ${String(after[name] ?? 'none')}`,
    ),
    ...(before.known_devices_only === after.known_devices_only
      ? []
      : [`--known-devices-only ${after.known_devices_only ? 'yes' : 'no'}`]),
    ...(kinds.length > 0 ? [`--file-retention-days ${kinds.join(' ')}`] : []),
    ...SAMPLING_ASPECTS.filter((aspect) => before.sampling[aspect] !== after.sampling[aspect]).map(
      (aspect) => `--${aspect} ${after.sampling[aspect]}`,
    ),
  ]
    .map((flag) => ` ${flag}`)
    .join('')
}
