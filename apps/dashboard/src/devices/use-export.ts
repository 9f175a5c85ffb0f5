import type { CallOutput } from '@bearing/client/call-types'
import {
  exportedColumns,
  exportedRow,
  type DeclaredTypes,
} from '@bearing/contracts/management/devices/device-csv'
import { useEffect, useRef, useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction, type Action } from '../ground/use-action.js'
import { filterOf, type ListState } from './device-filter.js'

/** Devices of one request. */
const PER_REQUEST = 1_000
/** Browsers read the file after the click that saves it. In milliseconds. */
const READ_MS = 60_000

/** An export of devices. `read` is how many it has so far. */
export interface Export extends Action<[]> {
  readonly read: number
  /** Ends it without a file. */
  readonly stop: () => void
}

/** Writes all devices that a filter selects to a CSV file, which an import reads. */
export function useExport(declared: DeclaredTypes, state: ListState): Export {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [read, setRead] = useState(0)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const action = useAction(async () => {
    const abort = new AbortController()
    running.current = abort
    const { signal } = abort
    const filter = { organization, project, ...filterOf(state), with: 'attributes' as const }
    // The browser stores parts of a file outside of the page.
    const parts = [`${exportedColumns(declared)}\n`] as (string | Blob)[]
    let count = 0
    let cursor: string | null | undefined
    setRead(0)
    while (cursor !== null && !signal.aborted) {
      const place = cursor === undefined ? {} : { cursor }
      const page: CallOutput<'listDevices'> | undefined = await client
        .call('listDevices', { ...filter, ...place, per_page: PER_REQUEST }, { signal })
        .catch((error: unknown) => {
          if (signal.aborted) return undefined
          throw error
        })
      if (!page) return
      parts.push(new Blob(page.data.map((device) => `${exportedRow(device, declared)}\n`)))
      count += page.data.length
      setRead(count)
      cursor = page.next
    }
    if (!signal.aborted) save(new Blob(parts, { type: 'text/csv' }), `${project}-devices.csv`)
  })
  return {
    ...action,
    read,
    stop: () => running.current?.abort(),
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS)
}
