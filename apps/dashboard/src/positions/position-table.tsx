import { metersText } from '../parts/map/geometry.js'
import { MarkIcon } from '../parts/map/mark.js'
import { Button } from '../parts/button.js'
import { Pages } from '../parts/pages.js'
import { Time } from '../parts/time.js'
import { METHODS, radiusAt, toneOfAge, type Position } from '../parts/map/position.js'

/** Rows of a page. */
export const PER_PAGE = 20

interface Props {
  readonly positions: readonly Position[]
  readonly percent: number
  readonly nowMs: number
  readonly selected: string
  readonly onSelect: (serial: string) => void
  readonly page: number
  readonly onPage: (page: number) => void
}

/** The same as on the map, for reading and for the keyboard. */
export function PositionTable({ positions, percent, nowMs, selected, onSelect, page, onPage }: Props) {
  const pages = Math.max(1, Math.ceil(positions.length / PER_PAGE))
  const at = Math.min(Math.max(1, page), pages)
  return (
    <div className="stack-s">
      <div className="table-frame">
        <table>
          <caption className="visually-hidden">Last positions, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Device</th>
              <th scope="col">Located</th>
              <th scope="col">Circle</th>
            </tr>
          </thead>
          <tbody>
            {positions.slice((at - 1) * PER_PAGE, at * PER_PAGE).map((position) => {
              const { device_serial: serial, fulfilledWith, fallback, resolved_at: time } = position
              const { shape, text } = METHODS[fulfilledWith]
              const isSelected = serial === selected
              return (
                <tr key={serial} {...(isSelected && { 'aria-current': true })}>
                  <th scope="row">
                    <Button
                      look="plain small row-button"
                      aria-pressed={isSelected}
                      onPress={() => onSelect(isSelected ? '' : serial)}
                    >
                      <MarkIcon shape={shape} tone={toneOfAge(time, nowMs)} />
                      <span className="clip">{serial}</span>
                    </Button>
                  </th>
                  <td data-label="Located">
                    <Time at={time} />
                  </td>
                  <td data-label="Circle" className="nowrap">
                    {metersText(radiusAt(position, percent))}
                    <small> {fallback ? `${text}, fallback` : text}</small>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {pages > 1 && <Pages at={at} pages={pages} onPage={onPage} />}
    </div>
  )
}
