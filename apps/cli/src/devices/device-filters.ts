import type { CallInput, CallOutput } from '@bearing/client/call-types'
import type { ValuesOf } from '../ground/arguments.js'
import { readMoment } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'
import type { Session } from '../session/session.js'

type Filter = Pick<
  CallInput<'listDevices'>,
  | 'q'
  | 'last_seen_after'
  | 'last_seen_before'
  | 'silent_for'
  | 'seen'
  | 'software_version'
  | 'hardware_version'
  | 'attribute'
  | 'attribute_is'
  | 'attribute_above'
  | 'attribute_below'
>

/** Filters of devices, as options. */
export const FILTERS = {
  '--q <prefix>': 'only serial numbers that start with this',
  '--silent-for <time>': 'only devices that have sent nothing for this long: 30m, 12h, 7d',
  '--seen-before <time>': 'only devices last seen before: 2027-01-31 or 2027-01-31T09:00:00Z',
  '--seen-after <time>': 'only devices last seen at this time or later',
  '--never-seen': 'only devices that have never sent anything',
  '--software-version <version>': 'only devices with this software version',
  '--hardware-version <version>': 'only devices with this hardware version',
  '--attribute <name=value>': 'only devices with this value; "name>value" or "name<value" for more or less',
} as const

export type FilterFlags = ValuesOf<typeof FILTERS>

/** Converts the flags to fields of the operation. The server says which of them can be combined. */
export function filterOf(flags: FilterFlags): Filter {
  return {
    ...(flags.q !== undefined && { q: flags.q }),
    ...(flags.silentFor !== undefined && { silent_for: flags.silentFor }),
    ...(flags.seenBefore !== undefined && {
      last_seen_before: readMoment('--seen-before', flags.seenBefore),
    }),
    ...(flags.seenAfter !== undefined && { last_seen_after: readMoment('--seen-after', flags.seenAfter) }),
    ...(flags.neverSeen === true && { seen: 'never' as const }),
    ...(flags.softwareVersion !== undefined && { software_version: flags.softwareVersion }),
    ...(flags.hardwareVersion !== undefined && { hardware_version: flags.hardwareVersion }),
    ...(flags.attribute !== undefined && attributeOf(flags.attribute)),
  }
}

function attributeOf(text: string): Filter {
  const [, attribute = '', operator, value = ''] = /^([^=<>]+)([=<>])(.+)$/s.exec(text) ?? []
  switch (operator) {
    case '=':
      return { attribute, attribute_is: value }
    case '>':
      return { attribute, attribute_above: value }
    case '<':
      return { attribute, attribute_below: value }
    default:
      throw new UsageError('--attribute must be a name, "=", "<" or ">", and a value, such as customer=acme.')
  }
}

/** Devices of one request. */
const PER_REQUEST = 1_000

type Page = CallOutput<'listDevices'>
type Query = Omit<CallInput<'listDevices'>, 'organization' | 'project' | 'page' | 'per_page' | 'cursor'>

/**
 * Reads the devices of a project, page by page.
 *
 * @param limit the most devices; Infinity for all
 */
export async function* readDevices(
  { client, organization, project }: Session,
  query: Query,
  limit = Infinity,
): AsyncGenerator<Page> {
  let left = limit
  let cursor: string | undefined
  do {
    const found = await client.call('listDevices', {
      ...{ organization, project, page: 1, per_page: Math.min(PER_REQUEST, left) },
      ...query,
      ...(cursor !== undefined && { cursor }),
    })
    yield found
    left -= found.data.length
    cursor = found.next ?? undefined
  } while (cursor !== undefined && left > 0)
}
