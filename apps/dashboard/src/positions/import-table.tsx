import { count } from '../ground/amounts.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import type { Import } from './send-file.js'

const CONTENTS = {
  observations: 'Observations of access points',
  positions: 'Positions of access points',
  cells: 'Radio cells',
} as const

const STATES = {
  open: ['badge attention', 'interrupted or running'],
  committing: ['badge accent', 'becoming visible'],
  committed: ['badge good', 'visible'],
  failed: ['badge bad', 'failed'],
} as const

/** Imports of an organization, the newest first. */
export function ImportTable({ imports }: { readonly imports: readonly Import[] }) {
  return (
    <Table
      caption="Imports"
      rows={imports}
      idOf={({ id }) => id}
      columns={[
        { title: 'Content', isRowHeader: true, cell: ({ content }) => CONTENTS[content] },
        {
          title: 'State',
          cell: ({ state, rows, failure }) => (
            <>
              <span className={STATES[state][0]}>{STATES[state][1]}</span>
              {state === 'open' && <small> {count(rows)} rows stored; drop the file again to continue</small>}
              {failure !== null && <small> {failure}</small>}
            </>
          ),
        },
        { title: 'Rows', cell: ({ rows }) => count(rows) },
        { title: 'New', cell: ({ added }) => (added === null ? '–' : count(added)) },
        { title: 'Refined', cell: ({ updated }) => (updated === null ? '–' : count(updated)) },
        { title: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}
