import { meters, OUTCOMES, type Explanation } from './words.js'

/** What became of each radio cell. */
export function CellTable({ cells }: { readonly cells: Explanation['cells'] }) {
  return (
    <div className="table-frame">
      <table>
        <caption className="visually-hidden">Radio cells of the scan</caption>
        <thead>
          <tr>
            <th scope="col">Radio cell</th>
            <th scope="col">Result</th>
            <th scope="col">From the position</th>
            <th scope="col">Range</th>
          </tr>
        </thead>
        <tbody>
          {cells.map(({ cell, outcome, own }, index) => (
            <tr key={String(index)}>
              <th scope="row">
                <code>{cell ?? 'incomplete'}</code>
              </th>
              <td data-label="Result">
                <span className={outcome === 'used' ? 'badge good' : 'badge'}>{OUTCOMES[outcome]}</span>
              </td>
              <td data-label="From the position">{meters(own?.distance)}</td>
              <td data-label="Range">{meters(own?.range)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
