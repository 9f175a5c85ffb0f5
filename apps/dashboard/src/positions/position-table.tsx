import { metersText } from '../parts/map/geometry.js'
import { MarkIcon } from '../parts/map/mark.js'
import { Button } from '../parts/button.js'
import { Pages } from '../parts/pages.js'
import { Table } from '../parts/table.js'
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
      <Table
        caption="Last positions, the newest first"
        rows={positions}
        page={{ at, size: PER_PAGE }}
        idOf={({ device_serial }) => device_serial}
        isCurrent={({ device_serial }) => device_serial === selected}
        columns={[
          {
            title: 'Device',
            isRowHeader: true,
            cell: ({ device_serial: serial, fulfilledWith, resolved_at }) => (
              <Button
                look="plain small row-button"
                aria-pressed={serial === selected}
                onPress={() => onSelect(serial === selected ? '' : serial)}
              >
                <MarkIcon shape={METHODS[fulfilledWith].shape} tone={toneOfAge(resolved_at, nowMs)} />
                <span className="clip">{serial}</span>
              </Button>
            ),
          },
          { title: 'Located', cell: ({ resolved_at }) => <Time at={resolved_at} /> },
          {
            title: 'Circle',
            cell: (position) => (
              <>
                {metersText(radiusAt(position, percent))}
                <small>
                  {' '}
                  {METHODS[position.fulfilledWith].text}
                  {position.fallback && ', fallback'}
                </small>
              </>
            ),
          },
        ]}
      />
      {pages > 1 && <Pages at={at} pages={pages} onPage={onPage} />}
    </div>
  )
}
