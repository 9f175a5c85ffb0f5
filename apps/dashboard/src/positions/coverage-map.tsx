import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '../ground/address-of.js'
import { count } from '../ground/amounts.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import type { Box } from '../parts/map/features.js'
import { boxText, parseBox } from '../parts/map/geometry.js'
import { MarkIcon } from '../parts/map/mark.js'
import { WorldMap, canUseGl } from '../parts/map/world-map.js'
import { Command } from '../parts/command.js'
import { Loaded } from '../parts/loaded.js'
import { Select } from '../parts/select.js'
import { CellTable } from './coverage-table.js'
import { isThin, ORDERS, type Order } from './thin.js'
import { ThinAreas } from './thin-areas.js'
import { coverageOf, useOwnAccessPoints, type Coverage } from './use-own-access-points.js'

/** The density of what the map shows, its worst areas, and its grid as a table. */
export function CoverageMap() {
  const { organizationSlug: organization, projectSlug } = useScope()
  const everything = useQuery(coverageOf(organization, ''))
  return (
    <Loaded query={everything}>
      {({ total, bounds }) =>
        total.access_points === 0 ? (
          <Nothing organization={organization} project={projectSlug} />
        ) : (
          <MapAndTable whole={bounds ?? undefined} />
        )
      }
    </Loaded>
  )
}

function MapAndTable({ whole }: { readonly whole: Box | undefined }) {
  const [{ bbox, sort }, change] = useUrlState(['bbox', 'sort'])
  const [firstBox] = useState(() => parseBox(bbox))
  const [goTo, setGoTo] = useState<Box>()
  const { coverage, areas, accessPoints } = useOwnAccessPoints(bbox)
  const show = canUseGl() ? { onShow: (box: Box) => setGoTo({ ...box }) } : {}
  return (
    <section className="stack" aria-label="Coverage">
      <WorldMap
        label="Density of your access points. The table below has the same data."
        points={accessPoints}
        areas={areas}
        whole={whole}
        firstBox={firstBox}
        goTo={goTo}
        onBox={(box, isChosen) => change({ bbox: isChosen ? boxText(box) : '' })}
      />
      {accessPoints.length > 0 && (
        <ul className="row quiet">
          <li>
            <MarkIcon shape="diamond" tone="plain" /> imported
          </li>
          <li>
            <MarkIcon shape="diamond" tone="accent" /> learned
          </li>
          <li>
            <MarkIcon shape="diamond" tone="attention" /> moving
          </li>
        </ul>
      )}
      <Loaded query={coverage}>
        {(shown) => (
          <>
            <p className="quiet" role="status">
              {summaryOf(shown)}
            </p>
            <h2>Thin areas</h2>
            <ThinAreas cells={shown.cells} {...show} />
            <details>
              <summary>All {count(shown.cells.length)} cells of the grid</summary>
              <div className="stack">
                <div className="row filters">
                  <Select
                    label="Order"
                    value={orderOf(sort)}
                    onChange={(id) => change({ sort: id === 'thin' ? '' : id })}
                    options={Object.entries(ORDERS).map(([id, text]) => ({ id, text }))}
                  />
                </div>
                <CellTable cells={shown.cells} order={orderOf(sort)} {...show} />
              </div>
            </details>
          </>
        )}
      </Loaded>
    </section>
  )
}

function orderOf(sort: string): Order {
  return sort === 'full' || sort === 'old' || sort === 'wide' ? sort : 'thin'
}

/** Returns the content of the box as a sentence. */
function summaryOf({ cells, total, sampled }: Coverage): string {
  const { access_points, imported, learned, moving } = total
  const about = sampled > 1 ? 'About ' : ''
  const thin = cells.filter(isThin).length
  const parts = [
    `${about}${count(access_points)} access points in view`,
    `${count(imported)} imported`,
    `${count(learned)} learned`,
    ...(moving > 0 ? [`${count(moving)} moving`] : []),
    ...(sampled > 1 ? ['zoom in for exact counts'] : [`${count(thin)} thin cells`]),
  ]
  return parts.join(' · ')
}

function Nothing({ organization, project }: { readonly organization: string; readonly project: string }) {
  return (
    <div className="empty">
      <h2>You have no access points of your own yet</h2>
      <p className="quiet">
        Import a survey on the{' '}
        <Link to={addressOf('/o/$organization/p/$project/location/imports', organization, project)}>
          Imports
        </Link>{' '}
        page or on the command line; devices that send observations add to it.
      </p>
      <Command text={`bearing --org ${organization} access-points import survey.csv`} />
    </div>
  )
}
