import type { CallOutput } from '@bearing/client/call-types'
import { FILE_KINDS } from '@bearing/contracts/management/data/file'
import { count, size } from '../ground/amounts.js'
import { KIND_TEXTS } from '../ground/kinds.js'

export type DataPolicy = CallOutput<'showDataPolicy'>

/** Returns a number of days in words. */
export function days(amount: number): string {
  return amount === 1 ? '1 day' : `${count(amount)} days`
}

/** Returns what a policy means, in sentences. */
export function sentencesOf(policy: DataPolicy): readonly string[] {
  const { retention_days, bytes_per_day, requests_per_minute, device_requests_per_minute } = policy
  const kept = FILE_KINDS.filter((kind) => policy.file_retention_days[kind] === undefined)
  const ending = FILE_KINDS.flatMap((kind) => {
    const limit = policy.file_retention_days[kind]
    return limit === undefined ? [] : [`${KIND_TEXTS[kind]} files are deleted after ${days(limit)}.`]
  })
  return [
    policy.known_devices_only
      ? 'Only devices that are registered, or have sent data before, may send.'
      : 'Any device with the project key may send.',
    retention_days === null
      ? 'Chunks are kept until their device is deleted.'
      : `Chunks are deleted after ${days(retention_days)}.`,
    ...ending,
    ...(kept.length > 0
      ? [
          `${kept.length === FILE_KINDS.length ? 'Files' : 'All other files'} are kept until they are deleted.`,
        ]
      : []),
    bytes_per_day === null
      ? 'Devices may send as many bytes in a day as the installation allows.'
      : `All devices together may send ${size(bytes_per_day)} of chunks in a day.`,
    ...(requests_per_minute === null
      ? []
      : [`All devices together may make ${count(requests_per_minute)} requests in a minute.`]),
    ...(device_requests_per_minute === null
      ? []
      : [`Each device may make ${count(device_requests_per_minute)} requests in a minute.`]),
    policy.files_bytes === null
      ? 'Files may take as much space as the installation allows.'
      : `All files together may take ${size(policy.files_bytes)}.`,
  ]
}

/** Returns what a change of retention deletes, in sentences. The server deletes within ten minutes. */
export function deletionsOf(before: DataPolicy, after: DataPolicy): readonly string[] {
  const isShorter = (old: number | null | undefined, next: number | null | undefined) =>
    typeof next === 'number' && (typeof old !== 'number' || next < old)
  return [
    ...(isShorter(before.retention_days, after.retention_days)
      ? [`all chunks that are older than ${days(after.retention_days ?? 0)}`]
      : []),
    ...FILE_KINDS.filter((kind) =>
      isShorter(before.file_retention_days[kind], after.file_retention_days[kind]),
    ).map(
      (kind) => `${KIND_TEXTS[kind]} files that are older than ${days(after.file_retention_days[kind] ?? 0)}`,
    ),
  ]
}
