import type { CallOutput } from '@bearing/client/call-types'
import { SAMPLING_LEVELS } from '@bearing/contracts/management/devices/sampling'
import { FILE_KINDS, type FileKind } from '@bearing/contracts/management/data/file'
import { InvalidArgumentError } from 'commander'
import { verb } from '../session/verb.js'
import { count, counted } from '../ground/output/format.js'
import { samplingFlags, type SamplingFlags } from './sampling.js'
import { oneOf, parsed } from '../ground/arguments.js'

type DataPolicy = CallOutput<'showDataPolicy'>
/** The value of a flag: a number or "none". Commander treats null differently. */
type Given = number | 'none'
type OfKind = readonly [FileKind, Given]

interface Flags extends SamplingFlags {
  readonly bytesPerDay?: Given | undefined
  readonly requestsPerMinute?: Given | undefined
  readonly deviceRequestsPerMinute?: Given | undefined
  readonly retentionDays?: Given | undefined
  readonly knownDevicesOnly?: 'yes' | 'no' | undefined
  readonly filesBytes?: Given | undefined
  readonly fileBytes?: readonly OfKind[] | undefined
  readonly fileRetentionDays?: readonly OfKind[] | undefined
}

verb('devices policy show', {
  about: 'show the data policy of a project',
  run: async (cli) => {
    const { client, organization, project } = await cli.session()
    const policy = await client.call('showDataPolicy', { organization, project })
    cli.output.record(shown(policy), policy)
  },
})

verb('devices policy set', {
  about: 'change the data policy of a project: only what is named; without flags it shows the policy',
  takes: {
    ...samplingFlags(SAMPLING_LEVELS),
    '--bytes-per-day <number>': parsed('chunk bytes of all devices per day; "none" for no limit', number),
    '--requests-per-minute <number>': parsed('chunk requests of all devices per minute; or "none"', number),
    '--device-requests-per-minute <number>': parsed(
      'chunk requests of each device per minute; or "none"',
      number,
    ),
    '--retention-days <days>': parsed('retention of chunks; "none" for unlimited', number),
    '--known-devices-only <answer>': oneOf('accept data only from known devices', ['yes', 'no']),
    '--files-bytes <number>': parsed('total bytes of all files; or "none"', number),
    '--file-bytes <kind=number...>': {
      about: 'bytes of one file, such as coredump=1000000; or mar=none',
      parse: ofKind,
    },
    '--file-retention-days <kind=days...>': {
      about: 'retention of files, such as coredump=30; or mar=none',
      parse: ofKind,
    },
  },
  examples: ['--retention-days 30 --file-retention-days coredump=90'],
  run: async (cli, flags) => {
    const { client, organization, project } = await cli.session()
    const address = { organization, project }
    let policy = await client.call('showDataPolicy', address)
    if (Object.keys(flags).length > 0) {
      policy = await client.call('changeDataPolicy', { ...address, ...changed(policy, flags) })
      cli.output.done('Data policy changed.')
    }
    cli.output.record(shown(policy), policy)
  },
})

function changed(policy: DataPolicy, flags: Flags): DataPolicy {
  const or = (given: Given | undefined, before: number | null) =>
    given === undefined ? before : given === 'none' ? null : given
  return {
    bytes_per_day: or(flags.bytesPerDay, policy.bytes_per_day),
    requests_per_minute: or(flags.requestsPerMinute, policy.requests_per_minute),
    device_requests_per_minute: or(flags.deviceRequestsPerMinute, policy.device_requests_per_minute),
    retention_days: or(flags.retentionDays, policy.retention_days),
    known_devices_only:
      flags.knownDevicesOnly === undefined ? policy.known_devices_only : flags.knownDevicesOnly === 'yes',
    file_bytes: byKind(policy.file_bytes, flags.fileBytes),
    files_bytes: or(flags.filesBytes, policy.files_bytes),
    file_retention_days: byKind(policy.file_retention_days, flags.fileRetentionDays),
    sampling: {
      debugging: flags.debugging ?? policy.sampling.debugging,
      logging: flags.logging ?? policy.sampling.logging,
      monitoring: flags.monitoring ?? policy.sampling.monitoring,
    },
  }
}

function byKind(
  before: Partial<Record<FileKind, number>>,
  given: readonly OfKind[] = [],
): Partial<Record<FileKind, number>> {
  const after = new Map(Object.entries(before))
  for (const [kind, value] of given) {
    if (value === 'none') after.delete(kind)
    else after.set(kind, value)
  }
  return Object.fromEntries(after)
}

function shown(policy: DataPolicy): Record<string, string> {
  const limit = (value: number | null) => (value === null ? 'no limit' : count(value))
  const kinds = (values: Partial<Record<FileKind, number>>, none: string) =>
    Object.entries(values)
      .map(([kind, value]) => `${kind} ${count(value)}`)
      .join(', ') || none
  return {
    'Bytes per day': limit(policy.bytes_per_day),
    'Requests per minute': limit(policy.requests_per_minute),
    'Requests per minute and device': limit(policy.device_requests_per_minute),
    'Retention of chunks':
      policy.retention_days === null ? 'unlimited' : counted(policy.retention_days, 'day'),
    'Known devices only': policy.known_devices_only ? 'yes' : 'no',
    'Bytes of one file': kinds(policy.file_bytes, 'limit of the installation'),
    'Bytes of all files':
      policy.files_bytes === null ? 'limit of the installation' : count(policy.files_bytes),
    'Retention of files in days': kinds(policy.file_retention_days, 'unlimited'),
    Sampling: Object.entries(policy.sampling)
      .map(([aspect, level]) => `${aspect} ${level}`)
      .join(', '),
  }
}

function number(text: string): Given {
  if (text === 'none') return text
  if (/^\d{1,16}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a whole number, or "none".')
}

function ofKind(text: string, before: readonly OfKind[] = []): readonly OfKind[] {
  const [, name, value = ''] = /^([^=]*)=(.*)$/.exec(text) ?? []
  const kind = FILE_KINDS.find((one) => one === name)
  if (!kind)
    throw new InvalidArgumentError(`Use one of ${FILE_KINDS.join(', ')}, then "=" and a number or "none".`)
  return [...before, [kind, number(value)]]
}
