import type { CallInput, CallOutput } from '@bearing/client/call-types'
import type { DEVICE_ORDERS } from '@bearing/contracts/management/devices/device-selection'
import { quoted } from '../parts/command.js'

export type Device = CallOutput<'listDevices'>['data'][number]

/** The state of the list in the URL. */
export const LIST_KEYS = [
  'q',
  'silent_for',
  'seen',
  'last_seen_after',
  'last_seen_before',
  'software_version',
  'hardware_version',
  'attribute',
  'attribute_is',
  'attribute_above',
  'attribute_below',
  'sort',
  'rows',
  'cursor',
  'from',
] as const
export type ListState = Readonly<Record<(typeof LIST_KEYS)[number], string>>

const FILTER_KEYS = LIST_KEYS.slice(0, 11) as readonly Exclude<
  (typeof LIST_KEYS)[number],
  'sort' | 'rows' | 'cursor' | 'from'
>[]

/** The fields of a filter, as the list, the preview of a deletion and the deletion take them. */
export type Filter = Omit<CallInput<'previewDeviceDeletion'>, 'organization' | 'project'>

/** Sizes of a page of the list. */
export const ROWS = ['100', '500', '1000'] as const

/** Returns the filter of a state. The server says what is wrong with it. */
export function filterOf(state: ListState): Filter {
  // An attribute and what it is compared with stand in different fields: alone, neither is a filter yet.
  const isCompared = state.attribute_is + state.attribute_above + state.attribute_below !== ''
  return Object.fromEntries(
    FILTER_KEYS.flatMap((key) =>
      state[key] === '' || (key.startsWith('attribute') && (state.attribute === '' || !isCompared))
        ? []
        : [[key, state[key]]],
    ),
  )
}

/** Returns how many rows a page has. */
export function rowsOf({ rows }: ListState): number {
  return Number(ROWS.find((size) => size === rows) ?? ROWS[0])
}

/** Returns a state without filter, order and place; what is shown of each device stays. */
export const NO_FILTER = Object.fromEntries(
  LIST_KEYS.filter((key) => key !== 'rows').map((key) => [key, '']),
) as Partial<ListState>

/** Groups of filters of a list. Each family has an index of its own, so that they cannot be combined. */
export type Family = 'serial' | 'seen' | 'range'

/** Returns the family of filters that is in use. */
export function familyOf(state: ListState): Family | undefined {
  if (state.attribute_above !== '' || state.attribute_below !== '') return 'range'
  if (state.q !== '' || state.attribute_is !== '') return 'serial'
  const { silent_for, seen, last_seen_after, last_seen_before, software_version, hardware_version } = state
  return [silent_for, seen, last_seen_after, last_seen_before, software_version, hardware_version].some(
    (text) => text !== '',
  )
    ? 'seen'
    : undefined
}

type Order = (typeof DEVICE_ORDERS)[number]

const ORDERS: readonly { readonly id: Order; readonly text: string; readonly of: Family }[] = [
  { id: 'serial', text: 'Serial number', of: 'serial' },
  { id: '-serial', text: 'Serial number, descending', of: 'serial' },
  { id: '-last_seen', text: 'Last seen first', of: 'seen' },
  { id: 'last_seen', text: 'Silent for longest first', of: 'seen' },
]

/** Returns the orders that a list can have. */
export function ordersOf(state: ListState): readonly { readonly id: Order; readonly text: string }[] {
  const family = familyOf(state)
  return ORDERS.filter(({ of }) => family === undefined || of === family)
}

/** Returns the order of a list: the chosen one, if its filter allows that, or the default one. */
export function orderOf(state: ListState): Order | undefined {
  const orders = ordersOf(state)
  return (orders.find(({ id }) => id === state.sort) ?? orders[0])?.id
}

const FLAGS: readonly (readonly [keyof ListState, flag: string])[] = [
  ['q', '--q'],
  ['silent_for', '--silent-for'],
  ['last_seen_after', '--seen-after'],
  ['last_seen_before', '--seen-before'],
  ['software_version', '--software-version'],
  ['hardware_version', '--hardware-version'],
]

/** Returns the flags of the command line for a filter. Undefined: it has none for this filter. */
export function flagsOf(state: ListState): string | undefined {
  if (state.seen === 'ever') return undefined
  const flags = FLAGS.flatMap(([key, flag]) => (state[key] === '' ? [] : [`${flag} ${quoted(state[key])}`]))
  if (state.seen === 'never') flags.push('--never-seen')
  for (const [key, sign] of [
    ['attribute_is', '='],
    ['attribute_above', '>'],
    ['attribute_below', '<'],
  ] as const)
    if (state.attribute !== '' && state[key] !== '')
      flags.push(`--attribute ${quoted(`${state.attribute}${sign}${state[key]}`)}`)
  return flags.map((flag) => ` ${flag}`).join('')
}
