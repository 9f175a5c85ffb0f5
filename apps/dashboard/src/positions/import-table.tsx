import { count } from '../ground/amounts.js'
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
    <div className="table-frame">
      <table>
        <caption className="visually-hidden">Imports</caption>
        <thead>
          <tr>
            <th scope="col">Content</th>
            <th scope="col">State</th>
            <th scope="col">Rows</th>
            <th scope="col">New</th>
            <th scope="col">Refined</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ id, content, state, rows, added, updated, failure, created_at }) => (
            <tr key={id}>
              <th scope="row">{CONTENTS[content]}</th>
              <td data-label="State">
                <span className={STATES[state][0]}>{STATES[state][1]}</span>
                {state === 'open' && (
                  <small> {count(rows)} rows stored; drop the file again to continue</small>
                )}
                {failure !== null && <small> {failure}</small>}
              </td>
              <td data-label="Rows">{count(rows)}</td>
              <td data-label="New">{added === null ? '–' : count(added)}</td>
              <td data-label="Refined">{updated === null ? '–' : count(updated)}</td>
              <td data-label="Started">
                <Time at={created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
