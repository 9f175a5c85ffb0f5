/** One expression of a panel, and the name of its series. */
export interface Query {
  readonly expr: string
  readonly legend: string
}

export interface Panel {
  readonly title: string
  /** Unit of Grafana: https://grafana.com/docs/grafana/latest/panels-visualizations/configure-standard-options/#unit */
  readonly unit: string
  readonly queries: readonly Query[]
  readonly kind?: 'timeseries' | 'table'
  /** Whether it is without data while nothing goes wrong. */
  readonly mayBeEmpty?: boolean
}

interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

export interface Dashboard {
  readonly panels: readonly Panel[]
  /** What Grafana imports. */
  readonly json: object
}

/** Panels of a row, whose width is 24. */
const COLUMNS = 3
const WIDTH = 24 / COLUMNS
const HEIGHT = 8
const EMPTY = 'Empty while there is none.'
const PROMETHEUS = { type: 'prometheus', uid: '${datasource}' }

/** Returns a dashboard with rows of panels, for one or several namespaces of a Prometheus that the viewer chooses. */
export function dashboard(uid: string, title: string, rows: readonly Row[]): Dashboard {
  let y = 0
  let id = 0
  const placed = rows.flatMap((row) => {
    const head = {
      id: ++id,
      type: 'row',
      title: row.title,
      gridPos: { x: 0, y: y++, w: 24, h: 1 },
      panels: [],
    }
    const panels = row.panels.map((panel, index) =>
      place(panel, ++id, (index % COLUMNS) * WIDTH, y + Math.floor(index / COLUMNS) * HEIGHT),
    )
    y += Math.ceil(row.panels.length / COLUMNS) * HEIGHT
    return [head, ...panels]
  })
  const json = {
    uid,
    title,
    tags: ['bearing'],
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    links: [{ title: 'Bearing', type: 'dashboards', tags: ['bearing'], asDropdown: true }],
    templating: {
      list: [
        { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          type: 'query',
          datasource: PROMETHEUS,
          query: 'label_values(bearing_build_info, namespace)',
          refresh: 2,
          includeAll: true,
          multi: true,
          // Without Kubernetes there is no such label.
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: placed,
  }
  return { panels: rows.flatMap(({ panels }) => panels), json }
}

function place(
  { title, unit, queries, kind = 'timeseries', mayBeEmpty }: Panel,
  id: number,
  x: number,
  y: number,
): object {
  return {
    id,
    type: kind,
    title,
    ...(mayBeEmpty && { description: EMPTY }),
    datasource: PROMETHEUS,
    gridPos: { x, y, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    ...(kind === 'timeseries' && {
      options: {
        tooltip: { mode: 'multi', sort: 'desc' },
        legend: { displayMode: 'list', placement: 'bottom' },
      },
    }),
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource: PROMETHEUS,
      expr,
      legendFormat: legend,
      ...(kind === 'table' && { format: 'table', instant: true }),
    })),
  }
}

/** A dashboard as its file. */
export function dashboardFile({ json }: Dashboard): string {
  return `${JSON.stringify(json, undefined, 2)}\n`
}
