import { invalidInput } from '@bearing/contracts/errors'
import type { DeviceFilter, DeviceOrder } from '@bearing/contracts/management/devices/device-selection'

/**
 * The index that serves a list, and its order. A list reads one index from one place on, so a page costs the same anywhere
 * in a list of any length.
 */
export type DeviceIndex =
  | { readonly by: 'serial'; readonly descending: boolean }
  /** Of all devices, or of those with one version. */
  | { readonly by: 'last_seen'; readonly descending: boolean; readonly version?: OneVersion }
  /** In the order of serial numbers. */
  | { readonly by: 'attribute'; readonly descending: boolean }
  /** In the order of values. */
  | { readonly by: 'attribute_value'; readonly descending: false }

/** The devices with one software or hardware version. */
export interface OneVersion {
  readonly column: 'software_version' | 'hardware_version'
  readonly value: string
}

const TIMES = ['last_seen_after', 'last_seen_before', 'silent_for', 'seen'] as const
const VERSIONS = ['software_version', 'hardware_version'] as const
const BOUNDS = ['attribute_above', 'attribute_below'] as const

/**
 * Returns the index for a filter and an order.
 *
 * @throws OperationError `invalid_input` if no index serves them together
 */
export function deviceIndex(filter: DeviceFilter, sort: DeviceOrder | undefined): DeviceIndex {
  const given = <Name extends keyof DeviceFilter>(names: readonly Name[]) =>
    names.filter((name) => filter[name] !== undefined)
  const [times, versions, bounds] = [given(TIMES), given(VERSIONS), given(BOUNDS)]
  const descending = sort?.startsWith('-') ?? false
  if (filter.attribute !== undefined) {
    refuse(given([...TIMES, ...VERSIONS]), 'cannot be combined with a filter by attribute')
    if (filter.attribute_is === undefined && bounds.length === 0)
      throw invalidInput('/attribute', 'requires attribute_is, attribute_above or attribute_below')
    if (filter.attribute_is === undefined) {
      refuse(given(['q']), 'cannot be combined with attribute_above and attribute_below')
      if (sort !== undefined)
        throw invalidInput('/sort', 'must be absent: the devices are in the order of values')
      return { by: 'attribute_value', descending: false }
    }
    refuse(bounds, 'cannot be combined with attribute_is')
    if (isByTime(sort)) throw invalidInput('/sort', 'must be serial or -serial with a filter by attribute')
    return { by: 'attribute', descending }
  }
  refuse(given(['attribute_is', ...BOUNDS]), 'requires attribute')
  refuse(versions.slice(1), `cannot be combined with ${versions[0] ?? ''}`)
  if (times.length + versions.length > 0) {
    refuse(given(['q']), 'cannot be combined with a filter by last seen or version')
    if (sort !== undefined && !isByTime(sort))
      throw invalidInput('/sort', 'must be last_seen or -last_seen with a filter by last seen or version')
    const [column] = versions
    const value = column && filter[column]
    return {
      by: 'last_seen',
      descending: sort === undefined || descending,
      ...(column !== undefined && value !== undefined && { version: { column, value } }),
    }
  }
  if (!isByTime(sort)) return { by: 'serial', descending }
  refuse(given(['q']), 'requires the order serial or -serial')
  return { by: 'last_seen', descending }
}

function isByTime(sort: DeviceOrder | undefined): boolean {
  return sort === 'last_seen' || sort === '-last_seen'
}

function refuse([name]: readonly string[], why: string): void {
  if (name !== undefined) throw invalidInput(`/${name}`, why)
}
