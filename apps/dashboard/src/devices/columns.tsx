import type { ReactNode } from 'react'
import { count, size } from '../ground/amounts.js'
import { Time } from '../parts/time.js'
import type { Device } from './device-filter.js'

export interface Column {
  readonly id: string
  readonly title: string
  readonly cell: (device: Device) => ReactNode
}

const NONE = <span className="quiet">–</span>

const FIXED: readonly Column[] = [
  {
    id: 'last_seen',
    title: 'Last seen',
    cell: ({ last_seen_at }) =>
      last_seen_at === null ? <span className="quiet">never</span> : <Time at={last_seen_at} />,
  },
  {
    id: 'software',
    title: 'Software',
    cell: ({ software_type, software_version }) =>
      [software_type, software_version].filter((part) => part !== null).join(' ') || NONE,
  },
  { id: 'hardware', title: 'Hardware', cell: ({ hardware_version }) => hardware_version ?? NONE },
  {
    id: 'sent',
    title: 'Chunks sent',
    cell: ({ chunk_count, chunk_bytes }) =>
      chunk_count === 0 ? NONE : `${count(chunk_count)} · ${size(chunk_bytes)}`,
  },
  {
    id: 'first_seen',
    title: 'First seen',
    cell: ({ first_seen_at }) => (first_seen_at === null ? NONE : <Time at={first_seen_at} />),
  },
  {
    id: 'registered',
    title: 'Registered',
    cell: ({ registered_at }) => (registered_at === null ? NONE : <Time at={registered_at} />),
  },
]

const DEFAULT = 'last_seen,software,hardware,sent'
const PREFIX = 'attribute:'
const KEY = 'bearing-device-columns'

/** Returns all columns that a project has, beside the serial number. @param attributes names of declared attributes */
export function columnsFor(attributes: readonly string[]): readonly Column[] {
  return [
    ...FIXED,
    ...attributes.map((name) => ({
      id: PREFIX + name,
      title: name,
      cell: ({ attributes: values = {} }: Device) => {
        const value = values[name]
        return value === undefined ? NONE : String(value)
      },
    })),
  ]
}

/** Returns the ids of the columns to show: those of the URL, else those that were chosen last in this browser. */
export function chosenColumns(inUrl: string): readonly string[] {
  return (inUrl || readStored() || DEFAULT).split(',')
}

/** Keeps the choice for the next visit. @returns it as it stands in the URL */
export function keepColumns(ids: readonly string[]): string {
  const text = ids.join(',')
  try {
    localStorage.setItem(KEY, text)
  } catch {
    // Storage is switched off: the URL has it.
  }
  return text
}

/** Whether attributes have to be read for these columns. */
export function needsAttributes(ids: readonly string[]): boolean {
  return ids.some((id) => id.startsWith(PREFIX))
}

function readStored(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}
