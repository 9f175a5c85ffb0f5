import type { ReactNode } from 'react'
import { softwareOf, count, size } from '../ground/amounts.js'
import { Time } from '../parts/time.js'
import type { Device } from './device-filter.js'

export interface Column {
  readonly id: string
  readonly title: string
  /** True if its values are longer than those of other columns. */
  readonly isWide?: true
  readonly cell: (device: Device) => ReactNode
}

const NONE = <span className="quiet">–</span>

const FIXED: readonly Column[] = [
  {
    id: 'last_seen',
    title: 'Last seen',
    isWide: true,
    cell: ({ last_seen_at }) =>
      last_seen_at === null ? <span className="quiet">never</span> : <Time at={last_seen_at} />,
  },
  {
    id: 'software',
    title: 'Software',
    cell: (device) => softwareOf(device) || NONE,
  },
  { id: 'hardware', title: 'Hardware', cell: ({ hardware_version }) => hardware_version ?? NONE },
  {
    id: 'sent',
    title: 'Chunks sent',
    isWide: true,
    cell: ({ chunk_count, chunk_bytes }) =>
      chunk_count === 0 ? NONE : `${count(chunk_count)} · ${size(chunk_bytes)}`,
  },
]

/** Attributes that have a column: the first ones that the project declares. */
const ATTRIBUTES = 4

/** Returns the columns of the list, beside the serial number. @param attributes names of declared attributes */
export function columnsFor(attributes: readonly string[]): readonly Column[] {
  return [
    ...FIXED,
    ...attributes.slice(0, ATTRIBUTES).map((name) => ({
      id: `attribute:${name}`,
      title: name,
      cell: ({ attributes: values = {} }: Device) => {
        const value = values[name]
        return value === undefined ? NONE : String(value)
      },
    })),
  ]
}
