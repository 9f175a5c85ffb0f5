import { count, size } from '../ground/amounts.js'
import type { Usage } from './usage.js'

type Day = Usage['days'][number]

/** Returns the requests of a day with all kinds of credentials. */
function requestsOf({ requests }: Day): number {
  return Object.values(requests).reduce((sum, amount) => sum + amount, 0)
}

/** What was sent and asked for on each day. The newest day is first. */
export function DayTable({ days }: { readonly days: readonly Day[] }) {
  return (
    <div className="table-frame figures" role="region" aria-label="Figures by day" tabIndex={0}>
      <table>
        <caption className="visually-hidden">The same figures by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Chunks</th>
            <th scope="col">Bytes</th>
            <th scope="col">Found</th>
            <th scope="col">Fallback</th>
            <th scope="col">Not found</th>
            <th scope="col">Refused</th>
            <th scope="col">Requests</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              <td data-label="Chunks">{count(day.chunks.count)}</td>
              <td data-label="Bytes">{size(day.chunks.bytes)}</td>
              <td data-label="Found">{count(day.lookups.found)}</td>
              <td data-label="Fallback">{count(day.lookups.fallback)}</td>
              <td data-label="Not found">{count(day.lookups.not_found)}</td>
              <td data-label="Refused">{count(day.lookups.refused)}</td>
              <td data-label="Requests">{count(requestsOf(day))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
