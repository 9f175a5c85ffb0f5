import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { deviceAddress } from '../ground/address-of.js'
import { useScope } from '../ground/scope.js'
import { useNow } from '../ground/use-now.js'
import { toneOfAge } from '../parts/map/position.js'
import { SortHead } from '../parts/sort-head.js'
import type { Column } from './columns.js'
import { orderOf, ordersOf, type Device } from './device-filter.js'
import { useListState } from './use-list-state.js'
import { useVisibleRows } from './use-visible-rows.js'

interface Props {
  readonly devices: readonly Device[]
  readonly columns: readonly Column[]
  /** Number of the first device in the list, from 1. */
  readonly first: number
  /** Undefined: the user may do nothing with several devices. */
  readonly selection: Selection | undefined
  /** True while these are devices of the list before, until the next ones are there. */
  readonly isOld: boolean
}

/** Devices that are chosen for something, by serial number. */
export interface Selection {
  readonly chosen: ReadonlyMap<string, Device>
  readonly onChange: (chosen: ReadonlyMap<string, Device>) => void
}

/** A page of devices. Only rows near the screen are in the document, however many there are. */
export function DeviceTable({ devices, columns, first, selection, isOld }: Props) {
  const { organizationSlug, projectSlug } = useScope()
  const { body, from, to, above, below } = useVisibleRows(devices.length)
  const cells = columns.length + (selection ? 2 : 1)
  return (
    <div className="table-frame listing" aria-busy={isOld}>
      <table aria-rowcount={devices.length + 1}>
        <colgroup>
          {selection && <col className="narrow" />}
          <col className="broad" />
          {columns.map(({ id, isWide }) => (
            <col key={id} {...(isWide && { className: 'wide' })} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selection && (
              <td className="pick">
                <PickAll devices={devices} {...selection} />
              </td>
            )}
            <OrderHead title="Serial number" by="serial" />
            {columns.map(({ id, title }) =>
              id === 'last_seen' ? (
                <OrderHead key={id} title={title} by="last_seen" />
              ) : (
                <th key={id} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={moveBetweenRows}>
          {above > 0 && <Gap height={above} cells={cells} />}
          {devices.slice(from, to).map((device, index) => (
            <tr key={device.device_serial} data-row={first + from + index} aria-rowindex={from + index + 2}>
              {selection && (
                <td className="pick">
                  <Pick device={device} {...selection} />
                </td>
              )}
              <th scope="row">
                <Seen at={device.last_seen_at} />
                <Link
                  to={deviceAddress(organizationSlug, projectSlug, device.device_serial)}
                  preload={false}
                  title={device.device_serial}
                >
                  {device.device_serial}
                </Link>
                {device.nickname !== null && <small> {device.nickname}</small>}
              </th>
              {columns.map(({ id, title, cell }) => (
                <td key={id} data-label={title}>
                  {cell(device)}
                </td>
              ))}
            </tr>
          ))}
          {below > 0 && <Gap height={below} cells={cells} />}
        </tbody>
      </table>
    </div>
  )
}

/** The head of a column that the list can be ordered by. It turns the order around; where a filter excludes it, it is text. */
function OrderHead({ title, by }: { readonly title: string; readonly by: 'serial' | 'last_seen' }) {
  const { state, select } = useListState()
  const orders = ordersOf(state)
  const order = orderOf(state)
  const own = orders.filter(({ id }) => id.endsWith(by))
  const next = own.find(({ id }) => id !== order)
  const isOn = order?.endsWith(by) === true
  const sort = isOn ? (order.startsWith('-') ? 'descending' : 'ascending') : undefined
  if (!next)
    return (
      <th scope="col" {...(sort && { 'aria-sort': sort })}>
        {title}
      </th>
    )
  return (
    <SortHead
      title={title}
      order={sort}
      onSort={() => select({ sort: next.id === orders[0]?.id ? '' : next.id })}
    />
  )
}

/** Shows the age of the last contact as a color: the column has the time. */
function Seen({ at }: { readonly at: string | null }) {
  const now = useNow(60_000)
  return <i className={`dot tone-${at === null ? 'stale' : toneOfAge(at, now)}`} aria-hidden="true" />
}

/** Takes the place of rows that are not rendered. */
function Gap({ height, cells }: { readonly height: number; readonly cells: number }) {
  return (
    <tr className="gap" aria-hidden="true">
      <td colSpan={cells}>
        <svg width="1" height={height} />
      </td>
    </tr>
  )
}

function Pick({ device, chosen, onChange }: Selection & { readonly device: Device }) {
  const { device_serial } = device
  return (
    <input
      type="checkbox"
      aria-label={`Select ${device_serial}`}
      checked={chosen.has(device_serial)}
      onChange={({ target }) => {
        const next = new Map(chosen)
        if (target.checked) next.set(device_serial, device)
        else next.delete(device_serial)
        onChange(next)
      }}
    />
  )
}

function PickAll({ devices, chosen, onChange }: Selection & { readonly devices: readonly Device[] }) {
  const all = devices.length > 0 && devices.every(({ device_serial }) => chosen.has(device_serial))
  return (
    <input
      type="checkbox"
      aria-label="Select all devices of this page"
      checked={all}
      onChange={() => {
        const next = new Map(chosen)
        for (const device of devices)
          if (all) next.delete(device.device_serial)
          else next.set(device.device_serial, device)
        onChange(next)
      }}
    />
  )
}

/** Up and down lead to the same control of the next row. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const { key, target } = event
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || !(target instanceof HTMLElement)) return
  const row = target.closest('tr')
  const next = key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const control = next?.querySelector<HTMLElement>(target.tagName === 'INPUT' ? 'input' : 'a')
  if (!control) return
  event.preventDefault()
  control.focus()
}
