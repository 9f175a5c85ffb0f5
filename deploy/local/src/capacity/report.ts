import type { Capacity, Fleet } from './capacity.js'

const GB = 1e9

/** Returns what a fleet needs, as a table. */
export function report(fleet: Fleet, { needs, connections, outgrown }: Capacity): string {
  const count = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })
  const head = `${count(fleet.devices)} devices, ${count(fleet.lookUps)} look-ups and ${count(fleet.chunks)} chunks a second, ${count(fleet.accessPoints)} access points`
  const rows = [
    ['', 'processes', 'cores used', 'memory', 'disk'],
    ...needs.map(({ part, processes, cores, memory, disk }) => [
      part,
      String(processes),
      cores.toFixed(2),
      `${(memory / GB).toFixed(1)} GB`,
      disk === 0 ? '' : `${(disk / GB).toFixed(0)} GB`,
    ]),
  ]
  const widths = [12, 11, 12, 11, 12]
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padStart(widths[column] ?? 0))
      .join('')
      .trimEnd(),
  )
  return [
    head,
    '',
    ...table,
    '',
    `connections to the Postgres primary: ${String(connections)} at most`,
    ...outgrown.map((limit) => `outgrown: ${limit}`),
  ].join('\n')
}
