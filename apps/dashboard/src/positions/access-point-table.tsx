import { Button } from '../parts/button.js'
import { idOf, meters, OUTCOMES, type ExplainedAccessPoint } from './words.js'

interface Props {
  readonly accessPoints: readonly ExplainedAccessPoint[]
  readonly selected: string | undefined
  readonly onSelect: (id: string | undefined) => void
}

/** What became of each access point: the same as on the map, and why others did not count. */
export function AccessPointTable({ accessPoints, selected, onSelect }: Props) {
  return (
    <div className="table-frame">
      <table>
        <caption className="visually-hidden">Access points of the scan</caption>
        <thead>
          <tr>
            <th scope="col">Access point</th>
            <th scope="col">Signal</th>
            <th scope="col">Result</th>
            <th scope="col">From the position</th>
            <th scope="col">Off by</th>
            <th scope="col">Known from</th>
          </tr>
        </thead>
        <tbody>
          {accessPoints.map((one, index) => (
            <Row
              key={idOf(index)}
              one={one}
              isSelected={selected === idOf(index)}
              onSelect={() => onSelect(selected === idOf(index) ? undefined : idOf(index))}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  one: { macAddress, signalStrength, outcome, own, locallyAdministered },
  isSelected,
  onSelect,
}: {
  readonly one: ExplainedAccessPoint
  readonly isSelected: boolean
  readonly onSelect: () => void
}) {
  const address = <code>{macAddress ?? 'unreadable'}</code>
  return (
    <tr aria-current={isSelected ? 'true' : undefined}>
      <th scope="row">
        {own ? (
          <Button look="small plain" aria-pressed={isSelected} onPress={onSelect}>
            {address}
          </Button>
        ) : (
          address
        )}
        {locallyAdministered && <small> locally administered</small>}
      </th>
      <td data-label="Signal">{signalStrength === null ? '–' : `${String(signalStrength)} dBm`}</td>
      <td data-label="Result">
        <span className={outcome === 'used' ? 'badge good' : 'badge'}>{OUTCOMES[outcome]}</span>
      </td>
      <td data-label="From the position">{meters(own?.distance)}</td>
      <td data-label="Off by">
        {meters(own?.residual)}
        {typeof own?.residual === 'number' && <small> of {meters(own.expected)} expected</small>}
      </td>
      <td data-label="Known from">
        {own
          ? `${own.learned ? 'learned' : 'imported'}${own.spread > 0 ? `, spread ${meters(own.spread)}` : ''}`
          : '–'}
      </td>
    </tr>
  )
}
